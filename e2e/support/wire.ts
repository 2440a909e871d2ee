// The two forms of the wire, as JSON text: 2.0 without a version header, and version 4.
import { ROOT } from './http.ts';

/** JSON text of what differs between the versions. Names are those of a database's own things. */
export interface Wire {
  readonly version: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Ref of a collection, an index, a database; of a document. */
  collection(name: string): string;
  index(name: string): string;
  database(name: string): string;
  document(collection: string, id: string | number): string;
  /** Ref of a key or a token. */
  numbered(kind: 'keys' | 'tokens', id: string): string;
  /** Ref of the collection that all collections, indexes, … are in. */
  native(kind: string): string;
  /** The first fields of whatever has a ref: `ref`, in 2.0 `class`, `ts`. */
  head(ref: string, kind: string, ts: number): string;
  /** A field of an event that holds its document. */
  subject(ref: string): string;
  /** Contents of `@query`, or of a lambda in a set, made under this version. */
  lambda(parameter: string, expr: string): string;
  readonly words: { readonly document: string; readonly collection: string };
}

const HEADERS = { Authorization: ROOT };

export const V2: Wire = {
  version: '2.0',
  headers: HEADERS,
  collection: (name) => `{"@ref":"classes/${name}"}`,
  index: (name) => `{"@ref":"indexes/${name}"}`,
  database: (name) => `{"@ref":"databases/${name}"}`,
  document: (collection, id) => `{"@ref":"classes/${collection}/${id}"}`,
  numbered: (kind, id) => `{"@ref":"${kind}/${id}"}`,
  native: (kind) => `{"@ref":"${kind === 'collections' ? 'classes' : kind}"}`,
  head: (ref, kind, ts) => `"ref":${ref},"class":${kind},"ts":${ts}`,
  subject: (ref) => `"resource":${ref}`,
  lambda: (parameter, expr) => `{"lambda":"${parameter}","expr":${expr}}`,
  words: { document: 'Instance', collection: 'Class' },
};

const named = (kind: string, name: string): string => `{"@ref":{"id":"${name}","collection":{"@ref":{"id":"${kind}"}}}}`;
const collection4 = (name: string): string => named('collections', name);

export const V4: Wire = {
  version: '4',
  headers: { ...HEADERS, 'X-FaunaDB-API-Version': '4' },
  collection: collection4,
  index: (name) => named('indexes', name),
  database: (name) => named('databases', name),
  document: (collection, id) => `{"@ref":{"id":"${id}","collection":${collection4(collection)}}}`,
  numbered: named,
  native: (kind) => `{"@ref":{"id":"${kind}"}}`,
  head: (ref, _kind, ts) => `"ref":${ref},"ts":${ts}`,
  subject: (ref) => `"document":${ref}`,
  lambda: (parameter, expr) => `{"api_version":"4","lambda":"${parameter}","expr":${expr}}`,
  words: { document: 'Document', collection: 'Collection' },
};
