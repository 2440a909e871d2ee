// Parts of the engine that are loaded when a query first asks for them: they are there without a network.
import { inBothFormsAtFirst } from './support/database.ts';
import { ROOT, send } from './support/http.ts';
import { cutNetwork, openControlled, openIn, PLAIN } from './support/page.ts';
import { expect, inChromium, test } from './support/test.ts';

inBothFormsAtFirst('regular expressions, format and title case work when first used offline', async (db) => {
  await db.gives({ containsstrregex: 'Fireball', pattern: '^F.*l$' }, 'true');
  await db.gives({ replacestrregex: '2024-05-06', pattern: '(\\d+)-(\\d+)-(\\d+)', replace: '$3.$2.$1' }, '"06.05.2024"');
  await db.gives({ format: '%s has %d gold', values: ['Ada', 3] }, '"Ada has 3 gold"');
  await db.gives({ titlecase: 'one FISH' }, '"One Fish"');
  await db.fails({ containsstrregex: 'a', pattern: '(' }, 400, '["pattern"]', 'invalid argument', 'Search pattern /(/ is not a valid regular expression.');
});

inBothFormsAtFirst('sets made of several work when first used offline', async (db) => {
  await db.write({ create_function: { object: { name: 'one', body: { query: { lambda: '_', expr: 1 } } } } });
  const [functions, indexes] = [{ functions: null }, { indexes: null }];
  await db.gives({ count: { union: [functions, indexes] } }, '1');
  await db.gives({ count: { distinct: { difference: [functions, indexes] } } }, '1');
  await db.gives({ is_empty: { intersection: [functions, indexes] } }, 'true');
});

inBothFormsAtFirst('events work when first used offline', async (db) => {
  await db.write({ create_function: { object: { name: 'one', body: { query: { lambda: '_', expr: 1 } } } } });
  await db.gives({ count: { events: { functions: null } } }, '1');
});

test('they work in the service worker when it has to answer alone', async ({ page }) => {
  await openControlled(page);
  // A page of the same origin, but without an engine.
  await page.goto('/icons/icon.svg');
  await cutNetwork(page.context());
  const body = JSON.stringify([{ titlecase: 'one FISH' }, { containsstrregex: 'Fireball', pattern: 'b.l+$' }]);
  const { status, text } = await send(page, 'fetch', { body, headers: { authorization: ROOT } });
  expect({ status, text }).toEqual({ status: 200, text: '{"resource":["One Fish",true]}' });
});

test('what GraphQL takes is loaded into the worker when it is first asked for, and not before', inChromium, async ({ page }) => {
  await page.goto(PLAIN);
  await openIn(page);
  const isLoaded = (): Promise<boolean> => page.workers()[0]!.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/vivarium/graphql-')));
  const headers = { authorization: ROOT };
  expect((await send(page, 'fetch', { body: '{"add":[1,2]}', headers })).text).toBe('{"resource":3}');
  expect(await isLoaded()).toBe(false);
  expect((await send(page, 'fetch', { path: 'graphql', body: '{"query":"{ __typename }"}', headers })).status).toBe(200);
  expect(await isLoaded()).toBe(true);
});
