// The engine's own thread. One lane is its own messages with the page that started it; others
// come through that page from the service worker.
import { expose } from 'comlink';
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import type { EngineHost } from '../host/engine-host.ts';
import { appearEarly, vanish } from '../host/neighbours.ts';
import { readBytes } from '../protocol/byte-stream.ts';
import { writeBytes } from '../protocol/byte-writer.ts';
import { serveLane } from '../protocol/lane-server.ts';
import type { LaneServer } from '../protocol/lane-server.ts';
import { showLife } from '../protocol/life.ts';
import type { WorkerApi } from '../protocol/worker-api.ts';
import { openEarly } from '../storage/early.ts';

// Chromium keeps the compiled code of what a worker imports like this, and of nothing else it loads.
const loading = import('../host/page-engine.ts');

/** Resolves once the page has called `open`. Requests come over another port, and may be here before that. */
let begin: (engine: Promise<EngineHost>) => void;
const host = new Promise<EngineHost>((resolve) => (begin = resolve));
let here: EngineHost | null = null;
host.then(
  (engine) => (here = engine),
  // Whoever needs it is told.
  () => undefined,
);
const relays = new Set<LaneServer>();

const handle = (request: HttpRequest): HttpResponse | Promise<HttpResponse> => here?.handle(request) ?? host.then((engine) => engine.handle(request));

function endRelays(): void {
  for (const relay of relays) relay.close();
  relays.clear();
}

const api: WorkerApi = {
  open(options) {
    // Both take their time, as the engine does.
    const [early, appear] = [openEarly(options.name), appearEarly(options.name)];
    loading.catch(() => vanish(appear()));
    begin(loading.then(({ pageEngine }) => pageEngine(options, early, appear)));
    return host.then((engine) => engine.status());
  },
  connect(port) {
    const lane = serveLane(port, handle, () => relays.delete(lane), showLife);
    relays.add(lane);
  },
  status: async () => (await host).status(),
  reset: async () => (await host).reset(),
  async exportTo(port, onProgress) {
    const engine = await host;
    return new Promise((resolve) => {
      // Its reader may stop before the end, and nobody must go on waiting for it then.
      writeBytes(engine.exportFile(onProgress, resolve), port, () => resolve({ ok: true, value: null }));
    });
  },
  importFrom: async (port, options) => (await host).importFile(readBytes(port), options),
  async suspend() {
    endRelays();
    await (await host).suspend();
  },
  async close() {
    endRelays();
    await (await host).suspend(true);
  },
  hide: async (isHidden) => (await host).hide(isHidden),
};

onmessage = ({ data }: MessageEvent<MessagePort>) => {
  expose(api, data);
  serveLane(self, handle);
};
