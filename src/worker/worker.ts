// The engine's own thread. Its lanes come from the page that started it and, through that
// page, from the service worker.
import { expose } from 'comlink';
import { hostEngine } from '../host/engine-host.ts';
import type { EngineHost } from '../host/engine-host.ts';
import { readBytes } from '../protocol/byte-stream.ts';
import { writeBytes } from '../protocol/byte-writer.ts';
import { serveLane } from '../protocol/lane-server.ts';
import type { LaneServer } from '../protocol/lane-server.ts';
import type { WorkerApi } from '../protocol/worker-api.ts';

let host: EngineHost | null = null;
const relays = new Set<LaneServer>();

function opened(): EngineHost {
  if (host === null) throw new Error('open() comes first');
  return host;
}

const api: WorkerApi = {
  open(options) {
    host = hostEngine(options);
    return host.status();
  },
  connect(port, holder) {
    const lane = serveLane(
      port,
      (request) => opened().handle(request),
      () => relays.delete(lane),
      holder === 'service-worker',
    );
    if (holder === 'service-worker') relays.add(lane);
  },
  status: () => opened().status(),
  reset: () => opened().reset(),
  exportTo: (port, onProgress) =>
    new Promise((resolve) => {
      writeBytes(opened().exportFile(onProgress, resolve), port);
    }),
  importFrom: (port, options) => opened().importFile(readBytes(port), options),
  async suspend() {
    for (const relay of relays) relay.close();
    relays.clear();
    await opened().suspend();
  },
  hide: (isHidden) => opened().hide(isHidden),
};

expose(api);
