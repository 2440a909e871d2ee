// What a table of cases is made of. The page runs the questions, the test compares the answers.
import type { Client, FunctionName, Given, Query } from './driver.ts';

export const GENERATIONS = ['0.2.4', '1.1.2', '2.0.0', '2.14.2', '3.0.1', '4.8.2'] as const;
export type Generation = (typeof GENERATIONS)[number];

/** What a question has at hand besides the driver's functions. */
export interface Scene {
  readonly client: Client;
  /** Of the key `client` uses. */
  readonly secret: string;
  /** Another client, with a secret of its own. */
  connect(secret: string): Client;
}

/** An expression for `client.query`, or the promise of someone who asked already. */
export type Ask = (q: Query, scene: Scene) => Given;

/** An answer in the words of a generation, values as `show` tells them. */
export type Answer = ((say: Words) => unknown) | string | number | boolean | null | readonly unknown[] | Shown;
/** A value of the language as `show` tells it, or a plain object. */
export type Shown = Readonly<Record<string, unknown>>;

/** From the first generation that answers so, up to before the one that does not any more. */
export interface When {
  readonly from?: Generation;
  readonly before?: Generation;
}

export type Case = readonly [ask: Ask, answer: Answer, when?: When];

/** Cases by the function they are for; every case calls that function. */
export type Cases = Readonly<Partial<Record<FunctionName, readonly Case[]>>>;

export const holds = (generation: Generation, { from = '0.2.4', before }: When = {}): boolean => {
  const at = GENERATIONS.indexOf(generation);
  return at >= GENERATIONS.indexOf(from) && (before === undefined || at < GENERATIONS.indexOf(before));
};

// --- Values as they are shown ---

export const ref = (path: string, database?: string): Shown => ({ Ref: path, ...(database === undefined ? {} : { database }) });
export const time = (value: string): Shown => ({ Time: value });
export const date = (value: string): Shown => ({ Date: value });
export const bytes = (...value: readonly number[]): Shown => ({ Bytes: value });
export const set = (value: object): Shown => ({ Set: value });
export const query = (value: object): Shown => ({ Query: value });

/** A failure of the driver's own class. */
export const failed = (name: string, code: string, description: string, position: readonly (string | number)[] = [], failures?: readonly object[]): Shown => ({
  failed: { name, code, description, position, ...(failures === undefined ? {} : { failures }) },
});
export const badArgument = (description: string, ...position: readonly (string | number)[]): Shown => failed('BadRequest', 'invalid argument', description, position);

/** How a generation says things. */
export interface Words {
  /** What stands for any time in microseconds, any id of a document, any string. */
  readonly ts: unknown;
  readonly id: unknown;
  readonly text: unknown;
  readonly Document: 'Instance' | 'Document';
  readonly document: 'instance' | 'document';
  readonly collection: 'class' | 'collection';
  /** By a path as of version 4; its last part may be `*`, an id made by the database. */
  ref(path: string): Shown;
  spell(id: number): Shown;
  /** A document as a result. */
  doc(path: string, fields?: object): Shown;
  event(action: string, path: string, data?: unknown): Shown;
}
