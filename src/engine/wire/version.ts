// The versions of the wire, as a table: what a client of each one reads.
//
// Inside the engine there is one vocabulary (collection, document, ref); the older words
// exist only here. Facts: reference fql/wire.md §1 and fql/functions.md §2; version 2.0,
// which is also what a request without a header gets, follows design.md §6.
import type { Words } from '../errors/fql-error.ts';
import type { Collation } from '../order/kind.ts';
import { END_OF_9999, MAX_TIME } from '../value/time.ts';

export type WireId = '2.0' | '2.1' | '2.7' | '2.12' | '3' | '4';

/** The versions in their order: what one has brought is there where its rank is not above that of the request's. */
export const RANK: Readonly<Record<WireId, number>> = { '2.0': 0, '2.1': 1, '2.7': 2, '2.12': 3, '3': 4, '4': 5 };

export interface Wire {
  /** Position in time, for what begins or ends with a version. */
  readonly rank: number;
  /** `classes/spells/1`, or nested objects. */
  readonly refs: 'string' | 'object';
  /** Key of a ref's collection, and of an index source's collection. */
  readonly collectionKey: 'class' | 'collection';
  /** Name of the native collection of collections. */
  readonly nativeCollections: 'classes' | 'collections';
  /** Whether a document shows its collection beside its ref, as `class`. */
  readonly documentClassField: boolean;
  /** Key of the document's ref in an event. */
  readonly eventRef: 'resource' | 'instance' | 'document';
  /** Whether a document event without user data shows `data: null`, or no `data` (a delete always shows it). */
  readonly eventData: 'always' | 'when-present';
  /** Words in messages. */
  readonly words: Words;
  /** The version that lambdas made under this one are stored with, and run under later. */
  readonly lambdaStamp: WireId;
  /** Whether a shown lambda names its version only when that is 3 or later. */
  readonly lambdaVersion: 'when-3' | 'always';
  readonly pageSize: {
    readonly default: number;
    readonly max: number;
    /** What happens to a larger size. */
    readonly overflow: 'refuse' | 'clamp';
  };
  /** How indexes made under this version order numbers. */
  readonly collation: Collation;
  /** The latest time that can be written, in nanoseconds since the epoch. */
  readonly latestTime: bigint;
}

const V2_0: Wire = {
  rank: RANK['2.0'],
  refs: 'string',
  collectionKey: 'class',
  nativeCollections: 'classes',
  documentClassField: true,
  eventRef: 'resource',
  eventData: 'when-present',
  words: { collection: 'class', Collection: 'Class', document: 'instance', Document: 'Instance' },
  lambdaStamp: '2.12',
  lambdaVersion: 'when-3',
  pageSize: { default: 16, max: 1024, overflow: 'refuse' },
  collation: 'legacy',
  // Brief §8; later versions read years of more digits with a sign (reference: fql/functions.md §0).
  latestTime: END_OF_9999,
};

const V2_1: Wire = {
  ...V2_0,
  rank: RANK['2.1'],
  refs: 'object',
  documentClassField: false,
  eventRef: 'instance',
  eventData: 'always',
  pageSize: { default: 64, max: 100_000, overflow: 'clamp' },
  collation: 'natural',
  latestTime: MAX_TIME,
};

const V2_7: Wire = {
  ...V2_1,
  rank: RANK['2.7'],
  collectionKey: 'collection',
  nativeCollections: 'collections',
  eventRef: 'document',
  words: { collection: 'collection', Collection: 'Collection', document: 'document', Document: 'Document' },
};

const V2_12: Wire = { ...V2_7, rank: RANK['2.12'] };
const V3: Wire = { ...V2_12, rank: RANK['3'], lambdaStamp: '3', lambdaVersion: 'always' };
const V4: Wire = { ...V3, rank: RANK['4'], lambdaStamp: '4' };

export const WIRE_VERSIONS: Readonly<Record<WireId, Wire>> = {
  '2.0': V2_0,
  '2.1': V2_1,
  '2.7': V2_7,
  '2.12': V2_12,
  '3': V3,
  '4': V4,
};

export const NEWEST: Wire = V4;

/** The version a request asks for: 2.0 without a header, `null` when the header names none of them. */
export function wireOf(header: string | undefined): Wire | null {
  if (header === undefined) return V2_0;
  return Object.hasOwn(WIRE_VERSIONS, header) ? WIRE_VERSIONS[header as WireId] : null;
}
