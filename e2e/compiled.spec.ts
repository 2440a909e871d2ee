// A start compiles nothing anew: the browser keeps the engine compiled, beside the file that the service worker keeps.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/run.mjs';
import { controlled, ready } from './support/page.ts';
import { expect, test } from './support/test.ts';

interface TraceEvent {
  readonly name: string;
  readonly args: { readonly data?: { readonly url?: string; readonly consumedCacheSize?: number } };
}

test('the engine is taken as it was compiled before', async ({ page, browser }) => {
  await page.goto('');
  await ready(page);
  await controlled(page);
  // Loaded from what is kept for the first time, and compiled.
  await page.reload();
  await ready(page);
  // The browser writes it down when it finds the time: a busy one needs another load.
  await expect(async () => {
    await browser.startTracing(page, { categories: ['v8', 'devtools.timeline', 'disabled-by-default-v8.compile'] });
    const trace = await page.reload().then(() => ready(page)).then(() => browser.stopTracing(), async (error: unknown) => {
      await browser.stopTracing();
      throw error;
    });
    const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
    const compiled = traceEvents.filter(({ name, args }) => name === 'v8.compileModule' && /\/engine-[^/]*\.js$/.test(args.data?.url ?? ''));
    expect(compiled.map(({ args }) => (args.data?.consumedCacheSize ?? 0) > 100_000)).toEqual([true]);
  }).toPass({ timeout: 30_000 });
});

test('its worker begins without it', () => {
  const folder = join(root, 'dist/vivarium');
  const [worker = '', ...others] = readdirSync(folder).filter((name) => name.startsWith('worker-'));
  expect(others).toEqual([]);
  const text = readFileSync(join(folder, worker), 'utf8');
  expect(text).toMatch(/import\("\.\/engine-/);
  expect(text).not.toMatch(/from\s*"|import\s*"/);
});
