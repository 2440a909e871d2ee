// Every generation of the official driver, unmodified: each function it exports, asked of a database of its own, on
// this page's own address and told nothing but the secret, so that it calls https://db.fauna.com.
import type { Page } from 'playwright/test';
import { fileURLToPath } from 'node:url';
import { GENERATIONS, holds } from './drivers/cases.ts';
import type { Driver, Settings } from './drivers/driver.ts';
import { FAMILIES } from './drivers/functions/index.ts';
import { loadDriver } from './drivers/generations.ts';
import type { exercise } from './drivers/in-page.ts';
import { wordsOf } from './drivers/words.ts';
import { bundle } from './support/bundle.ts';
import { expect, test } from './support/test.ts';

type InPage = { readonly faunadb: Driver; readonly drivers: { readonly exercise: typeof exercise } };

const ADDRESSES: readonly { readonly title: string; settings(page: Page): Settings }[] = [
  { title: 'this origin', settings: (page) => ({ secret: 'secret', domain: 'localhost', scheme: 'http', port: Number(new URL(page.url()).port) }) },
  { title: 'https://db.fauna.com', settings: () => ({ secret: 'secret' }) },
];

for (const generation of GENERATIONS) {
  for (const { title, settings } of ADDRESSES) {
    test(`faunadb ${generation} at ${title}: every function it exports`, async ({ shared: page }) => {
      await loadDriver(page, generation);
      await page.addScriptTag({ content: await bundle(fileURLToPath(new URL('drivers/in-page.ts', import.meta.url)), 'drivers') });
      const { families, missing } = await page.evaluate(([of, given]) => {
        const { faunadb, drivers } = window as unknown as InPage;
        return drivers.exercise(faunadb, of, given);
      }, [generation, settings(page)] as const);

      expect(missing, 'exported functions without a case').toEqual([]);
      const say = wordsOf(generation);
      for (const [family, cases] of Object.entries(FAMILIES)) {
        const expected = Object.entries(cases).flatMap(([name, rows]) => {
          const holding = rows.filter(([, , when]) => holds(generation, when)).map(([, answer]) => (typeof answer === 'function' ? answer(say) : answer));
          return holding.length > 0 && name in (families[family] ?? {}) ? [[name, holding] as const] : [];
        });
        expect.soft(families[family], family).toEqual(Object.fromEntries(expected));
      }
    });
  }
}
