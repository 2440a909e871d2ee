import { within } from '../protocol/within.ts';

/** What the browser says of the origin's storage; `null` where it does not say. */
export interface StorageEstimate {
  readonly usageBytes: number | null;
  readonly quotaBytes: number | null;
  /** Whether the browser has promised not to evict it. */
  readonly kept: boolean | null;
}

const ESTIMATE_MS = 1_000;

export async function storageEstimate(): Promise<StorageEstimate> {
  const storage: StorageManager | undefined = navigator.storage;
  const [estimate, kept] = await Promise.all([
    orNull(() => storage?.estimate?.()),
    orNull(() => storage?.persisted?.()),
  ]);
  return { usageBytes: estimate?.usage ?? null, quotaBytes: estimate?.quota ?? null, kept };
}

async function orNull<T>(ask: () => Promise<T> | undefined): Promise<T | null> {
  try {
    return (await within(ESTIMATE_MS, 'The estimate', Promise.resolve(ask()))) ?? null;
  } catch {
    return null;
  }
}
