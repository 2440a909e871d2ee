// Web tokens of an issuer such as Auth0: its keys are fetched once, and tokens stay good without a network.
import { signingKey } from '../src/testing/issuer.ts';
import { askAs, expectToBeGood, KEYS, tokenFor, trustIssuer } from './support/issuer.ts';
import { cutNetwork, ready } from './support/page.ts';
import { expect, notInWebKit, test } from './support/test.ts';

test('a token is good once the keys of its issuer have been fetched, also without a network', notInWebKit, async ({ page }) => {
  const key = await signingKey('first');
  let asked = 0;
  await page.context().route(KEYS, (route) => {
    asked++;
    return route.fulfill({ json: { keys: [key.published] }, headers: { 'access-control-allow-origin': '*' } });
  });
  const token = await tokenFor(await trustIssuer(page), key);
  await expectToBeGood(page, token);
  expect(asked).toBe(1);
  await page.context().unroute(KEYS);
  await cutNetwork(page.context());
  await page.reload();
  await ready(page);
  await expectToBeGood(page, token);
  expect((await askAs(page, `${token}x`, 1))[0]).toBe(401);
});
