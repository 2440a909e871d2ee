import { transfer, wrap } from 'comlink';
import type { Endpoint, Remote } from 'comlink';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WorkerApi } from '../protocol/worker-api.ts';

const fake = vi.hoisted(() => ({ pageEngine: vi.fn() }));
vi.mock('../host/page-engine.ts', () => fake);

/** What the worker's thread is to it, its end of its messages included. */
interface Thread {
  onmessage(event: { readonly data: MessagePort }): void;
}

const ports: MessagePort[] = [];
function channel(): MessageChannel {
  const made = new MessageChannel();
  ports.push(made.port1, made.port2);
  return made;
}

let api: Remote<WorkerApi>;
beforeEach(async () => {
  vi.resetModules();
  vi.stubGlobal('self', channel().port1);
  vi.stubGlobal('onmessage', null);
  await import('./worker.ts');
  const { port1, port2 } = channel();
  // Node's ports speak the same, and have other types.
  api = wrap<WorkerApi>(port1 as Endpoint);
  (globalThis as unknown as Thread).onmessage({ data: port2 });
});
afterEach(() => {
  ports.splice(0).forEach((port) => port.close());
  vi.unstubAllGlobals();
});

it('an export is over when its reader gives it up, also before it has begun', async () => {
  fake.pageEngine.mockReturnValue({ status: async () => null, exportFile: () => (async function* () { yield new Uint8Array(1); })() });
  await api.open({ name: 'db' });
  const { port1, port2 } = channel();
  const ended = api.exportTo(transfer(port2, [port2 as unknown as Transferable]), undefined as never);
  port1.postMessage('cancel');
  expect(await ended).toEqual({ ok: true, value: null });
});

it('connects to the database before it has an engine, and hands the connection to it', async () => {
  const open = vi.fn(() => ({}));
  vi.stubGlobal('indexedDB', { open });
  const engine = fake.pageEngine.mockReset().mockReturnValue({ status: async () => null });
  await api.open({ name: 'db' });
  expect(open).toHaveBeenCalledExactlyOnceWith('db');
  expect(engine).toHaveBeenCalledExactlyOnceWith({ name: 'db' }, expect.any(Function), expect.any(Function));
  expect(open.mock.invocationCallOrder[0]).toBeLessThan(engine.mock.invocationCallOrder[0] ?? 0);
});
