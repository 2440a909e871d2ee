// What differs between the generations by the version of the wire they ask for (reference: fql/wire.md §1).
import { expect } from 'playwright/test';
import { type Generation, ref, type Shown, type Words } from './cases.ts';

const CLASSES = { Document: 'Instance', document: 'instance', collection: 'class' } as const;
const COLLECTIONS = { Document: 'Document', document: 'document', collection: 'collection' } as const;

interface Dialect {
  readonly nouns: typeof CLASSES | typeof COLLECTIONS;
  /** The key of the ref in an event. */
  readonly eventRef: 'resource' | 'instance' | 'document';
  /** Whether a document says what it is in. */
  readonly hasClass: boolean;
}

const V20: Dialect = { nouns: CLASSES, eventRef: 'resource', hasClass: true };
const V21: Dialect = { nouns: CLASSES, eventRef: 'instance', hasClass: false };
const V27: Dialect = { nouns: COLLECTIONS, eventRef: 'document', hasClass: false };
const DIALECTS: Readonly<Record<Generation, Dialect>> = { '0.2.4': V20, '1.1.2': V20, '2.0.0': V21, '2.14.2': V27, '3.0.1': V27, '4.8.2': V27 };

export function wordsOf(generation: Generation): Words {
  const { nouns, eventRef, hasClass } = DIALECTS[generation];
  const ts: unknown = expect.any(Number);
  const inWords = (path: string): string => path.replace(/^collections\b/, nouns.collection === 'class' ? 'classes' : 'collections');
  const refOf = (path: string): Shown =>
    path.endsWith('*') ? { Ref: expect.stringMatching(new RegExp(`^${inWords(path).slice(0, -1)}\\d{18}$`)) } : ref(inWords(path));
  return {
    ...nouns,
    ts,
    id: expect.stringMatching(/^\d{18}$/),
    text: expect.stringMatching(/./),
    ref: refOf,
    spell: (id) => refOf(`collections/spells/${id}`),
    doc: (path, fields = {}) => ({ ref: refOf(path), ...(hasClass ? { class: refOf(path.slice(0, path.lastIndexOf('/'))) } : {}), ts, ...fields }),
    event: (action, path, data) => ({ ts, action, [eventRef]: refOf(path), ...(data === undefined ? {} : { data }) }),
  };
}
