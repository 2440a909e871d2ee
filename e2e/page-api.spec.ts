// The page API as an application uses it: what it refuses, what it takes, and how it ends.
import type { ConsoleMessage, Page } from 'playwright/test';
import { controlled, cutNetwork, PLAIN } from './support/page.ts';
import { expect, inChromium, test } from './support/test.ts';

interface Api {
  query(expression: unknown): Promise<unknown>;
  graphql(request: object): Promise<unknown>;
  subscribe(expression: unknown, options: { onResult?(result: unknown): void; onError?(): void }): Promise<unknown>;
  importSchema(sdl: string): Promise<unknown>;
  status(): Promise<{ durability: string; worker: string }>;
  reset(): Promise<void>;
  export(): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  exportBlob(): Promise<Blob>;
  import(file: unknown, options?: object): Promise<void>;
  close(): Promise<void>;
}
declare const window: { db: Api; counts: unknown[]; open(options?: unknown): Promise<Api>; ended(what: Promise<unknown>): Promise<string> };

const CLOSED = 'VivariumError 503 unavailable: The database was closed.';

/** Has `window.open`, and `window.ended`: how a promise ends within half a minute, as `done`, or name, status and message of its error. */
async function visit(page: Page): Promise<void> {
  await page.goto(PLAIN);
  await page.evaluate(async (from) => {
    const { open } = (await import(from)) as { open(): Promise<Api> };
    const told = ({ name, status = '', message }: Error & { status?: number | string }): string => [name, status, message].join(' ');
    const late = (): Promise<string> => new Promise((resolve) => setTimeout(() => resolve('not settled'), 30_000));
    Object.assign(window, { open, ended: (what: Promise<unknown>) => Promise.race([what.then(() => 'done', told), late()]) });
  }, new URL('/vivarium.js', page.url()).href);
}

async function opened(page: Page, options: object = {}): Promise<void> {
  await visit(page);
  await page.evaluate(async (given) => void (window.db = await window.open(given)), options);
}

const filled = (page: Page, documents: number): Promise<unknown> =>
  page.evaluate(async (count) => {
    await window.db.query({ create_collection: { object: { name: 'spells' } } });
    const create = { create: { collection: 'spells' }, params: { object: { data: { object: { pad: 'x'.repeat(1000) } } } } };
    for (let left = count; left > 0; left -= 1000) await window.db.query(Array.from({ length: Math.min(left, 1000) }, () => create));
  }, documents);

const refused = (page: Page, options: unknown): Promise<string> => page.evaluate((given) => window.ended(window.open(given)), options);

test('options that are none are refused by name, and change nothing', async ({ page }) => {
  await opened(page, { durability: 'relaxed' });
  await page.evaluate(() => window.db.close());
  for (const durability of ['fast', null]) {
    expect(await refused(page, { durability })).toBe("TypeError  open(): durability must be 'strict' or 'relaxed'.");
  }
  expect(await refused(page, { secret: '' })).toContain('TypeError  open(): secret ');
  expect(await refused(page, { base: 'http://x.y/z' })).toContain('TypeError  open(): base ');
  await page.evaluate(async () => void (window.db = await window.open()));
  expect(await page.evaluate(async () => (await window.db.status()).durability)).toBe('relaxed');
});

test('open() without options gives the database that is open, and another with others is refused by their names', async ({ page }) => {
  await opened(page, { durability: 'relaxed', persist: false });
  expect(await page.evaluate(async () => (await window.open()) === window.db)).toBe(true);
  for (const same of [{ durability: 'relaxed' }, { name: 'vivarium', base: '/', rest: false, persist: false }]) {
    expect(await page.evaluate(async (given) => (await window.open(given)) === window.db, same)).toBe(true);
  }
  expect(await refused(page, { durability: 'strict', persist: true })).toBe(
    'VivariumError 503 already open: The open database has another durability; close it first.',
  );
});

test('a browser that asks its user whether to keep the data is not waited for', async ({ page }) => {
  await visit(page);
  const asked = await page.evaluate(async () => {
    let asked = 0;
    const persist = (): Promise<boolean> => {
      asked++;
      return new Promise(() => undefined);
    };
    Object.defineProperty(navigator, 'storage', { value: { persist } });
    return [await window.ended(window.open({ persist: true })), asked];
  });
  expect(asked).toEqual(['done', 1]);
});

test('a database that is closed says so at once, whatever is asked of it', async ({ page }) => {
  await opened(page);
  await page.evaluate(() => window.db.close());
  const asked = page.evaluate(() => {
    const { db, ended } = window;
    const calls = [db.query(1), db.graphql({ query: '{a}' }), db.status(), db.reset(), db.export(), db.exportBlob(), db.import(new Blob()), db.importSchema('type A { b: Int }'), db.subscribe(1, {})];
    return Promise.all(calls.map(ended));
  });
  expect(await asked).toEqual(Array.from({ length: 9 }, () => CLOSED));
});

test('what is under way when it is closed ends with it', async ({ page }) => {
  await opened(page);
  await filled(page, 5000);
  const outcome = await page.evaluate(async () => {
    const { db, ended } = window;
    const first = (await db.export()).getReader();
    await first.read();
    const importing = db.import(new ReadableStream(), { replace: true });
    const closing = db.close();
    const rest = closing.then(async () => {
      while (!(await first.read()).done);
    });
    return Promise.all([importing, closing, rest].map(ended));
  });
  expect(outcome).toEqual([CLOSED, 'done', CLOSED]);
});

test('one that was closed before leaves the one that is open alone', async ({ page }) => {
  await opened(page);
  const isSame = await page.evaluate(async () => {
    const { db, open } = window;
    await db.close();
    const next = await open();
    await db.close();
    return (await open()) === next;
  });
  expect(isSame).toBe(true);
});

test('a file is given up when its import is', async ({ page }) => {
  await opened(page);
  await filled(page, 10);
  const outcome = await page.evaluate(async () => {
    const { db, ended } = window;
    const head = await (await db.exportBlob()).slice(0, 500).arrayBuffer();
    /** One that nothing more comes of. */
    const stuck = (start: BlobPart): { stream: ReadableStream<Uint8Array>; given: Promise<void> } => {
      let stream = new ReadableStream<Uint8Array>();
      const given = new Promise<void>((cancel) => {
        stream = new ReadableStream({ start: async (controller) => controller.enqueue(new Uint8Array(await new Blob([start]).arrayBuffer())), cancel });
      });
      return { stream, given };
    };
    const [refused, cutOff] = [stuck('no export\n'), stuck(head)];
    const outcomes = [await ended(db.import(refused.stream, { replace: true })), await ended(refused.given)];
    const importing = ended(db.import(cutOff.stream, { replace: true }));
    await db.close();
    return [...outcomes, await importing, await ended(cutOff.given)];
  });
  expect(outcome).toEqual([expect.stringMatching(/ 400 not an export: /), 'done', CLOSED, 'done']);
});

for (const time of ['2020-01-01', '2040-01-01']) {
  test(`a page whose clock says ${time} is served as any other`, async ({ page }) => {
    await page.clock.install({ time: new Date(time) });
    await opened(page);
    const ask = () =>
      page.evaluate(async () => {
        const send = () => fetch('/', { method: 'POST', body: '{"add":[1,1]}', headers: { authorization: 'Bearer secret' } }).then((response) => response.text());
        return [await window.db.query({ add: [1, 1] }), await send()];
      });
    expect(await ask()).toEqual([2, '{"resource":2}']);
    await controlled(page);
    expect(await ask()).toEqual([2, '{"resource":2}']);
    await page.clock.setFixedTime(new Date('2001-01-01'));
    expect(await ask()).toEqual([2, '{"resource":2}']);
    expect(await page.evaluate(() => Date.now())).toBe(Date.parse('2001-01-01'));
  });
}

test('a page whose random values repeat themselves loses no write', async ({ page }) => {
  await page.addInitScript(() => void (crypto.getRandomValues = (array) => array));
  await opened(page);
  await filled(page, 1);
  const [counting, adding] = [{ count: { documents: { collection: 'spells' } } }, { create: { collection: 'spells' }, params: { object: {} } }];
  const add = () =>
    page.evaluate(async (query) => {
      const send = () => fetch('/', { method: 'POST', body: JSON.stringify(query), headers: { authorization: 'Bearer secret' } }).then(({ status }) => status);
      return Promise.all([send(), send(), window.db.query(query).then(() => 201)]);
    }, adding);
  expect(await add()).toEqual([201, 201, 201]);
  await controlled(page);
  expect(await add()).toEqual([201, 201, 201]);
  expect(await page.evaluate((query) => window.db.query(query), counting)).toBe(7);
  expect(await page.evaluate(() => crypto.getRandomValues(new Uint8Array(1))[0])).toBe(0);
});

for (const wind of ['fastForward', 'runFor'] as const) {
  test(`a page whose clock is wound on by ${wind} keeps its worker and its answers`, async ({ page }) => {
    await page.clock.install();
    const opening = opened(page);
    // Also before the worker has shown that it lives.
    await page.clock[wind](600_000);
    await opening;
    await page.evaluate(() => {
      const { db } = window;
      // Half a second's work.
      const slow = { reduce: { lambda: ['sum', 'n'], expr: { add: [{ var: 'sum' }, { var: 'n' }] } }, initial: 0, collection: Array.from({ length: 200_000 }, (_, n) => n) };
      const xhr = new XMLHttpRequest();
      xhr.open('POST', 'https://db.fauna.com/');
      xhr.setRequestHeader('authorization', 'Bearer secret');
      xhr.timeout = 60_000;
      xhr.send(JSON.stringify(slow));
      const ended = new Promise((resolve) => ['load', 'error', 'timeout'].map((type) => xhr.addEventListener(type, () => resolve(type))));
      Object.assign(window, { slow: Promise.all([db.query(slow), ended]) });
    });
    for (let minutes = 0; minutes < 30; minutes += 5) await page.clock[wind](300_000);
    expect(await page.evaluate(() => (window as unknown as { slow: Promise<unknown> }).slow)).toEqual([19_999_900_000, 'load']);
    expect(await page.evaluate(() => window.db.query({ add: [1, 1] }))).toBe(2);
    expect((await page.evaluate(() => window.db.status())).worker).toBe('running');
  });
}

test('a page whose clock rests hears of what follows a reset', async ({ page }) => {
  await page.clock.install();
  await opened(page);
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await filled(page, 3);
  await page.evaluate(async () => {
    const { db } = window;
    Object.assign(window, { counts: [] as unknown[] });
    await db.subscribe({ count: { documents: { collection: 'spells' } } }, { onResult: (count) => window.counts.push(count), onError: () => window.counts.push('none') });
  });
  const counts = (): Promise<unknown[]> => page.evaluate(() => window.counts);
  await expect.poll(counts).toEqual([3]);
  await page.evaluate(() => window.db.reset());
  await expect.poll(counts).toEqual([3, 'none']);
  await filled(page, 2);
  await expect.poll(async () => (await counts()).at(-1)).toBe(2);
});

test('a database comes back from whatever holds its file', async ({ page }) => {
  await opened(page);
  await filled(page, 10);
  const outcome = await page.evaluate(async () => {
    const { db, ended } = window;
    const blob = await db.exportBlob();
    const buffer = await blob.arrayBuffer();
    const shifted = new Uint8Array(buffer.byteLength + 8);
    shifted.set(new Uint8Array(buffer), 4);
    const files = [blob, blob.stream(), buffer, new DataView(shifted.buffer, 4, buffer.byteLength), await blob.text()];
    const outcomes = [];
    for (const file of files) {
      await db.reset();
      outcomes.push(await ended(db.import(file)), await (await db.exportBlob()).text() === await blob.text());
    }
    return outcomes;
  });
  expect(outcome).toEqual(Array.from({ length: 5 }, () => ['done', true]).flat());
});

test('what is no file is refused, and no more is said of it', async ({ page }) => {
  const errors: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  page.on('pageerror', ({ message }) => errors.push(message));
  await opened(page);
  const outcome = await page.evaluate(() => {
    const { db, ended } = window;
    const words = new ReadableStream({ start: (controller) => controller.enqueue('words') });
    return Promise.all([undefined, null, 7, {}, words].map((file) => ended(db.import(file))));
  });
  expect(outcome).toEqual(Array.from({ length: 5 }, () => expect.stringMatching(/^TypeError  import\(\) takes /) as unknown));
  expect(errors).toEqual([]);
});

test('an export is the state at its call, whenever it is read', async ({ page }) => {
  await opened(page);
  await filled(page, 300);
  const outcome = await page.evaluate(async () => {
    const { db, ended } = window;
    const [read, lost] = [await db.export(), await db.export()];
    await db.query({ create_collection: { object: { name: 'later' } } });
    const text = await new Response(read).text();
    await db.reset();
    return [text.split('xxx').length > 300, text.includes('later'), await ended(lost.pipeTo(new WritableStream()))];
  });
  expect(outcome).toEqual([true, false, 'VivariumError 409 database changed: The database was emptied or replaced while it was read.']);
});

test('an import that a reset overtakes says what happened', async ({ page }) => {
  await opened(page);
  await filled(page, 10);
  const outcome = await page.evaluate(async () => {
    const { db, ended } = window;
    const file = await (await db.exportBlob()).arrayBuffer();
    let finish = (): void => undefined;
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(file));
        finish = () => controller.close();
      },
    });
    let importing: Promise<void> = Promise.resolve();
    await new Promise<void>((onProgress) => (importing = db.import(stream, { replace: true, onProgress })));
    await db.reset();
    finish();
    return ended(importing);
  });
  expect(outcome).toBe('VivariumError 409 database changed: The database was reset, another import has begun, or too much was done to it meanwhile.');
});

const warned = (page: Page): Promise<ConsoleMessage> => page.waitForEvent('console', { predicate: (message) => message.type() === 'warning', timeout: 30_000 });

test('a service worker that cannot be registered is told on the console', async ({ page }) => {
  await visit(page);
  const warning = warned(page);
  await page.evaluate(async () => void (await window.open({ serviceWorker: '/nothing/sw.js' })));
  expect((await warning).text()).toContain('/nothing/sw.js could not be registered');
});

test('what few pages need is refused where it cannot be loaded, and all else goes on', async ({ page, context }) => {
  await opened(page, { serviceWorker: false });
  await cutNetwork(context);
  for (const call of ['status', 'exportBlob'] as const) {
    expect(await page.evaluate((name) => window.ended(window.db[name]()), call)).toBe('VivariumError 503 unavailable: A part could not be loaded.');
  }
  expect(await page.evaluate(() => window.db.query({ add: [1, 2] }))).toBe(3);
});

test('where the engine’s part for files cannot be loaded, it is told', async ({ page, context }) => {
  await opened(page, { serviceWorker: false });
  await page.evaluate(() => window.db.status());
  await cutNetwork(context);
  const missing = 'VivariumError 503 unavailable: A part of the database that this request needs could not be loaded.';
  expect(await page.evaluate(() => window.ended(window.db.exportBlob()))).toBe(missing);
  expect(await page.evaluate(() => window.ended(window.db.import('{}')))).toBe(missing);
});

test('its errors are those of every copy of the package that has opened it', async ({ page }) => {
  await visit(page);
  const isOf = await page.evaluate(async () => {
    const copies = await Promise.all(['/load.js?one', '/load.js?two', '/load.js?three'].map((copy) => import(copy) as Promise<{ open(): Promise<Api>; VivariumError: new () => Error }>));
    const [db] = await Promise.all(copies.map(({ open }) => open()));
    for (const { open } of copies) await open();
    const error: unknown = await db?.query({ get: 1 }).catch((thrown: unknown) => thrown);
    return copies.map(({ VivariumError }) => error instanceof VivariumError);
  });
  expect(isOf).toEqual([true, true, true]);
});

test('one of another script at the same scope is told, too', inChromium, async ({ page, context }) => {
  await context.route('**/own.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await visit(page);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/own.js');
    await navigator.serviceWorker.ready;
  });
  const warning = warned(page);
  await page.evaluate(async () => void (await window.open()));
  expect((await warning).text()).toMatch(/\/sw\.js and .*\/own\.js take each other's place/);
});
