// The README's first example, as it stands there, in a page of its own.
import { readFileSync } from 'node:fs';
import { expect, test } from './support/test.ts';

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

test('what a test does before each begins anew, as it is written', async ({ page }) => {
  const [, example] = /page\.evaluate\(async \(\) => \{\n(.*?)\n {2}\}\);/s.exec(readFileSync('README.md', 'utf8')) ?? [];
  if (example === undefined) throw new Error('the README has no example of a test');
  await page.route('**/app.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto('/app.html');
  for (let round = 0; round < 2; round++) {
    await page.evaluate(`(async () => {${example}})()`);
    const count = `fetch('/', { method: 'POST', headers: { authorization: 'Bearer secret' }, body: '{"count":{"documents":{"class":"Todo"}}}' }).then((response) => response.text())`;
    expect(await page.evaluate(count)).toBe('{"resource":1}');
  }
});
