// Queries as deep as the service takes them, on the stacks that browsers really have: of the
// page's worker, and of the service worker when it has to answer alone.
import type { Page } from 'playwright/test';
import { DEEP_FUNCTION, NESTING_NAMES, nestingOf, TOO_DEEP } from '../src/testing/nestings.ts';
import { ROOT, send } from './support/http.ts';
import { cutNetwork, openControlled, openOffline, PLAIN } from './support/page.ts';
import { expect, test } from './support/test.ts';

// Thousands of levels of everything, in every version.
test.setTimeout(180_000);

const VERSIONS = ['2.0', '2.1', '2.7', '2.12', '3', '4'] as const;

const ask = (page: Page, body: string, version: string): Promise<{ status: number; text: string }> =>
  send(page, 'fetch', { body, headers: { authorization: ROOT, 'X-FaunaDB-API-Version': version } });

/** Asks one query after the other; each answer as its status and the beginning of its text. */
function askAll(page: Page, bodies: readonly string[], version: string): Promise<readonly string[]> {
  return page.evaluate(
    async ({ bodies, headers }) => {
      const answers: string[] = [];
      for (const body of bodies) {
        const response = await fetch('/', { method: 'POST', headers, body });
        answers.push(`${response.status} ${(await response.text()).slice(0, 150)}`);
      }
      return answers;
    },
    { bodies, headers: { authorization: ROOT, 'X-FaunaDB-API-Version': version } },
  );
}

const HOSTS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'the worker': (page) => openOffline(page),
  'the service worker': async (page) => {
    await openControlled(page);
    // A page of the same origin, but without an engine.
    await page.goto(PLAIN);
    await cutNetwork(page.context());
  },
};

for (const [host, open] of Object.entries(HOSTS)) {
  test(`${host} answers queries of 1000 levels, and refuses deeper ones`, async ({ page }) => {
    await open(page);
    for (const [first, version] of VERSIONS.entries()) {
      // Each version begins with another one: code that has run often takes less of the stack.
      const nestings = NESTING_NAMES.map((_, index) => NESTING_NAMES[(index + 4 * first) % NESTING_NAMES.length] as string)
        .map((name) => ({ name, ...nestingOf(name) }));
      const answers = await askAll(page, nestings.map(({ deepest }) => deepest), version);
      nestings.forEach(({ name, result }, index) => {
        const expected = result === undefined ? /^200 \{"resource":[[{]/ : `200 {"resource":${result}}`;
        if (typeof expected === 'string') expect.soft(answers[index], `${version} ${name}`).toBe(expected);
        else expect.soft(answers[index], `${version} ${name}`).toMatch(expected);
      });
      expect.soft(await askAll(page, nestings.map(({ tooDeep }) => tooDeep), version)).toEqual(nestings.map(() => `400 ${TOO_DEEP}`));
    }
  });

  test(`${host} goes down 200 calls of a deep function`, async ({ page }) => {
    await open(page);
    for (const query of DEEP_FUNCTION) expect((await ask(page, query, '4')).text).toMatch(/^\{"resource":/);
    expect(await ask(page, '{"call":"down","arguments":200}', '4')).toMatchObject({ status: 200, text: '{"resource":"bottom"}' });
    expect(await ask(page, '{"call":"down","arguments":201}', '4')).toMatchObject({
      status: 400, text: expect.stringContaining('"code":"stack overflow","description":"Call stack reached the maximum limit of 200."'),
    });
  });
}
