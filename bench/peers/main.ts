import { inWorker } from '../site/driver.ts';
import { serveRunner } from '../site/runner.ts';

// The bundler looks for exactly this form, with the file's name in it.
serveRunner([
  inWorker('Dexie', () => new Worker(new URL('./dexie.ts', import.meta.url), { type: 'module' })),
  inWorker('RxDB', () => new Worker(new URL('./rxdb.ts', import.meta.url), { type: 'module' })),
  inWorker('TinyBase', () => new Worker(new URL('./tinybase.ts', import.meta.url), { type: 'module' })),
  inWorker('PGlite', () => new Worker(new URL('./pglite.ts', import.meta.url), { type: 'module' })),
  inWorker('sqlite-wasm', () => new Worker(new URL('./sqlite.ts', import.meta.url), { type: 'module' })),
  inWorker('sqlite-wasm, WAL', () => new Worker(new URL('./sqlite.ts', import.meta.url), { type: 'module' }), 'wal'),
]);
