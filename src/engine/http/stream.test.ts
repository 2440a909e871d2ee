// Streams of documents and sets, through the whole engine: what is asked and what is told.
import { describe, expect, it } from 'vitest';
import { succeeded } from '../../testing/client.ts';
import { BY_LEVEL, create, insert, ref, remove, shownCollection, shownRef, update, spells } from '../../testing/spells.ts';
import type { Message, TestStream } from '../../testing/stream.ts';

const ALL = '/stream?fields=action,document,diff,prev,index';

describe('a request for a stream', () => {
  it('is answered with the time from which on everything is told', async () => {
    const { run, open } = await spells();
    const before = await run(create(1, '"level":1'));
    const stream = await open(ref(1));
    expect(stream.status).toBe(200);
    expect(stream.headers['content-type']).toBe('application/json');
    expect(stream.headers['x-fauna-stream-id']).toMatch(/^\d+$/);
    expect(stream.headers).not.toHaveProperty(['content-length']);
    const line = await stream.line();
    const txn = Number(stream.headers['x-txn-time']);
    expect(txn).toBeGreaterThanOrEqual(before);
    expect(line).toBe(`{"type":"start","txn":${txn},"event":${txn}}`);
    await stream.close();
  });

  it.each(['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH'])('takes no %s', async (method) => {
    const { client } = await spells();
    expect((await client.send(method, '/stream')).status).toBe(405);
  });

  const EXPECTED = 'Expected a Document Ref or Version, or a Set Ref, got';
  it.each([
    ['{"create":{"collection":"spells"}}', 'invalid expression', 'Call performs a write, which is not allowed in stream requests.'],
    ['"text"', 'invalid argument', `${EXPECTED} String.`],
    ['{"object":{}}', 'invalid argument', `${EXPECTED} Object.`],
    ['{"collection":"spells"}', 'invalid argument', `${EXPECTED} Collection Ref.`],
    ['{"index":"by_level"}', 'invalid argument', `${EXPECTED} Index Ref.`],
    ['{"singleton":{"ref":{"collection":"spells"},"id":"1"}}', 'invalid argument', `${EXPECTED} Set.`],
    [`{"union":[${BY_LEVEL},${BY_LEVEL}]}`, 'invalid argument', `${EXPECTED} Set.`],
    ['{"documents":{"collections":null}}', 'invalid argument', `${EXPECTED} Set.`],
    ['{"ref":{"collection":"nowhere"},"id":"1"}', 'invalid ref', "Ref refers to undefined collection 'nowhere'"],
  ])('for %s is refused', async (json, code, description) => {
    const { open } = await spells();
    const { status, text } = await open(json);
    expect({ status, body: JSON.parse(text) as unknown }).toEqual({
      status: 400,
      body: { errors: [expect.objectContaining({ position: [], code, description })] },
    });
  });

  it('names fields that there are, to whoever has a secret', async () => {
    const { open } = await spells();
    for (const [fields, wrong] of [['action,%20x,%20y', ['x', 'y']], ['', ['']], ['x,', ['x']], ['action,,prev', ['']], ['action,%20', ['']]] as const) {
      const { status, text } = await open('nonsense', { path: `/stream?fields=${fields}` });
      const errors = wrong.map((name) => ({ position: [], code: 'invalid url parameter', description: `Invalid url parameter fields. Invalid field name '${name}'.` }));
      expect({ status, text }).toEqual({ status: 400, text: JSON.stringify({ errors }) });
      expect((await open(ref(1), { path: `/stream?fields=${fields}`, secret: 'wrong' })).status).toBe(401);
    }
  });

  it('needs a secret', async () => {
    const { open } = await spells();
    expect((await open(ref(1), { secret: 'wrong' })).status).toBe(401);
  });

  it('that fails leaves nothing behind', async () => {
    const { client, open } = await spells();
    await open('"text"');
    expect((await client.engine.status()).streams).toBe(0);
  });
});

describe('a stream of a document', () => {
  it('tells creation, change and deletion, with what was before', async () => {
    const { run, open } = await spells();
    const stream = await open(ref(1), { path: ALL });
    await stream.next();
    const created = await run(create(1, '"level":1,"tags":["a"],"deep":{"object":{"x":1,"y":2}}'));
    const updated = await run(update(1, '"level":2,"tags":["b"],"deep":{"object":{"x":null}}'));
    const deleted = await run(`{"delete":${ref(1)}}`);
    const first = { ref: shownRef(1), ts: created, data: { level: 1, tags: ['a'], deep: { x: 1, y: 2 } } };
    const second = { ref: shownRef(1), ts: updated, data: { level: 2, tags: ['b'], deep: { y: 2 } } };
    const bare = (ts: number): unknown => ({ ref: shownRef(1), ts });
    expect(await stream.take(3)).toEqual([
      { type: 'version', txn: created, event: { action: 'create', document: first, diff: first, prev: bare(created) } },
      {
        type: 'version',
        txn: updated,
        event: {
          action: 'update',
          document: second,
          diff: { ref: shownRef(1), ts: updated, data: { level: 2, tags: ['b'], deep: { x: null } } },
          prev: first,
        },
      },
      { type: 'version', txn: deleted, event: { action: 'delete', document: second, diff: bare(deleted), prev: second } },
    ]);
    await stream.close();
  });

  it('shows action and document when nothing is asked, and only what is asked; a comma at the end, as from the Go driver, asks for no more', async () => {
    const { run, open } = await spells();
    const streams = await Promise.all(['', '?fields=prev%2C+action', '?fields=prev,action,', '?fields=,'].map((search) => open(ref(1), { path: `/stream${search}` })));
    const [plain, chosen, listed, none] = streams as [TestStream, TestStream, TestStream, TestStream];
    await Promise.all(streams.map((stream) => stream.next()));
    const ts = await run(create(1, '"level":1'));
    const document = `{"ref":{"@ref":{"id":"1","collection":{"@ref":{"id":"spells","collection":{"@ref":{"id":"collections"}}}}}},"ts":${ts}`;
    expect(await plain.line()).toBe(`{"type":"version","txn":${ts},"event":{"action":"create","document":${document},"data":{"level":1}}}}`);
    for (const stream of [chosen, listed]) expect(await stream.line()).toBe(`{"type":"version","txn":${ts},"event":{"action":"create","prev":${document}}}}`);
    expect(await none.line()).toBe(`{"type":"version","txn":${ts},"event":{}}`);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it('in 2.0 is in its forms', async () => {
    const { run, open } = await spells();
    const stream = await open(ref(1).replace('collection', 'class'), { version: '' });
    await stream.next();
    const ts = await run(create(1, '"level":1'));
    expect(await stream.line()).toBe(
      `{"type":"version","txn":${ts},"event":{"action":"create","document":{"ref":{"@ref":"classes/spells/1"},"class":{"@ref":"classes/spells"},"ts":${ts},"data":{"level":1}}}}`,
    );
    await stream.close();
  });

  it('may be asked for by a version of it', async () => {
    const { run, open } = await spells();
    await run(create(1, '"level":1'));
    const stream = await open(`{"get":${ref(1)}}`);
    await stream.next();
    await run(update(1, '"level":2'));
    expect((await stream.next()).event).toMatchObject({ action: 'update', document: { data: { level: 2 } } });
    await stream.close();
  });

  it('tells of one transaction its last state, once, and nothing of other documents', async () => {
    const { run, open } = await spells();
    await run(create(1, '"level":1'));
    const stream = await open(ref(1));
    await stream.next();
    await run(create(2, '"level":1'));
    const ts = await run(`{"do":[${update(1, '"level":2')},${create(3, '')},${update(1, '"level":3')}]}`);
    const last = await run(update(1, '"level":4'));
    expect((await stream.take(2)).map(({ txn }) => txn)).toEqual([ts, last]);
    await stream.close();
  });

  it('tells what is put into the past and taken out of it, with what follows from it', async () => {
    const { run, open } = await spells();
    const created = await run(create(1, '"level":1'));
    const past = created - 10_000;
    const stream = await open(ref(1));
    await stream.next();
    const inserted = await run(insert(1, past, 'create', '"level":0'));
    const removed = await run(remove(1, past, 'create'));
    const current = { ref: shownRef(1), ts: created, data: { level: 1 } };
    expect(await stream.take(4)).toEqual([
      { type: 'history_rewrite', txn: inserted, event: { action: 'update', document: current } },
      { type: 'history_rewrite', txn: inserted, event: { action: 'create', document: { ref: shownRef(1), ts: past, data: { level: 0 } } } },
      { type: 'history_rewrite', txn: removed, event: { action: 'create', document: { ref: shownRef(1), ts: past } } },
      { type: 'history_rewrite', txn: removed, event: { action: 'create', document: current } },
    ]);
    await stream.close();
  });

  it('tells each version that is rewritten, and the one that follows, unless that is told itself', async () => {
    const { run, open } = await spells();
    const created = await run(create(1, '"level":1'));
    await run(update(1, '"level":2'));
    const stream = await open(ref(1), { path: '/stream?fields=action,document' });
    await stream.next();
    const tell = async (query: string, count: number): Promise<string[]> => {
      const ts = await run(query);
      return (await stream.take(count)).map(({ type, event }) => {
        const { action, document } = event as { action: string; document: { ts: number; data?: { level: number } } };
        return `${type} ${action} ${document.ts === ts ? 'now' : document.ts - created} ${document.data?.level ?? 'nothing'}`;
      });
    };
    const at = (time: number, action: string, level = 0): string => insert(1, created + time, action, `"level":${level}`);
    expect(await tell(`{"do":[${at(-3000, 'create', 3)},${at(-2000, 'create', 4)}]}`, 3)).toEqual([
      'history_rewrite update 0 1',
      'history_rewrite update -2000 4',
      'history_rewrite create -3000 3',
    ]);
    expect(await tell(at(-1000, 'delete'), 2)).toEqual(['history_rewrite create 0 1', 'history_rewrite delete -2000 4']);
    expect(await tell(remove(1, created - 1000, 'delete'), 2)).toEqual(['history_rewrite delete -1000 nothing', 'history_rewrite update 0 1']);
    expect(await tell(`{"do":[${at(-4000, 'create', 5)},${update(1, '"level":6')}]}`, 3)).toEqual([
      'version update now 6',
      'history_rewrite update -3000 3',
      'history_rewrite create -4000 5',
    ]);
    const last = (await run(update(1, '"level":7'))) - created;
    await stream.next();
    expect(await tell(remove(1, created + last, 'create'), 1)).toEqual([`history_rewrite create ${last} nothing`]);
    await stream.close();
  });

  it('tells what a version in the past takes the place of, and what follows it only where that has another past now', async () => {
    const { run, open } = await spells();
    const created = await run(create(1, '"level":1'));
    const stream = await open(ref(1), { path: '/stream?fields=action,document,prev' });
    await stream.next();
    const tell = async (query: string, count: number): Promise<string[]> => {
      await run(query);
      return (await stream.take(count)).map(({ type, event }) => {
        const { action, document, prev } = event as { action: string; document: { ts: number; data?: { level: number } }; prev?: { data?: { level: number } } };
        return `${type} ${action} ${document.ts - created} ${document.data?.level ?? 'nothing'} after ${prev?.data?.level ?? 'nothing'}`;
      });
    };
    const at = (time: number, action: string, level = 0): string => insert(1, created + time, action, `"level":${level}`);
    // Before it there was nothing anyway.
    expect(await tell(at(-1000, 'delete'), 1)).toEqual(['history_rewrite delete -1000 nothing after nothing']);
    expect(await tell(at(-1000, 'create', 2), 3)).toEqual([
      'history_rewrite delete -1000 nothing after nothing',
      'history_rewrite update 0 1 after 2',
      'history_rewrite create -1000 2 after nothing',
    ]);
    expect(await tell(at(-1000, 'create', 2), 2)).toEqual(['history_rewrite create -1000 nothing after nothing', 'history_rewrite create -1000 2 after nothing']);
    expect(await tell(at(-500, 'create', 2), 1)).toEqual(['history_rewrite update -500 2 after 2']);
    expect(await tell(remove(1, created - 500, 'create'), 1)).toEqual(['history_rewrite create -500 nothing after nothing']);
    expect(await tell(remove(1, created - 1000, 'create'), 2)).toEqual(['history_rewrite create -1000 nothing after nothing', 'history_rewrite create 0 1 after nothing']);
    expect(await tell(update(1, '"level":3'), 1)).toEqual([expect.stringMatching(/^version update \d+ 3 after 1$/)]);
    await stream.close();
  });

  it('tells the version that follows several which are rewritten at once, once', async () => {
    const { run, open } = await spells();
    const created = await run(create(1, '"level":1'));
    for (const [time, level] of [[-3000, 2], [-2000, 3], [-1000, 4]] as const) await run(insert(1, created + time, 'create', `"level":${level}`));
    const stream = await open(ref(1));
    await stream.next();
    const tell = async (writes: readonly string[], count: number): Promise<string[]> => {
      await run(`{"do":[${writes.join()}]}`);
      await run(update(1, '"level":9'));
      return (await stream.take(count + 1)).map(({ type, event }) => {
        const { action, document } = event as { action: string; document: { ts: number } };
        return type === 'version' ? type : `${action} ${document.ts - created}`;
      });
    };
    const [first, second, third] = [-3000, -2000, -1000].map((time) => remove(1, created + time, 'create')) as [string, string, string];
    expect(await tell([second, third], 3)).toEqual(['create -1000', 'update 0', 'create -2000', 'version']);
    expect(await tell([first, insert(1, created - 4000, 'create', '"level":5')], 3)).toEqual(['create -3000', 'update 0', 'create -4000', 'version']);
    await stream.close();
  });

  it('goes on through the renaming of the collection, and calls it by its new name', async () => {
    const { run, open } = await spells();
    await run(create(1, '"level":1'));
    const stream = await open(ref(1));
    await stream.next();
    await run(update(1, '"level":2'));
    await run('{"update":{"collection":"spells"},"params":{"object":{"name":"charms"}}}');
    await run(update(1, '"level":3').replace('spells', 'charms'));
    const lines = [await stream.line(), await stream.line()];
    expect(lines.map((line) => /"id":"(spells|charms)"/.exec(line ?? '')?.[1])).toEqual(['spells', 'charms']);
    await stream.close();
  });

  it('is the same for all who listen, each for itself', async () => {
    const { run, open } = await spells();
    const streams = [await open(ref(1)), await open(ref(1)), await open(ref(1))];
    await run(create(1, '"level":1'));
    await streams[1]?.close();
    const ts = await run(update(1, '"level":2'));
    for (const stream of [streams[0], streams[2]]) {
      const messages = await stream?.take(3) ?? [];
      expect(messages.map(({ type }) => type)).toEqual(['start', 'version', 'version']);
      expect(messages[2]?.txn).toBe(ts);
      await stream?.close();
    }
  });

  it('tells a document of another database below', async () => {
    const { client, run, open } = await spells();
    await run('{"create_database":{"object":{"name":"child"}}}');
    const inChild = async (json: string): Promise<unknown> => succeeded(await client.queryAs('secret:child:admin', json));
    await inChild('{"create_collection":{"object":{"name":"spells"}}}');
    const own = await open(ref(1), { secret: 'secret:child:admin' });
    const above = await open('{"documents":{"collection":"spells","scope":{"database":"child"}}}');
    await Promise.all([own.next(), above.next()]);
    await run(create(1, '"of":"parent"'));
    await inChild(create(1, '"of":"child"'));
    expect((await own.next()).event).toMatchObject({ document: { ref: shownRef(1), data: { of: 'child' } } });
    expect((await above.next()).event).toMatchObject({
      action: 'add',
      document: { ref: { '@ref': { collection: { '@ref': { database: { '@ref': { id: 'child' } } } } } } },
    });
    await Promise.all([own.close(), above.close()]);
  });
});

describe('a stream of a set', () => {
  const named = (message: Message): unknown[] => {
    const { action, index } = message.event as { action: string; index: { values: unknown[] } };
    return [action, ...index.values];
  };

  it('tells what enters and what leaves, removal before addition in one transaction', async () => {
    const { run, open } = await spells();
    await run(create(1, '"level":1,"name":"one"'));
    const stream = await open(BY_LEVEL, { path: '/stream?fields=action,document,index' });
    await stream.next();
    const added = await run(create(2, '"level":1,"name":"two"'));
    await run(create(3, '"level":2,"name":"not in it"'));
    const renamed = await run(update(1, '"name":"uno"'));
    await run(update(1, '"other":"field"'));
    const left = await run(update(2, '"level":2'));
    const [first, ...others] = await stream.take(4);
    expect(first).toEqual({
      type: 'set',
      txn: added,
      event: {
        action: 'add',
        document: { ref: shownRef(2), ts: added },
        index: { ref: { '@ref': { id: 'by_level', collection: { '@ref': { id: 'indexes' } } } }, terms: [1], values: ['two'] },
      },
    });
    expect(others.map((message) => [message.txn, ...named(message)])).toEqual([
      [renamed, 'remove', 'one'],
      [renamed, 'add', 'uno'],
      [left, 'remove', 'two'],
    ]);
    await stream.close();
  });

  it('tells rewritten history where it changes what is in the set', async () => {
    const { run, open } = await spells();
    const created = await run(create(1, '"level":1,"name":"first"'));
    const changed = await run(update(1, '"level":2'));
    const stream = await open(BY_LEVEL, { path: '/stream?fields=action,document,index' });
    await stream.next();
    await run(insert(1, created - 1000, 'create', '"level":1,"name":"older"'));
    const back = await run(remove(1, changed, 'create'));
    const gone = await run(insert(1, changed, 'create', '"level":3'));
    expect((await stream.take(2)).map((message) => [message.txn, ...named(message)])).toEqual([
      [back, 'add', 'first'],
      [gone, 'remove', 'first'],
    ]);
    await stream.close();
  });

  it('of all documents tells their coming and going', async () => {
    const { run, open } = await spells();
    const stream = await open('{"documents":{"collection":"spells"}}', { path: '/stream?fields=action,document,index' });
    await stream.next();
    const created = await run(create(1, '"level":1'));
    await run(update(1, '"level":2'));
    const deleted = await run(`{"delete":${ref(1)}}`);
    const index = { ref: { '@ref': { id: 'documents_by_collection', collection: { '@ref': { id: 'indexes' } } } }, terms: [shownCollection], values: [] };
    expect(await stream.take(2)).toEqual([
      { type: 'set', txn: created, event: { action: 'add', document: { ref: shownRef(1), ts: created }, index } },
      { type: 'set', txn: deleted, event: { action: 'remove', document: { ref: shownRef(1), ts: deleted }, index } },
    ]);
    await stream.close();
  });

  it('of all documents tells those of one transaction by their ids, and rewritten history where one comes or goes', async () => {
    const { run, open } = await spells();
    const now = await run(create(1, '"level":1'));
    const stream = await open('{"documents":{"collection":"spells"}}');
    await stream.next();
    await run(insert(1, now - 5000, 'create', '"level":0'));
    await run(`{"do":[${create(4, '"level":1')},${create(3, '"level":1')}]}`);
    expect((await stream.take(2)).map(({ event }) => (event as { document: { ref: unknown } }).document.ref)).toEqual([shownRef(3), shownRef(4)]);
    const rewrites = [insert(2, now - 4000, 'create', '"level":1'), insert(2, now - 3000, 'delete', ''), remove(2, now - 3000, 'delete')];
    const told: unknown[] = [];
    for (const query of rewrites) told.push([await run(query), 'set']);
    const messages = await stream.take(3);
    expect(messages.map(({ txn, type }) => [txn, type])).toEqual(told);
    expect(messages.map(({ event }) => (event as { action: string }).action)).toEqual(['add', 'remove', 'add']);
    await stream.close();
  });

  it('of documents that GraphQL makes is none the less told', async () => {
    const { client, open } = await spells();
    const imported = await client.send('POST', '/import', 'type Todo { title: String! } type Query { allTodos: [Todo!] }');
    expect(imported.status, imported.text).toBe(200);
    const [todos, all] = [await open('{"documents":{"collection":"Todo"}}'), await open('{"match":{"index":"allTodos"}}')];
    await Promise.all([todos.next(), all.next()]);
    await client.send('POST', '/graphql', '{"query":"mutation { createTodo(data: { title: \\"Water the moss\\" }) { _id } }"}');
    expect([await todos.next(), await all.next()].map(({ type, event }) => [type, (event as { action: string }).action])).toEqual([
      ['set', 'add'],
      ['set', 'add'],
    ]);
    await Promise.all([todos.close(), all.close()]);
  });

  it.each(['', `{"delete":${ref(1)}},`])('stays silent when its collection is deleted, and documents with it (%s)', async (before) => {
    const { run, open } = await spells();
    await run(create(1, '"level":1'));
    await run('{"create_collection":{"object":{"name":"others"}}}');
    const streams = [await open(BY_LEVEL), await open(ref(1)), await open('{"documents":{"collection":"spells"}}')];
    const others = await open('{"documents":{"collection":"others"}}');
    await Promise.all([...streams, others].map((stream) => stream.next()));
    await run(`{"do":[${before}{"delete":{"collection":"spells"}}]}`);
    await run('{"create":{"collection":"others"}}');
    await others.next();
    const lines = streams.map((stream) => stream.line());
    await Promise.all([...streams, others].map((stream) => stream.close()));
    expect(await Promise.all(lines)).toEqual([null, null, null]);
  });
});
