// What the outside may use of the engine.
export { createEngine } from './engine.ts';
export type { Engine, EngineOptions, EngineStatus } from './engine.ts';
export type { HttpRequest, HttpResponse } from './http/message.ts';
export type { Platform, Ts } from './base/platform.ts';
export { HttpError } from './errors/fql-error.ts';
export { respond } from './http/answer.ts';
export { failedAnswer } from './http/router.ts';
export { FORMAT, StorageError } from './kv/log-store.ts';
export type * from './kv/log-store.ts';
export type { ImportOptions, Progress } from './transfer/database-file.ts';
export { TransferError } from './transfer/transfer-error.ts';
export type { CommitHint } from './kv/commit-hint.ts';
export { neverAlone, type Solitude } from './kv/solitude.ts';
