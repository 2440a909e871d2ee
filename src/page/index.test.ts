import { expect, it } from 'vitest';

it('importing it does nothing, so it may be imported where there is no browser', async () => {
  const before = Object.keys(globalThis);
  await import('./index.ts');
  expect(Object.keys(globalThis)).toEqual(before);
});

it('open() without a page is a clear error', async () => {
  const { open, VivariumError } = await import('./index.ts');
  const failure: unknown = await open().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(VivariumError);
  expect(failure).toMatchObject({ status: 503, errors: [{ code: 'unavailable' }] });
});
