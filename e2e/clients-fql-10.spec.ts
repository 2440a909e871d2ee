// The driver of FQL 10, unmodified: whoever takes it for one of ours is told in its own words that it is not.
import { loadClient } from './support/clients.ts';
import { expect, test } from './support/test.ts';

type WindowF = { readonly fauna: typeof import('fauna') };

test('queries, streams and feeds of FQL 10 are refused with what to use instead', async ({ shared: page }) => {
  await loadClient(page, 'fauna');
  const refused = await page.evaluate(async () => {
    const { Client, fql, InvalidRequestError } = (window as unknown as WindowF).fauna;
    const client = new Client({ secret: 'secret' });
    const source = { token: 'any' };
    const asked = [
      () => client.query(fql`1 + 1`),
      async () => { for await (const event of client.stream(source)) return event; },
      async () => { for await (const feed of client.feed(source)) return feed; },
    ];
    return Promise.all(asked.map((ask) => ask().then(
      (value: unknown) => ({ value }),
      (error: Error) => ({ ...error, message: error.message, isInvalidRequest: error instanceof InvalidRequestError }),
    )));
  });
  for (const one of refused) {
    expect(one).toMatchObject({
      isInvalidRequest: true,
      httpStatus: 400,
      code: 'invalid_request',
      message: 'FQL version 10 is not supported: this database answers FQL version 4 (the driver faunadb) and GraphQL.',
    });
  }
  expect(refused).toHaveLength(3);
});
