// The README's examples, as they stand there, in a page of their own.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright/test';
import { build } from 'vite';
import { openControlled, PLAIN } from './support/page.ts';
import { expect, notInWebKit, test } from './support/test.ts';

/** An example as the module that a bundler makes of it. */
async function bundled(code: string): Promise<string> {
  const isEntry = (id: string): boolean => /\bexample$/.test(id);
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [{ name: 'example', enforce: 'pre', resolveId: (id) => (isEntry(id) ? id : null), load: (id) => (isEntry(id) ? code : null) }],
    resolve: { alias: { util: fileURLToPath(new URL('support/clients/node-util.ts', import.meta.url)) } },
    build: {
      write: false,
      // Drivers read the names of a lambda's parameters from the source of the function.
      minify: false,
      target: 'es2022',
      lib: { entry: 'example', formats: ['es'] },
      rolldownOptions: { external: 'vivarium', output: { paths: { vivarium: '/vivarium.js' } } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !('output' in output)) throw new Error('the example was not bundled');
  return output.output[0].code;
}

test('the page API example runs as it is written', async ({ page }) => {
  const [, example] = /```html\n(.*?)```/s.exec(readFileSync('README.md', 'utf8')) ?? [];
  if (example === undefined) throw new Error('the README has no page example');
  await page.route('**/example.html', (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html>${example}` }));
  const said = page.waitForEvent('console', { predicate: (message) => message.text().includes('It is here.') || message.args().length === 2 });
  await page.goto('/example.html');
  const [ref, data] = await Promise.all((await said).args().map((argument) => argument.jsonValue()));
  expect(data).toEqual({ text: 'It is here.' });
  expect(ref).toMatchObject({ '@ref': { collection: { '@ref': { id: 'notes' } } } });
});

/** An application that has something to write when it begins. */
const APPLICATION = `<!doctype html><title>opening…</title>
<script type="module">
  import { open } from './vivarium.js';
  const db = await open();
  await db.importSchema('type Todo { title: String! }');
  const titles = async () => (await db.query({ map: { lambda: 'ref', expr: { select: ['data', 'title'], from: { get: { var: 'ref' } } } }, collection: { paginate: { documents: { collection: 'Todo' } } } })).data;
  if ((await titles()).length === 0) await db.graphql({ query: 'mutation { createTodo(data: { title: "Welcome" }) { _id } }' });
  document.title = (await titles()).join();
</script>`;

test.describe('beside an application', () => {
  test.use({ files: { 'index.html': APPLICATION } });

  test('what a test does before each is there when the application begins, as it is written', async ({ page }) => {
    const [example] = /^test\.beforeEach\(.*?^\}\);$/ms.exec(readFileSync('README.md', 'utf8')) ?? [];
    if (example === undefined) throw new Error('the README has no example of a test');
    // As it would write without it.
    await page.goto('/');
    await expect(page).toHaveTitle('Welcome');
    await page.evaluate(`import('/vivarium.js').then(({ open }) => open()).then((db) => db.reset())`);
    let before = (_: { page: Page }): Promise<void> => Promise.reject(new Error('it does nothing'));
    const beforeEach = (given: typeof before): unknown => (before = given);
    new Function('test', example)({ beforeEach });
    await before({ page });
    await expect(page).toHaveTitle('Water the moss');
  });
});

test('what a test keeps as a file comes back, as it is written', async ({ page }) => {
  const [, take, give] = /`db\.(import\(text[^`]*)` of what `\(await db\.(exportBlob\(\)\)\.text\(\))`/.exec(readFileSync('README.md', 'utf8')) ?? [];
  if (take === undefined || give === undefined) throw new Error('the README has no words on files in tests');
  await openControlled(page);
  await page.evaluate(`vivarium.importSchema('type Todo { title: String! }')`);
  const text: string = await page.evaluate(`(async () => (await vivarium.${give})()`);
  await page.evaluate('vivarium.reset()');
  const collections = `vivarium.query({ count: { collections: null } })`;
  expect(await page.evaluate(collections)).toBe(0);
  await page.evaluate(`(async (text) => { await vivarium.${take} })(${JSON.stringify(text)})`);
  expect(await page.evaluate(collections)).toBe(1);
});

test('what a page does that has left sends all of it away, as it is written', async ({ page }) => {
  const [, example] = /```js\n(const registrations = .*?)```/s.exec(readFileSync('README.md', 'utf8')) ?? [];
  if (example === undefined) throw new Error('the README has no example of leaving');
  await openControlled(page);
  await page.goto(PLAIN);
  // What is not ours stays.
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/raw-copy.js', { scope: '/other/', type: 'module' });
    for (const name of ['another', 'vivarium-issuers']) await caches.open(name);
  });
  const left = (): Promise<readonly unknown[]> =>
    page.evaluate(async () => [
      navigator.serviceWorker.controller,
      ...(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
      ...(await caches.keys()),
      ...(await indexedDB.databases()).map(({ name }) => name),
    ]);
  // As in a page that has it for a while: the first visits are still answered by what they send away.
  const visit = async (): Promise<readonly unknown[]> => {
    await page.evaluate(`(async () => {${example}})()`);
    await page.reload();
    return left();
  };
  await expect.poll(visit).toEqual([null, new URL('/other/', page.url()).href, 'another']);
});

test('what an application with a bundler does runs as it is written', notInWebKit, async ({ page }) => {
  const readme = readFileSync('README.md', 'utf8');
  const code = (beginning: string): string => {
    const found = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, text = '']) => text).find((text) => text.startsWith(beginning));
    if (found === undefined) throw new Error(`the README has no example that begins with ${beginning}`);
    return found;
  };
  const db = `import { open } from 'vivarium'; const db = await open();`;
  const [live = '', iterated = ''] = code('const spells').split(/spells\.unsubscribe.*/);
  const examples = [
    `${db} await db.query({ create_collection: { object: { name: 'notes' } } });`,
    code('import faunadb'),
    `${db} ${live} globalThis.end = () => spells.unsubscribe();`,
    `end(); ${db} ${iterated.replace(/(console\.log.*;)/, '{ $1 break; }')}`,
    code('import { GraphQLClient }'),
    `${db} ${code('await db.query')}`,
    code(`import { open } from 'vivarium';\n\nconst db = await open();\nconst file`),
  ];
  const said: string[] = [];
  page.on('console', (message) => message.type() === 'log' && said.push(message.text()));
  let module = '';
  await page.route('**/app.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.route('**/example-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: module }));
  await page.goto('/app.html');
  for (const [at, example] of examples.entries()) {
    module = await bundled(example);
    await page.evaluate((address) => import(address), `/example-${at}.js`);
    // All but the first say something: a page of the driver's, the live query's and the iteration's; the todos; the audience; how far the file is.
    await expect.poll(() => said).toHaveLength(at);
  }
  expect(said[4]).toContain('https://db.fauna.com/db/');
});
