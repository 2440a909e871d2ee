// Who asks (reference: fql/functions.md §13; data/auth.md).
import { badArgument, type Cases, failed } from '../cases.ts';
import type { Client, Expr, Query } from '../driver.ts';
import type { Scene } from '../cases.ts';

const user = (q: Query): Expr => q.Ref(q.Class('users'), '1');
const PASSWORD = { password: 'abracadabra' };

interface Token {
  readonly ref: Expr;
  readonly secret: string;
}

/** Asks with a token of the user. */
async function asUser(q: Query, { client, connect }: Scene, ask: (token: Client, of: Token) => Promise<unknown>): Promise<unknown> {
  const token = await client.query<Token>(q.Login(user(q), PASSWORD));
  return ask(connect(token.secret), token);
}
const MISSING = failed('BadRequest', 'missing identity', 'Authentication does not contain an identity');

export const auth: Cases = {
  Login: [
    [(q) => q.Login(user(q), PASSWORD), (say) => say.doc('tokens/*', { instance: say.ref('collections/users/1'), secret: say.text })],
    [(q) => q.Login(user(q), { password: 'wrong' }), (say) => failed('BadRequest', 'authentication failed', `The ${say.document} was not found or provided password was incorrect.`)],
  ],
  Identify: [
    [(q) => [q.Identify(user(q), 'abracadabra'), q.Identify(user(q), 'wrong'), q.Identify(q.Ref(q.Class('users'), '9'), 'x')], [true, false, false]],
  ],
  Logout: [
    [(q, scene) => asUser(q, scene, async (mine) => [await mine.query(q.Logout(false)), await mine.query(q.Logout(false)).catch((reason: Error) => reason.name)]), [true, 'Unauthorized']],
    [(q, scene) => asUser(q, scene, (mine) => asUser(q, scene, async (other) => [await mine.query(q.Logout(true)), await other.query(q.Logout(true)).catch((reason: Error) => reason.name)])), [true, 'Unauthorized']],
    [(q) => q.Logout(true), false],
    [(q) => q.Logout(1), badArgument('Boolean expected, Integer provided.', 'logout')],
  ],
  Identity: [
    [(q, scene) => asUser(q, scene, (mine) => mine.query(q.Identity())), (say) => say.ref('collections/users/1')],
    [(q) => q.Identity(), MISSING],
  ],
  HasIdentity: [
    [(q, scene) => asUser(q, scene, (mine) => mine.query(q.HasIdentity())), true],
    [(q) => q.HasIdentity(), false],
  ],
  CurrentIdentity: [
    [(q, scene) => asUser(q, scene, (mine) => mine.query(q.CurrentIdentity())), (say) => say.ref('collections/users/1')],
    [(q) => q.CurrentIdentity(), MISSING],
  ],
  HasCurrentIdentity: [
    [(q, scene) => asUser(q, scene, (mine) => mine.query(q.HasCurrentIdentity())), true],
    [(q) => q.HasCurrentIdentity(), false],
  ],
  CurrentToken: [
    [(q, scene) => asUser(q, scene, async (mine, token) => mine.query(q.Equals(q.CurrentToken(), token.ref))), true],
    [async (q, { client, connect }) => {
      const key = await client.query<Token>(q.CreateKey({ role: 'server' }));
      return connect(key.secret).query(q.CurrentToken());
    }, (say) => say.ref('keys/*')],
    // The key was made in the parent: it is none of this database.
    [(q) => q.CurrentToken(), failed('BadRequest', 'invalid token', 'Token metadata is not accessible.')],
  ],
  HasCurrentToken: [
    [(q, scene) => asUser(q, scene, (mine) => mine.query(q.HasCurrentToken())), true],
    [(q) => q.HasCurrentToken(), false],
  ],
};
