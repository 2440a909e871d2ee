// The built site from a server of the test's own, which can be taken away.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { listen } from './server.ts';

export interface Site {
  /** Of the page, ending with the base path. */
  readonly address: string;
  /** Ends the server and every connection to it. */
  stop(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

export interface Host {
  /** Below which the files lie; default `/`. */
  readonly base?: string;
  /** Leaves `index.html` and `.html` out of addresses, and redirects who names them; default false. */
  readonly cleanUrls?: boolean;
  /** Texts of files in the place of those in the folder, or beside them, by their names. */
  readonly own?: Readonly<Record<string, string>>;
  /** Names of files that are not to be had for as long as they are in it. */
  readonly lost?: ReadonlySet<string>;
  /** Called with each request's file and with what asks for it (`Sec-Fetch-Dest`): the answer waits for what it gives. */
  readonly hold?: (name: string, destination: string) => Promise<void> | undefined;
  /** Sent with every file. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves files and nothing else, as the plainest static host does: GET and HEAD, 404 for what is not there. */
export async function serve(folder: string, { base = '/', cleanUrls = false, own = {}, lost, hold, headers = {} }: Host = {}): Promise<Site> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname.slice(base.length).replace(/(^|\/)$/, '$1index.html');
    const name = cleanUrls && extname(path) === '' ? `${path}.html` : path;
    const file = join(folder, name);
    await hold?.(name, String(request.headers['sec-fetch-dest']));
    const isFile = pathname.startsWith(base) && !name.includes('..') && lost?.has(name) !== true && (await stat(file).then((found) => found.isFile(), () => false));
    if (cleanUrls && pathname.endsWith('.html')) response.writeHead(301, { location: pathname.replace(/(?:index)?\.html$/, '') }).end();
    else if (request.method !== 'GET' && request.method !== 'HEAD') response.writeHead(405).end();
    else if (!isFile && own[name] === undefined) response.writeHead(404).end();
    else {
      response.writeHead(200, { ...headers, 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
      if (own[name] !== undefined) response.end(own[name]);
      else createReadStream(file).pipe(response);
    }
  });
  const { port, stop } = await listen(server);
  return { address: `http://localhost:${port}${base}`, stop };
}
