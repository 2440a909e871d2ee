// What the tables of cases ask about, made through the driver under test.
import type { Client, HttpFailure, Query } from './driver.ts';

export const SPELLS = [
  { name: 'Fire Beak', element: 'fire', level: 10 },
  { name: 'Water Dragon', element: 'water', level: 20 },
  { name: 'Stone Skin', element: 'earth', level: 30 },
  { name: 'Rain Dance', element: 'water', level: 40 },
] as const;

/**
 * Makes a database with all that the cases ask about.
 * @param connect gives the client of a secret
 * @returns the secret of one who may do anything in it
 * @throws Error with the answer that the driver failed with: the driver's own message is no more than the code
 */
export async function prepare(connect: (secret: string) => Client, rootSecret: string, q: Query): Promise<string> {
  try {
    const root = connect(rootSecret);
    await root.query(q.CreateDatabase({ name: 'prydain' }));
    const { secret } = await root.query<{ readonly secret: string }>(q.CreateKey({ database: q.Database('prydain'), role: 'admin' }));
    await populate(connect(secret), q);
    return secret;
  } catch (reason) {
    const { message, requestResult } = reason as Partial<HttpFailure>;
    throw new Error(`${message}: ${requestResult?.responseRaw ?? 'no answer'}`, { cause: reason });
  }
}

/** `spells` 1 to 4 with their indexes; `books` 1 and 2 that hold a spell each; an empty `notes`; a database `child`; functions where the driver makes them. */
async function populate(client: Client, q: Query): Promise<void> {
  for (const name of ['spells', 'books', 'notes', 'users']) await client.query(q.CreateClass({ name }));
  const spells = q.Class('spells');
  const index = (name: string, source: object, terms: readonly string[], values: readonly string[]): Promise<unknown> =>
    client.query(q.CreateIndex({
      name, source,
      ...(terms.length === 0 ? {} : { terms: terms.map((field) => ({ field: ['data', field] })) }),
      ...(values.length === 0 ? {} : { values: values.map((field) => ({ field: ['data', field] })) }),
    }));
  await index('all', spells, [], []);
  await index('by_element', spells, ['element'], []);
  await index('by_element_and_level', spells, ['element', 'level'], []);
  await index('levels', spells, [], ['level']);
  await index('books_with', q.Class('books'), ['spell'], []);
  for (const [at, data] of SPELLS.entries()) await client.query(q.Create(q.Ref(spells, String(at + 1)), { data }));
  for (const spell of [1, 2]) await client.query(q.Create(q.Ref(q.Class('books'), String(spell)), { data: { spell: q.Ref(spells, String(spell)) } }));
  await client.query(q.Create(q.Ref(q.Class('users'), '1'), { credentials: { password: 'abracadabra' } }));
  await client.query(q.CreateDatabase({ name: 'child' }));
  if (!('CreateFunction' in q)) return;
  const define = (name: string, body: object): Promise<unknown> => client.query(q.CreateFunction({ name, body: q.Query(body) }));
  await define('double', q.Lambda('x', q.Multiply(q.Var('x'), 2)));
  await define('sum', q.Lambda(['a', 'b'], q.Add(q.Var('a'), q.Var('b'))));
  await define('seven', q.Lambda('_', 7));
  if (!('CreateRole' in q)) return;
  await client.query(q.CreateRole({ name: 'reader', privileges: [{ resource: q.Collection('spells'), actions: { read: true } }] }));
}
