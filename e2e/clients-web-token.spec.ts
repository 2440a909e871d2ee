// A client that brings a web token, whose issuer's keys were fetched before the network was cut.
import { signingKey, webToken } from '../src/testing/issuer.ts';
import { askAs, expectToBeGood, ISSUER, KEYS, tokenFor, trustIssuer } from './support/issuer.ts';
import { cutNetwork } from './support/page.ts';
import { expect, test } from './support/test.ts';

test('keys that were fetched once are enough', async ({ page }) => {
  const [key, other] = await Promise.all([signingKey('first'), signingKey('second', 'ES256')]);
  const audience = await trustIssuer(page);
  await page.evaluate(
    async ({ address, keys }) => (await caches.open('vivarium-issuers')).put(address, Response.json({ keys })),
    { address: KEYS, keys: [key.published, other.published] },
  );
  await cutNetwork(page.context());
  for (const one of [key, other]) {
    const algorithm = one === other ? 'ES256' : 'RS256';
    const payload = { iss: ISSUER, aud: audience, sub: 'user|7' };
    await expectToBeGood(page, await webToken(one, payload, algorithm));
  }
  expect((await askAs(page, await tokenFor(audience, { ...key, id: 'third' }), 1))[0]).toBe(401);
  expect((await askAs(page, await tokenFor(audience, { ...other, id: 'first', sign: key.sign }), 1))[0]).toBe(200);
  expect((await askAs(page, await tokenFor('https://db.fauna.com/db/other', key), 1))[0]).toBe(401);
});
