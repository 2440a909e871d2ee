// Golden databases: what stands in IndexedDB under a storage format, value by value, with
// questions and the answers they had. Each format that ever was in use has one, which every
// later build has to open. `npm run golden` records that of this build's format.
import { fromBase64, toBase64 } from '../../engine/base/bytes.ts';
import { FORMAT } from '../../engine/kv/log-store.ts';
import type { Question } from '../transfer.ts';

export const STORES = ['meta', 'log', 'blocks'] as const;

export interface Golden {
  readonly format: number;
  /** The clock of the recording, microseconds: what history is kept follows from it. */
  readonly now: number;
  readonly questions: readonly Question[];
  readonly answers: readonly string[];
  /** Keys and values, bytes as `{ "bytes": base64 }`. */
  readonly stores: Readonly<Record<(typeof STORES)[number], readonly (readonly [key: string | number, value: unknown])[]>>;
}

/** Values in place of JSON, and JSON in place of values. */
export const toJson = (value: unknown): unknown => (value instanceof Uint8Array ? { bytes: toBase64(value) } : mapped(value, toJson));
export function fromJson(value: unknown): unknown {
  const { bytes } = (value ?? {}) as { readonly bytes?: unknown };
  return typeof bytes === 'string' ? (fromBase64(bytes) ?? new Uint8Array()) : mapped(value, fromJson);
}

function mapped(value: unknown, change: (value: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]));
}

export const fileName = `format-${FORMAT}.json`;
