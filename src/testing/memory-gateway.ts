// The gateway over a database of maps: imports and requests in one line each.
import { jsonText } from '../engine/graphql/json-text.ts';
import { type GraphqlAnswer, runGraphql } from '../engine/graphql/run-graphql.ts';
import { type ImportAnswer, runImport } from '../engine/graphql/run-import.ts';
import { MemoryDatabase } from './memory-database.ts';

/** A database with this schema imported. */
export function database(sdl: string): MemoryDatabase {
  const db = new MemoryDatabase();
  const { status, text } = runImport(sdl, 'merge', 'Bearer s', db) as ImportAnswer;
  if (status !== 200) throw new Error(text);
  return db;
}

export const answer = (db: MemoryDatabase, query: string, variables: Record<string, unknown> = {}): GraphqlAnswer =>
  runGraphql({ query, variables }, db) as GraphqlAnswer;

/** The body as a client parses it, of a transaction that commits at 7. */
export const ask = (db: MemoryDatabase, query: string, variables?: Record<string, unknown>): unknown =>
  JSON.parse(jsonText(answer(db, query, variables).body, 7));
