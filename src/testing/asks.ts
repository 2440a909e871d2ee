// Conformance tables of those who ask with a secret of their own.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, ok, populate, steady } from './cases.ts';
import { type TestClient, testClient } from './client.ts';

/** Someone who asks with a secret of their own. */
export interface Asker {
  readonly name: string;
  /** Makes the secret: a query whose resource has a `secret`, perhaps with a scope behind it. */
  readonly secret: string;
  readonly scope?: string;
}

export function asks({ name, secret: makesSecret, scope = '' }: Asker, world: readonly string[], rows: readonly (readonly [query: string, answer: string | Answer, version?: string])[]): void {
  describe(name, () => {
    let client: TestClient;
    let secret: string;
    beforeAll(async () => {
      client = await testClient();
      await populate(client, world);
      const { text } = await client.query(makesSecret);
      secret = (JSON.parse(text) as { resource: { secret: string } }).resource.secret + scope;
    });
    for (const [query, answer, version = '4'] of rows) {
      it(query, async () => {
        const { status, text } = await client.send('POST', '/', query, { authorization: `Bearer ${secret}`, 'x-faunadb-api-version': version });
        const expected = typeof answer === 'string' ? ok(answer) : answer;
        expect(`${status} ${steady(text)}`).toBe(`${expected.status} ${expected.body}`);
      });
    }
  });
}
