// The engine's own thread. One lane is its own messages with the page that started it; others
// come through that page from the service worker.
import { expose } from 'comlink';
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import type { EngineHost } from '../host/engine-host.ts';
import { readBytes } from '../protocol/byte-stream.ts';
import { writeBytes } from '../protocol/byte-writer.ts';
import { serveLane } from '../protocol/lane-server.ts';
import type { LaneServer } from '../protocol/lane-server.ts';
import type { WorkerApi } from '../protocol/worker-api.ts';

// Chromium keeps the compiled code of what a worker imports like this, and of nothing else it loads.
const loading = import('../host/page-engine.ts');

let host: Promise<EngineHost> | null = null;
const relays = new Set<LaneServer>();

function opened(): Promise<EngineHost> {
  return host ?? Promise.reject(new Error('open() comes first'));
}

const handle = (request: HttpRequest): Promise<HttpResponse> => opened().then((engine) => engine.handle(request));

const api: WorkerApi = {
  open(options) {
    host = loading.then(({ pageEngine }) => pageEngine(options));
    return host.then((engine) => engine.status());
  },
  connect(port) {
    const lane = serveLane(port, handle, () => relays.delete(lane), true);
    relays.add(lane);
  },
  status: async () => (await opened()).status(),
  reset: async () => (await opened()).reset(),
  async exportTo(port, onProgress) {
    const engine = await opened();
    return new Promise((resolve) => {
      writeBytes(engine.exportFile(onProgress, resolve), port);
    });
  },
  importFrom: async (port, options) => (await opened()).importFile(readBytes(port), options),
  async suspend() {
    for (const relay of relays) relay.close();
    relays.clear();
    await (await opened()).suspend();
  },
  hide: async (isHidden) => (await opened()).hide(isHidden),
};

onmessage = ({ data }: MessageEvent<MessagePort>) => {
  expose(api, data);
  serveLane(self, handle);
};
