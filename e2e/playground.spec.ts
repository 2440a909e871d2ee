// The page as a person uses it: editors, results and errors, lists, schema, theme, keyboard.
import { codeExamples } from '../src/playground/examples/code.ts';
import type { ExampleGroup } from '../src/playground/examples/example.ts';
import { fqlExamples } from '../src/playground/examples/fql.ts';
import { graphqlExamples } from '../src/playground/examples/graphql.ts';
import { openOffline, ready } from './support/page.ts';
import { answered, errors, proposal, result, runQuery, status, write, writeSecret } from './support/playground.ts';
import { expect, inChromium, notInWebKit, test } from './support/test.ts';

test.beforeEach(async ({ page }) => {
  await openOffline(page);
});

test('each example has an answer, and only the one that shows an error is an error', async ({ page }) => {
  await page.getByTestId('load-sample').click();
  await expect(page.getByTestId('sample-status')).toContainText('Loaded', { timeout: 40_000 });
  const wrong: string[] = [];
  const tryAll = async (kind: 'fql' | 'code' | 'gql', groups: readonly ExampleGroup[]): Promise<void> => {
    await page.getByTestId(`tab-${kind}`).click();
    for (const { name } of groups.flatMap(({ examples }) => examples)) {
      await page.locator(`#${kind}-examples`).selectOption({ label: name });
      await page.getByTestId(`${kind}-run`).click();
      await answered(page);
      const isError = await errors(page).isVisible();
      if (isError !== (name === 'An error, with its position')) wrong.push(`${name}: ${await page.getByTestId('result').innerText()}`);
    }
  };
  await tryAll('fql', fqlExamples);
  await tryAll('code', codeExamples);
  await tryAll('gql', graphqlExamples);
  expect(wrong).toEqual([]);
});

test('a query shows its result, an error its code, words and position', async ({ page }) => {
  await runQuery(page, '{"add":[1,2.5]}');
  await expect(result(page)).toContainText('"resource": 3.5');
  await expect(status(page)).toContainText('200');
  await expect(status(page)).toContainText('POST /');
  await expect(errors(page)).toBeHidden();

  await runQuery(page, '["fine", {"get":{"@ref":"classes/nothing/1"}}]');
  await expect(errors(page)).toBeVisible();
  await expect(errors(page).locator('.code')).toHaveText('invalid ref');
  await expect(errors(page).locator('.at')).toContainText('1');
  await expect(status(page)).toContainText('1 error');

  await runQuery(page, '{"add":');
  await expect(errors(page)).toBeVisible();
  await expect(status(page)).toContainText('400');

  await runQuery(page, '{"subtract":[3,1]}');
  await expect(errors(page)).toBeHidden();
  await expect(result(page)).toContainText('"resource": 2');
});

test('a query is written as with the driver, too, and shown as the JSON that is sent', async ({ page }) => {
  await page.getByTestId('tab-code').click();
  await write(page, 'code-editor', 'Do(CreateCollection({ name: "ferns" }), Map([1, 2], n => Create(Collection("ferns"), { data: { n } })))');
  await page.keyboard.press('ControlOrMeta+Enter');
  await answered(page);
  await expect(status(page)).toContainText('200');
  await expect(page.locator('#collections .count')).toHaveText('2');

  // Names that are in the database are proposed, and functions.
  await write(page, 'code-editor', '');
  await page.keyboard.type('Coun');
  await proposal(page, 'Count').click();
  await page.keyboard.type('(Documents(Collection("f');
  await proposal(page, 'ferns').click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await answered(page);
  await expect(result(page)).toContainText('"resource": 2');

  await page.getByTestId('code-json').click();
  await expect(page.getByTestId('fql-editor')).toHaveText('{ "count": { "documents": { "collection": "ferns" } } }');
  await page.getByTestId('fql-run').click();
  await answered(page);
  await expect(result(page)).toContainText('"resource": 2');

  await page.getByTestId('tab-code').click();
  await write(page, 'code-editor', '[\n  1,\n  get(Ref(Collection("ferns"), "1"))\n]');
  await page.getByTestId('code-run').click();
  await expect(errors(page)).toContainText('Line 3: There is no function get; FQL has Get');
  await expect(page.locator('#code-editor .cm-lintRange-error')).toHaveText('get');
});

test('collections, indexes and functions are listed as they come, counted, and opened by a click', async ({ page }) => {
  await expect(page.getByTestId('collections')).toHaveText('None yet');
  await runQuery(page, '[{"create_class":{"object":{"name":"spells"}}},{"create_class":{"object":{"name":"wizards"}}}]');
  await runQuery(page, '{"create":{"class":"spells"},"params":{"object":{"data":{"object":{"name":"Fire Beak"}}}}}');
  await runQuery(
    page,
    '{"create_index":{"object":{"name":"spells_by_name","source":{"class":"spells"},"terms":[{"object":{"field":["data","name"]}}]}}}',
  );
  await expect(page.locator('#collections .name')).toHaveText(['spells', 'wizards']);
  await expect(page.locator('#collections .count')).toHaveText(['1', '0']);
  await expect(page.locator('#indexes button')).toContainText(['spells_by_namespells by name']);
  await page.locator('#collections [data-name="spells"]').click();
  await expect(result(page)).toContainText('Fire Beak');
  await page.locator('#indexes [data-name="spells_by_name"]').click();
  await expect(result(page)).toContainText('"name": "spells_by_name"');
  await runQuery(page, '{"create_function":{"object":{"name":"cast","role":"server","body":{"query":{"lambda":["spell","target"],"expr":{"var":"spell"}}}}}}');
  await expect(page.locator('#functions button')).toContainText(['cast(spell, target) · as server']);
  await page.locator('#functions [data-name="cast"]').click();
  await expect(result(page)).toContainText('"name": "cast"');
  await page.getByTestId('tab-code').click();
  await write(page, 'code-editor', '');
  await page.keyboard.type('Call(Function("c');
  await proposal(page, 'cast').click();
  await expect(page.getByTestId('code-editor')).toHaveText('Call(Function("cast"))');
});

test('a secret that may read the collections alone sees them, and one that may read none is told so', async ({ page }) => {
  await runQuery(page, '{"create_class":{"object":{"name":"spells"}}}');
  await runQuery(page, '{"create_role":{"object":{"name":"reader","privileges":[{"object":{"resource":{"collections":null},"actions":{"object":{"read":true}}}}]}}}');
  const { resource: secrets } = await runQuery(page, '[{"select":"secret","from":{"create_key":{"object":{"role":"client"}}}},{"select":"secret","from":{"create_key":{"object":{"role":{"role":"reader"}}}}}]')
    .then(() => result(page).innerText()).then((text) => JSON.parse(text) as { resource: [client: string, reader: string] });
  await writeSecret(page, secrets[0]);
  for (const list of ['collections', 'indexes', 'functions']) await expect(page.getByTestId(list)).toHaveText('Not readable with this secret');
  await writeSecret(page, secrets[1]);
  await expect(page.locator('#collections .name')).toHaveText(['spells']);
  for (const list of ['indexes', 'functions']) await expect(page.getByTestId(list)).toHaveText('None yet');
});

test('a schema is imported, refused with its reason, and queried', async ({ page }) => {
  await page.getByTestId('tab-schema').click();
  await page.getByTestId('schema-run').click();
  await answered(page);
  await expect(errors(page)).toBeHidden();
  await expect(page.locator('#collections .name')).toHaveText(['Todo']);

  await write(page, 'schema-editor', 'type Todo { place: Nowhere }');
  await page.keyboard.press('ControlOrMeta+Enter');
  await answered(page);
  await expect(errors(page)).toContainText('Nowhere');

  await page.getByTestId('tab-gql').click();
  await write(page, 'gql-editor', 'mutation New($title: String!) { createTodo(data: { title: $title }) { title isDone } }');
  await write(page, 'gql-variables', '{ "title": "water the ferns" }');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(result(page)).toContainText('"water the ferns"');
  await page.getByTestId('gql-run').click();
  await expect(errors(page)).toContainText('unique');

  await write(page, 'gql-variables', '{ "title": ');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(errors(page)).toContainText('The variables are not JSON');
  await write(page, 'gql-editor', '{ nothing }');
  await write(page, 'gql-variables', '');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(errors(page)).toContainText('nothing');
});

test('a wrong secret is said to be wrong, and the right one works again', async ({ page }) => {
  await writeSecret(page, 'wrong');
  await expect(page.getByTestId('collections')).toHaveText('Not readable with this secret');
  await runQuery(page, '{"add":[1,2]}');
  await expect(status(page)).toContainText('401');
  await writeSecret(page, 'secret');
  await expect(page.getByTestId('collections')).toHaveText('None yet');
});

test('the version chosen decides the form of the answer', async ({ page }) => {
  await runQuery(page, '{"create_class":{"object":{"name":"spells"}}}');
  await expect(result(page)).toContainText('"@ref": "classes/spells"');
  await page.getByTestId('fql-version').selectOption('4');
  await runQuery(page, '{"collection":"spells"}');
  await expect(result(page)).toContainText('"id": "spells"');
});

test('a theme that was chosen is kept, and so are drafts, tab and version', async ({ page }) => {
  const theme = page.locator('#theme');
  const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await expect(theme).toHaveText('Theme: system');
  const light = await background();
  await theme.click();
  await expect(theme).toHaveText('Theme: light');
  expect(await background()).toBe(light);
  await theme.click();
  await expect(theme).toHaveText('Theme: dark');
  expect(await background()).not.toBe(light);

  await write(page, 'fql-editor', '{"add":[20,22]}');
  await page.getByTestId('fql-version').selectOption('4');
  await page.getByTestId('tab-gql').click();
  // Before the page's own module runs, or it would be drawn in the other one first.
  await page.addInitScript(() =>
    document.addEventListener('readystatechange', () => document.readyState === 'interactive' && document.body.setAttribute('data-early', document.documentElement.dataset['theme'] ?? '')),
  );
  await page.reload();
  await ready(page);
  await expect(page.locator('body')).toHaveAttribute('data-early', 'dark');
  await expect(theme).toHaveText('Theme: dark');
  expect(await background()).not.toBe(light);
  await expect(page.getByTestId('tab-gql')).toHaveAttribute('aria-selected', 'true');
  await page.getByTestId('tab-fql').click();
  await expect(page.getByTestId('fql-version')).toHaveValue('4');
  await page.getByTestId('fql-run').click();
  await expect(result(page)).toContainText('42');
});

test('all of it can be reached and left by the keyboard', notInWebKit, async ({ page }) => {
  await page.getByTestId('tab-fql').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByTestId('tab-code')).toBeFocused();
  await expect(page.getByTestId('code-editor')).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByTestId('schema-editor')).toBeVisible();
  await page.keyboard.press('Home');
  await expect(page.getByTestId('fql-editor')).toBeVisible();

  await page.getByTestId('fql-editor').focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(page.getByTestId('secret')).toBeFocused();

  await page.getByTestId('fql-version').focus();
  await page.keyboard.press('ControlOrMeta+Enter');
  await answered(page);

  await page.getByTestId('reset').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog', { name: 'Delete everything' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Keep them' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(page.getByTestId('reset')).toBeFocused();
});

test('the page says who answers, and where the data are', async ({ page }) => {
  await page.reload();
  await ready(page);
  await expect(page.getByTestId('status')).toContainText('IndexedDB');
  await expect(page.getByTestId('status')).toContainText('service worker');
  await expect(page.locator('#offline')).toContainText('The page opens without a network.');
});

test('an import with override says what it deletes and asks, unless that is nothing', async ({ page }) => {
  await runQuery(page, '{"create_class":{"object":{"name":"spells"}}}');
  await page.getByTestId('tab-schema').click();
  await page.getByTestId('schema-mode').selectOption('override');
  await page.getByTestId('schema-run').click();
  await expect(result(page)).toContainText('Schema imported successfully.');
  await expect(errors(page)).toBeHidden();

  await page.getByTestId('tab-gql').click();
  await write(page, 'gql-editor', 'mutation { createTodo(data: { title: "water the ferns" }) { title } }');
  await write(page, 'gql-variables', '');
  await page.getByTestId('gql-run').click();
  await expect(result(page)).toContainText('water the ferns');

  await page.getByTestId('tab-schema').click();
  await page.getByTestId('schema-run').click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete the GraphQL data first?' });
  await expect(dialog).toContainText('the collection Todo (1 document) and 3 indexes');
  await expect(dialog).not.toContainText('spells');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.locator('#collections [data-name="Todo"] .count')).toHaveText('1');

  await page.getByTestId('schema-run').click();
  await page.getByTestId('override-confirm').click();
  await expect(result(page)).toContainText('Schema imported successfully.');
  await expect(page.locator('#collections [data-name="Todo"] .count')).toHaveText('0');
});

test('what another tab writes appears in the lists by itself', async ({ page, context }) => {
  const other = await context.newPage();
  await other.goto('/');
  await ready(other);
  await page.bringToFront();
  await other.evaluate(() => (window as unknown as { vivarium: { query(expression: object): Promise<unknown> } }).vivarium.query({ create_collection: { object: { name: 'wizards' } } }));
  await expect(page.locator('#collections .name')).toHaveText(['wizards']);
});

test('of several operations in a GraphQL text the one at the cursor runs', async ({ page }) => {
  await page.getByTestId('tab-schema').click();
  await page.getByTestId('schema-run').click();
  await expect(result(page)).toContainText('Schema imported successfully.');
  await page.getByTestId('tab-gql').click();
  await write(page, 'gql-editor', 'query First { first: __typename }\n\nquery Second { second: __typename }');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(result(page)).toContainText('"second"');
  await page.keyboard.press('ControlOrMeta+Home');
  await page.getByTestId('gql-run').click();
  await expect(result(page)).toContainText('"first"');
});

test('a query in the words of a driver is answered with how to write it', async ({ page }) => {
  await runQuery(page, 'Get(Ref(Collection("City"),"1"))');
  await expect(errors(page)).toContainText('is { "get": { "ref": { "collection": "City" }, "id": "1" } }');
  await runQuery(page, '{ "get": { "ref": { "collection": "City" }, "id": "1" } }');
  await expect(errors(page).locator('.code')).toHaveText('invalid ref');
});

test('examples are gone through by arrow keys, and taken by Enter', notInWebKit, async ({ page }) => {
  const editor = page.getByTestId('fql-editor');
  await write(page, 'fql-editor', '"a draft"');
  const examples = page.locator('#fql-examples');
  await examples.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(editor).toHaveText('"a draft"');
  const label = await examples.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text ?? '');
  const text = fqlExamples.flatMap(({ examples }) => examples).find(({ name }) => name === label)?.text ?? 'none';
  await page.keyboard.press('Enter');
  await expect(editor).toBeFocused();
  await expect(editor).toHaveText(text.replaceAll('\n', ''));
  await page.keyboard.press('ControlOrMeta+Z');
  await expect(editor).toHaveText('"a draft"');
});

// In Firefox the list is a window of its own, that no key of a test reaches.
for (const [opening, where] of [['Enter', notInWebKit], ['Space', inChromium]] as const) {
  test(`an example chosen in the list that ${opening} has opened is taken at once`, where, async ({ page }) => {
    await write(page, 'fql-editor', '"a draft"');
    await page.locator('#fql-examples').focus();
    for (const key of [opening, 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await expect(page.getByTestId('fql-editor')).toBeFocused();
    await expect(page.getByTestId('fql-editor')).not.toHaveText('"a draft"');
  });
}

test('an answer of very many values is shown, in one colour', async ({ page }) => {
  const numbers = Array.from({ length: 70_000 }, (_, at) => at);
  await runQuery(page, JSON.stringify(numbers));
  await expect(status(page)).toContainText('200');
  await expect(result(page)).toContainText('69999');
  await expect(result(page).locator('span')).toHaveCount(0);
  expect((await result(page).innerText()).split('\n').length).toBeGreaterThan(70_000);
});

test('an error of very many lines is shown', async ({ page }) => {
  await runQuery(page, JSON.stringify({ abort: `much${'\n'.repeat(20_000)}more` }));
  await expect(status(page)).toContainText('400');
  await expect(errors(page)).toContainText('more');
});

test('a query that is no JSON is told with its place, and shown by F8', async ({ page }) => {
  await runQuery(page, '[\n  1,\n  oops\n]');
  await expect(errors(page)).toContainText('at line 3, column 3');
  await expect(errors(page)).not.toContainText('drivers');
  await expect(status(page)).toContainText('Request body is not valid JSON.');
  await expect(page.locator('#fql-editor .cm-lintRange-error')).toHaveText('oops');
  await page.keyboard.press('F8');
  // In the words of each browser.
  await expect(page.locator('.cm-tooltip-lint')).toContainText(/oops|line 3 column 3/);
});

test('while a query runs, the lists leave the editor alone', async ({ page }) => {
  await runQuery(page, '{"create_class":{"object":{"name":"spells"}}}');
  await write(page, 'fql-editor', '"slowly"');
  await page.locator('#collections [data-name="spells"]').waitFor();
  await page.evaluate(() => {
    // Whoever answers, the page waits for it.
    const { fetch } = window;
    window.fetch = async (...args) => {
      if (args[1]?.body !== '"slowly"') return fetch(...args);
      await new Promise<void>((resolve) => Object.assign(window, { goOn: resolve }));
      window.fetch = fetch;
      return fetch(...args);
    };
  });
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.locator('#collections [data-name="spells"]').click();
  await expect(page.getByTestId('fql-editor')).toHaveText('"slowly"');
  await page.waitForFunction(() => 'goOn' in window);
  await page.evaluate(() => (window as unknown as { goOn(): void }).goOn());
  await answered(page);
  await expect(result(page)).toContainText('"slowly"');
});

test('a long text is typed over, put into brackets, and brought back', async ({ page }) => {
  const numbers = Array.from({ length: 800 }, (_, n) => n % 10).join(',');
  const type = async (text: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
  };
  const answer = async (): Promise<string> => {
    await page.keyboard.press('ControlOrMeta+Enter');
    await answered(page);
    return (await result(page).textContent())?.replace(/\s/g, '') ?? '';
  };
  await write(page, 'fql-editor', numbers);
  await type('[');
  expect(await answer()).toBe(`{"resource":[${numbers}]}`);
  await type('7');
  expect(await answer()).toBe('{"resource":7}');
  await page.keyboard.press('ControlOrMeta+Z');
  expect(await answer()).toBe(`{"resource":[${numbers}]}`);
});

const each = (name: string, expr: string): string => `{"reduce":{"lambda":["sum","${name}"],"expr":${expr}},"initial":0,"collection":[${Array.from({ length: 400 }, () => 1).join()}]}`;
/** Sixty-four million additions. */
const SLOW = each('a', each('b', each('c', '{"add":[{"var":"sum"},{"var":"c"}]}')));

test('a query that takes long can be given up, and the next one runs', notInWebKit, async ({ page }) => {
  await runQuery(page, '"before"');
  await write(page, 'fql-editor', SLOW);
  await page.keyboard.press('ControlOrMeta+Enter');
  const cancel = page.getByTestId('result-cancel');
  await cancel.click();
  await answered(page);
  await expect(status(page)).toContainText('cancelled');
  await expect(errors(page)).toContainText('no longer waited for');
  await expect(cancel).toBeHidden();
  await expect(page.getByRole('region', { name: 'Answer' })).toBeFocused();
  await runQuery(page, '"after"');
  await expect(result(page)).toContainText('"after"');
});

test('what is under way when everything is deleted is given up', async ({ page }) => {
  await write(page, 'fql-editor', SLOW);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByTestId('result-cancel')).toBeVisible();
  await page.locator('#reset').click();
  await page.getByTestId('reset-confirm').click();
  await expect(page.getByTestId('result-cancel')).toBeHidden();
  await expect(page.getByTestId('fql-run')).toHaveAttribute('aria-disabled', 'false');
  await runQuery(page, '"after"');
  await expect(result(page)).toContainText('"after"');
});

test('while everything is deleted the next query can be written and run: focus and answer stay where they are', async ({ page }) => {
  await runQuery(page, '"before"');
  await page.evaluate(() => {
    const { vivarium } = window as unknown as { vivarium: { reset(): Promise<void> } };
    const reset = vivarium.reset.bind(vivarium);
    vivarium.reset = () => reset().then(() => new Promise((resolve) => void Object.assign(window, { endReset: resolve })));
  });
  await page.locator('#reset').click();
  await page.getByTestId('reset-confirm').click();
  await expect(result(page)).not.toContainText('"before"');
  await page.waitForFunction(() => 'endReset' in window);
  await runQuery(page, '"after"');
  const looked = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.evaluate(() => (window as unknown as { endReset(): void }).endReset());
  await looked;
  await expect(page.locator('#reset')).toHaveAttribute('aria-disabled', 'false');
  await expect(result(page)).toContainText('"after"');
  await expect(page.getByTestId('fql-editor')).toBeFocused();
});

test('what is read again and is the same stays as it is', async ({ page }) => {
  await runQuery(page, '{"create_class":{"object":{"name":"spells"}}}');
  await page.locator('#collections [data-name="spells"]').evaluate((button) => button.setAttribute('data-seen', ''));
  await runQuery(page, '{"create_class":{"object":{"name":"wizards"}}}');
  await expect(page.locator('#collections .name')).toHaveText(['spells', 'wizards']);
  await expect(page.locator('[data-seen]')).toHaveCount(0);
  await page.locator('#collections [data-name="spells"]').evaluate((button) => button.setAttribute('data-seen', ''));
  await runQuery(page, '[1,2,3]');
  await page.waitForTimeout(500);
  await expect(page.locator('[data-seen]')).toHaveCount(1);
});

test('each tab keeps its own draft, and a new one begins with the last', async ({ page, context }) => {
  await write(page, 'fql-editor', '"one"');
  // In a window of its own another page hides none.
  await expect.poll(() => page.evaluate(() => Object.values(localStorage))).toContain('"one"');
  const other = await context.newPage();
  await other.goto(page.url());
  await ready(other);
  await expect(other.getByTestId('fql-editor')).toHaveText('"one"');
  await write(other, 'fql-editor', '"two"');
  await other.getByRole('button', { name: 'Theme: system' }).click();
  await expect(page.getByRole('button', { name: 'Theme: light' })).toBeVisible();
  await page.reload();
  await ready(page);
  await expect(page.getByTestId('fql-editor')).toHaveText('"one"');
});

test('a tab that is closed while it opens holds up none of those that share its process', async ({ page }) => {
  const what = await page.evaluate(async () => {
    for (let round = 0; round < 6; round++) {
      const other = window.open(location.href);
      if (other === null) return 'none opened';
      // Once the database is open there, and its contents are being read.
      while ((other.document.documentElement as HTMLElement | null)?.dataset['ready'] === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
      other.close();
      while (!other.closed) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return 'all closed';
  });
  expect(what).toBe('all closed');
  await runQuery(page, '{"add":[1,2]}');
  await expect(result(page)).toContainText('3');
});

test('a secret that cannot be one is said to be so, and nothing is sent', async ({ page }) => {
  await page.getByTestId('secret').fill('schlüssel ✓');
  await page.getByTestId('fql-run').click();
  await expect(errors(page)).toContainText('no secret can have');
  await expect(status(page)).toContainText('not sent');
});
