// Files of this build, kept so that what needs them opens offline. Only these, by exact address,
// are ever answered from here: an application's own pages and files are its own affair.

export interface Shell {
  /** Fetches the files. Fails where the page is one of them and cannot be fetched; any other file may come from the network later. */
  install(): Promise<void>;
  /** Drops the files of earlier builds. */
  cleanUp(): Promise<void>;
  /** An answer for a request for one of the files, `null` for all others. */
  answer(request: Request, url: URL): Promise<Response> | null;
  /** Keeps one more file, which pages are not given, unless what its host says of it is against that. @throws where it cannot be had, or be kept */
  keep(file: Sealed, isFit: (headers: Headers) => boolean): Promise<boolean>;
  /** @throws where it is not kept any more, and cannot be fetched again */
  text(file: Sealed): Promise<string>;
}

/** A file of this build and of no other. */
export interface Sealed {
  readonly address: string;
  /** Its SHA-256 in Base64. */
  readonly hash: string;
}

/** How long the network may take for a page that is also kept here. */
const NAVIGATION_MS = 3_000;

/** How long it may take for a file that was kept and is not there any more. */
const AGAIN_MS = 10_000;

/**
 * @param scope address of the site's base
 * @param files of the build, relative to it; the page itself is `index.html`
 * @param version changes with any file
 */
export function openShell(scope: URL, files: readonly string[], version: string): Shell {
  const prefix = `vivarium-shell ${scope.pathname} `;
  const cacheName = prefix + version;
  const page = new URL('index.html', scope).href;
  const addresses: ReadonlySet<string> = new Set(files.map((file) => new URL(file, scope).href));
  const hasPage = addresses.has(page);

  const isHashed = (address: string): boolean => address.startsWith(scope.href) && HASHED.test(address.slice(scope.href.length));

  const stored = async (address: string): Promise<Response | undefined> => (await caches.open(cacheName)).match(address);

  /** What cannot be read counts as not kept: the network may be there. */
  const storedIfReadable = (address: string): Promise<Response | undefined> => stored(address).catch(() => undefined);

  /**
   * From the network. One whose own name says nothing of its version may come from another build, as while one is being
   * uploaded: it then names files that this one has not.
   */
  const fresh = async (address: string, signal?: AbortSignal): Promise<Response> => {
    const response = await fetched(address, signal);
    if (!addresses.has(address) || isHashed(address) || !/\.(?:html|js)$/.test(address)) return response;
    const named = ((await response.clone().text()).match(FILES) ?? []).map((name) => new URL(name, address).href);
    if (named.some((file) => isHashed(file) && !addresses.has(file))) throw new Error(`${address} is of another build`);
    return response;
  };

  const keep = async (address: string, response: Response): Promise<void> => (await caches.open(cacheName)).put(address, response);
  const fetchAndKeep = async (address: string): Promise<void> => keep(address, await fresh(address));

  /** What could not be had at install is kept when it is asked for, if there is room. */
  const found = async (address: string, signal?: AbortSignal): Promise<Response> => {
    const response = await fresh(address, signal);
    await keep(address, response.clone()).catch(() => undefined);
    return response;
  };

  const file = async (request: Request): Promise<Response> => (await storedIfReadable(request.url)) ?? found(request.url).catch(() => fetch(request));

  /** Keeps what its host says of a file by now; where it is another one, as a gateway's answer may be, the file stays as it is. */
  const renew = async (address: string, kept: Response): Promise<void> => {
    const [response, text] = [await fresh(address, AbortSignal.timeout(AGAIN_MS)), await kept.text()];
    if ((await response.clone().text()) === text) await keep(address, response);
  };

  /**
   * A worker is under the policies that come with its script, and a page with policies of its own may start no other: those
   * of today. Its host may have had none when the script was kept. One that isolates is right for every page, and what the
   * host says besides is kept for the next time.
   */
  const worker = async (request: Request): Promise<Response> => {
    const kept = await storedIfReadable(request.url);
    if (kept !== undefined) renew(request.url, kept.clone()).catch(() => undefined);
    const { body, status, headers } = kept ?? (await found(request.url).catch(() => fetch(request)));
    const isolating = new Headers(headers);
    isolating.set('cross-origin-embedder-policy', 'require-corp');
    return new Response(body, { status, headers: isolating });
  };

  /** A file of a later build, whose page is here before its service worker takes over. That one has kept it already. */
  const later = (request: Request): Promise<Response> => fetch(request).catch(async () => (await caches.match(request.url)) ?? Response.error());

  /** The network first, so that a new build shows at once; the kept page when it fails, as a server behind another one may, or dawdles. */
  const navigation = async (request: Request, page: string): Promise<Response> => {
    const asked = fetch(request);
    const kept = await storedIfReadable(page);
    if (kept === undefined) return asked;
    const late = new Promise<Response>((resolve) => setTimeout(resolve, NAVIGATION_MS, kept));
    return Promise.race([asked.then((response) => (response.status < 500 ? response : kept), () => kept), late]);
  };

  /** The address a page is kept under, `null` for what is none of ours. Some hosts leave `index.html` and `.html` out of addresses. */
  const pageAt = (url: URL): string | null => {
    const address = url.origin + url.pathname;
    if (address === scope.href) return hasPage ? page : null;
    return [address, `${address}.html`].find((each) => isPage(each) && addresses.has(each)) ?? null;
  };

  return {
    async install() {
      const others = [...addresses].filter((address) => address !== page);
      // Without the page nothing opens offline, and a next try may find it.
      await Promise.all([hasPage ? fetchAndKeep(page) : null, Promise.allSettled(others.map(fetchAndKeep))]);
    },
    async cleanUp() {
      const names = await caches.keys();
      const old = names.filter((name) => name.startsWith(prefix) && name !== cacheName);
      await Promise.all(old.map((name) => caches.delete(name)));
    },
    async keep(file, isFit) {
      const response = await fetched(file.address);
      if (!isFit(response.headers)) return false;
      await textOf(file, response.clone());
      await keep(file.address, response);
      return true;
    },
    text: (file) =>
      // What was kept may have been thrown away or replaced, by any page of this origin.
      stored(file.address)
        .then((response) => textOf(file, response))
        .catch(async () => textOf(file, await found(file.address, AbortSignal.timeout(AGAIN_MS)))),
    answer(request, url) {
      if (request.method !== 'GET') return null;
      if (request.mode === 'navigate') {
        const kept = pageAt(url);
        return kept === null ? null : navigation(request, kept);
      }
      if (addresses.has(request.url)) return request.destination === 'worker' ? worker(request) : file(request);
      return hasPage && isHashed(url.href) ? later(request) : null;
    },
  };
}

/** Addresses that may be of files of ours. */
const FILES = /[^"'\s()]*(?:vivarium|assets)\/[\w.-]+-[\w-]{8}\.(?:js|css)\b/g;

/** Names, below the site's base, of files that change with what is in them. */
const HASHED = /^(?:vivarium|assets)\/[\w.-]+-[\w-]{8}\.(?:js|css)$/;

/** @throws Error where it is another file */
async function textOf({ address, hash }: Sealed, response: Response | undefined): Promise<string> {
  const bytes = await response?.arrayBuffer();
  if (bytes === undefined || toBase64(await crypto.subtle.digest('SHA-256', bytes)) !== hash) throw new Error(`${address} is not that of this build`);
  return new TextDecoder().decode(bytes);
}

const toBase64 = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)));

const isPage = (address: string): boolean => address.endsWith('.html');

/** @throws Error for anything but the file: many hosts answer with a page where there is none, and recordings of what a service worker fetched with nothing */
async function fetched(address: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(new Request(address, { cache: 'reload', ...(signal && { signal }) }));
  const isHtml = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  const { size } = await response.clone().blob();
  if (!response.ok || (isHtml && !isPage(address)) || size === 0) throw new Error(`no ${address}`);
  // The browser refuses what came by way of another address as the answer to a navigation. All else stays what the
  // network gave: only of such scripts Chromium keeps the compiled code, without which a start takes half as long again.
  return response.redirected ? new Response(response.body, response) : response;
}
