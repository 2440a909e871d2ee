// Puts store, platform and layers together and answers requests.
import type { Platform } from './base/platform.ts';
import type { HttpRequest, HttpResponse } from './http/message.ts';
import type { LogStore, Settings } from './kv/log-store.ts';

export interface EngineOptions {
  readonly store: LogStore;
  readonly platform: Platform;
  /** Written to the header at open. */
  readonly settings?: Partial<Settings>;
  /** Answer the old REST paths (`/classes/…`). */
  readonly rest?: boolean;
}

export interface EngineStatus {
  readonly backend: string;
  readonly persistent: boolean;
  readonly durability: 'strict' | 'relaxed';
  readonly format: number;
  /** Number of the last log record this engine has applied. */
  readonly applied: number;
  /** Time of the last commit, microseconds; 0 before the first. */
  readonly lastCommit: number;
  readonly documents: number;
}

export interface Engine {
  /** Answers any request; never rejects for what a client sent. */
  handle(request: HttpRequest): Promise<HttpResponse>;
  status(): Promise<EngineStatus>;
  /** Deletes all data. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function createEngine(_options: EngineOptions): Promise<Engine> {
  throw new Error('being built');
}
