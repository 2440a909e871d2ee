import type { NativeWord } from '../errors/codes.ts';
import { NATIVE } from '../value/ref.ts';

const WORDS: Readonly<Partial<Record<number, NativeWord>>> = {
  [NATIVE.databases]: 'Database',
  [NATIVE.collections]: 'Collection',
  [NATIVE.indexes]: 'Index',
  [NATIVE.functions]: 'Function',
  [NATIVE.roles]: 'Role',
  [NATIVE.access_providers]: 'Access provider',
  [NATIVE.keys]: 'Key',
  [NATIVE.tokens]: 'Token',
  [NATIVE.credentials]: 'Credentials',
};

/** What messages call the documents of a native collection; `undefined` for those of users. */
export const wordFor = (collection: number): NativeWord | undefined => WORDS[collection];
