// Records and bytes for tests of the log.
import type { LogRecord, LogStore, Plan } from '../engine/kv/log-store.ts';

export function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

export function text(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

export function record(number: number, body: string): LogRecord {
  return { number, body: bytes(body) };
}

/** Without those that are void. */
export function counting(records: readonly LogRecord[]): readonly LogRecord[] {
  return records.filter(({ body }) => body.length > 0);
}

export function texts(records: readonly LogRecord[]): readonly string[] {
  return counting(records).map(({ body }) => text(body));
}

/** Appends records to a log of which the store has seen everything. */
export async function write(store: LogStore, ...bodies: readonly string[]): Promise<void> {
  const { floor } = await store.open();
  const { records } = await store.tail(floor);
  let after = records.at(-1)?.number ?? floor;
  for (const body of bodies) after = appended(await store.append(after, () => bytes(body))).number;
}

/** Bytes that look random and follow from the seed. */
export function noise(length: number, seed: number): Uint8Array {
  let state = seed + 1;
  return Uint8Array.from({ length }, () => (state = Math.imul(state, 1664525) + 1013904223) >>> 24);
}

/** What an append returned that must have succeeded. */
export function appended(result: Awaited<ReturnType<LogStore['append']>>): { number: number; unseen: readonly LogRecord[] } {
  if (result.kind !== 'appended') throw new Error(`expected an append to succeed, but it was ${result.kind}`);
  return result;
}

/** Quick also for megabytes, where a difference need not be shown byte by byte. */
export function isSame(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return a.length === b?.length && a.every((byte, at) => byte === b[at]);
}

/** An engine that appends as fast as it can; all it saw, own and foreign, in order. */
export async function follow(store: LogStore, name: string, times: number): Promise<LogRecord[]> {
  const history: LogRecord[] = [];
  for (let time = 0; time < times; time++) {
    const body = bytes(`${name}, ${time}`);
    const { number, unseen } = appended(await store.append(history.length, () => body));
    history.push(...unseen, { number, body });
  }
  return history;
}

/** A plan, and what it was shown at each of its runs. */
export function spy(body: string): { plan: Plan; shown: (readonly LogRecord[])[] } {
  const shown: (readonly LogRecord[])[] = [];
  return {
    shown,
    plan: (unseen) => {
      shown.push(unseen);
      return bytes(body);
    },
  };
}
