// Every generation of the official driver, unmodified: each method of its client and of its pages, its settings,
// values and errors, on this page's own address and told nothing but the secret.
import type { Page } from 'playwright/test';
import { fileURLToPath } from 'node:url';
import { GENERATIONS, holds } from './drivers/cases.ts';
import type { Settings } from './drivers/driver.ts';
import { loadDriver } from './drivers/generations.ts';
import { type exercise, METHODS } from './drivers/methods/in-page.ts';
import { wordsOf } from './drivers/words.ts';
import { bundle } from './support/bundle.ts';
import { expect, test } from './support/test.ts';

type InPage = { readonly faunadb: Parameters<typeof exercise>[0]; readonly methods: { readonly exercise: typeof exercise } };

const ADDRESSES: readonly { readonly title: string; settings(page: Page): Settings }[] = [
  { title: 'this origin', settings: (page) => ({ secret: 'secret', domain: 'localhost', scheme: 'http', port: Number(new URL(page.url()).port) }) },
  { title: 'https://db.fauna.com', settings: () => ({ secret: 'secret' }) },
];

for (const generation of GENERATIONS) {
  for (const { title, settings } of ADDRESSES) {
    test(`faunadb ${generation} at ${title}: every method of its client`, async ({ shared: page }) => {
      await loadDriver(page, generation);
      await page.addScriptTag({ content: await bundle(fileURLToPath(new URL('drivers/methods/in-page.ts', import.meta.url)), 'methods') });
      const { answers, missing } = await page.evaluate(([of, given]) => {
        const { faunadb, methods } = window as unknown as InPage;
        return methods.exercise(faunadb, of, given);
      }, [generation, settings(page)] as const);

      expect(missing, 'methods without a case').toEqual([]);
      const say = wordsOf(generation);
      for (const [name, cases] of Object.entries(METHODS)) {
        const holding = cases.filter(([, , when]) => holds(generation, when)).map(([, answer]) => (typeof answer === 'function' ? answer(say) : answer));
        if (answers[name] !== undefined) expect.soft(answers[name], name).toEqual(holding);
      }
    });
  }
}
