// Servers of a test's own, on ports that no test before it had.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  readonly port: number;
  /** Ends the server and every connection to it. */
  stop(): Promise<void>;
}

/** What a browser keeps, it keeps by address: a port that comes again brings the database of an earlier test with it. */
const used = new Set<number>();

export async function listen(server: Server): Promise<Listening> {
  for (;;) {
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const { port } = server.address() as AddressInfo;
    if (!used.has(port)) {
      used.add(port);
      return { port, stop: () => ended(server) };
    }
    await ended(server);
  }
}

const ended = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
