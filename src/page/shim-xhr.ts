// XMLHttpRequest for our addresses: a subclass that takes over once `open` has named one of
// them, and is the native object in every other case. Handlers such as `onload` work
// because the events are dispatched on that native object, which meanwhile stays as if
// just opened: what we do not answer ourselves, it answers as a request without a response.
import { fromPage, isStream } from '../protocol/fetch-messages.ts';
import { joined } from '../protocol/request-body.ts';
import type { Route } from '../protocol/routes.ts';
import { sendingHeaders } from '../protocol/sending.ts';
import { after } from '../protocol/steady.ts';
import type { HttpResponse } from '../engine/http/message.ts';
import { parsed, textOf } from './answer.ts';
import type { ShimHost } from './shim-host.ts';

/** What was opened and sent so far; replaced by each `open`. */
interface Exchange {
  readonly url: URL;
  readonly method: string;
  readonly route: Route;
  readonly headers: Headers;
  state: number;
  sent: boolean;
  answer: HttpResponse | null;
  /** What is still to come of the answer. */
  chunks?: Chunks;
  received: Uint8Array[];
  loaded: number;
  /** The value of `response`, made once: the same object at each reading. */
  made?: { readonly value: unknown };
  overrideType?: string;
  /** Calls off the time limit. */
  spare?: () => void;
}

const UNSENT = 0;
const OPENED = 1;
const HEADERS_RECEIVED = 2;
const LOADING = 3;
const DONE = 4;

type Ending = 'load' | 'error' | 'abort' | 'timeout';

export function shimXMLHttpRequest(Native: typeof XMLHttpRequest, host: ShimHost): typeof XMLHttpRequest {
  return class extends Native {
    #exchange: Exchange | null = null;
    /** Ours, and answered by the service worker: gets an id by which it is known should it arrive there twice. */
    #isPassed = false;

    override open(...args: readonly [method: string, address: string | URL, async?: boolean, user?: string | null, password?: string | null]) {
      const [method, address] = args;
      const route = host.route(address, method);
      // A page cannot answer itself while it waits, and Chromium asks no service worker: query and secret would go to the network.
      // Given at all, `undefined` means the same as `false`.
      if (route !== null && args.length > 2 && !args[2]) throw new DOMException('A synchronous request cannot be answered.', 'InvalidAccessError');
      const [former, wasPassed] = [this.#exchange, this.#isPassed];
      this.#isPassed = route !== null && host.passes(route) && host.settling(route) === null;
      this.#exchange = route !== null && !this.#isPassed ? {
        url: new URL(address, document.baseURI), method: method.toUpperCase(), route, headers: new Headers(), state: OPENED, sent: false, answer: null, received: [], loaded: 0,
      } : null;
      try {
        super.open(...(args as Required<typeof args>));
      } catch (error) {
        [this.#exchange, this.#isPassed] = [former, wasPassed];
        throw error;
      }
      if (former !== null) giveUp(former);
      // As the native object has been open all the while, it does not tell.
      if (former !== null && former.state !== OPENED) this.dispatchEvent(new Event('readystatechange'));
    }

    override setRequestHeader(name: string, value: string) {
      const exchange = this.#exchange;
      if (exchange === null) return super.setRequestHeader(name, value);
      checkUnsent(exchange);
      // Refuses what is no header, as it always does.
      super.setRequestHeader(name, value);
      exchange.headers.append(name, value);
    }

    override overrideMimeType(type: string) {
      if (this.#exchange === null) return super.overrideMimeType(type);
      this.#exchange.overrideType = type;
    }

    override send(body: Document | XMLHttpRequestBodyInit | null = null) {
      const exchange = this.#exchange;
      if (exchange === null) {
        if (this.#isPassed) for (const [name, value] of sendingHeaders()) super.setRequestHeader(name, value);
        return super.send(body);
      }
      checkUnsent(exchange);
      exchange.sent = true;
      const content = /^(GET|HEAD)$/.test(exchange.method) ? null : body;
      this.#progress(this, 'loadstart', 0);
      if (content !== null) this.#progress(this.upload, 'loadstart', 0);
      if (this.timeout > 0) exchange.spare = after(this.timeout, () => this.#end(exchange, 'timeout'));
      this.#run(exchange, content).catch(() => this.#end(exchange, 'error'));
    }

    override abort() {
      const exchange = this.#exchange;
      if (exchange === null) return super.abort();
      if (exchange.sent && exchange.state !== DONE) this.#end(exchange, 'abort');
      if (exchange.state !== DONE) return;
      drop(exchange);
      exchange.state = UNSENT;
    }

    override get readyState() {
      return this.#exchange?.state ?? super.readyState;
    }

    override get status() {
      return this.#exchange?.answer?.status ?? super.status;
    }

    override get responseURL() {
      const exchange = this.#exchange;
      return exchange?.answer ? exchange.url.href.replace(/#.*$/, '') : super.responseURL;
    }

    override getResponseHeader(name: string) {
      const answer = this.#exchange?.answer;
      return answer ? (answer.headers[name.toLowerCase()] ?? null) : super.getResponseHeader(name);
    }

    override getAllResponseHeaders() {
      const answer = this.#exchange?.answer;
      if (!answer) return super.getAllResponseHeaders();
      return Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`).sort().join('');
    }

    override get responseText(): string {
      const exchange = this.#exchange;
      // Throws where another type was asked for.
      const text = super.responseText;
      return exchange !== null && exchange.state >= LOADING ? textOf(bytesOf(exchange)) : text;
    }

    override get response(): unknown {
      const exchange = this.#exchange;
      if (exchange === null) return super.response;
      if (/^(text)?$/.test(this.responseType)) return this.responseText;
      if (exchange.state !== DONE || exchange.answer === null) return null;
      exchange.made ??= { value: converted(exchange, this.responseType) };
      return exchange.made.value;
    }

    async #run(exchange: Exchange, body: Document | XMLHttpRequestBodyInit | null): Promise<void> {
      const { url, method, route, headers } = exchange;
      const content = body instanceof Document ? new XMLSerializer().serializeToString(body) : body;
      const request = new Request(url, { method, headers, body: content });
      const plain = await fromPage(request, route, host.origin);
      if (this.#over(exchange)) return;
      const size = plain.body?.length ?? 0;
      if (body !== null) for (const type of ['progress', 'load', 'loadend']) this.#progress(this.upload, type, size, size);

      const answer = await host.handle(plain);
      exchange.chunks = chunksOf(answer.body);
      if (this.#over(exchange)) return giveUp(exchange);
      exchange.answer = answer;
      this.#state(exchange, HEADERS_RECEIVED);
      for (let next = await exchange.chunks.next(); method !== 'HEAD' && next.done !== true; next = await exchange.chunks.next()) {
        if (this.#over(exchange)) return;
        const chunk = next.value;
        exchange.received.push(chunk);
        exchange.loaded += chunk.byteLength;
        this.#state(exchange, LOADING);
        this.#progress(this, 'progress', exchange.loaded, lengthOf(exchange));
      }
      this.#end(exchange, 'load');
    }

    /** An `open`, `abort` or time limit has put an end to it. A handler may do so at any event. */
    #over(exchange: Exchange): boolean {
      return this.#exchange !== exchange || exchange.state === DONE || exchange.state === UNSENT;
    }

    #state(exchange: Exchange, state: number): void {
      if (this.#over(exchange)) return;
      exchange.state = state;
      this.dispatchEvent(new Event('readystatechange'));
    }

    #end(exchange: Exchange, ending: Ending): void {
      if (this.#over(exchange)) return;
      if (ending !== 'load') drop(exchange);
      exchange.spare?.();
      this.#state(exchange, DONE);
      // As browsers do: no `load` where a handler has opened it again or aborted, but what has begun to be told is told.
      if (ending === 'load' && this.readyState !== DONE) return;
      for (const type of [ending, 'loadend']) this.#progress(this, type, exchange.loaded, lengthOf(exchange));
    }

    #progress(target: EventTarget, type: string, loaded: number, total = 0): void {
      target.dispatchEvent(new ProgressEvent(type, { lengthComputable: total > 0, loaded, total }));
    }
  };
}

/** @throws DOMException */
function checkUnsent({ state, sent }: Exchange): void {
  if (state !== OPENED || sent) throw new DOMException('The request was sent.', 'InvalidStateError');
}

type Chunks = Iterator<Uint8Array> | AsyncIterator<Uint8Array>;

function chunksOf(body: HttpResponse['body']): Chunks {
  if (isStream(body)) return body[Symbol.asyncIterator]();
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return (bytes.byteLength > 0 ? [bytes] : []).values();
}

/** Ends an answer that nobody reads to its end. */
function giveUp({ spare, chunks }: Exchange): void {
  spare?.();
  void chunks?.return?.();
}

/** What the whole answer will come to, 0 if nobody knows. */
function lengthOf({ answer }: Exchange): number {
  return answer?.body instanceof Uint8Array ? answer.body.byteLength : 0;
}

/** Nothing is left of its answer. */
function drop(exchange: Exchange): void {
  giveUp(exchange);
  Object.assign(exchange, { answer: null, received: [], loaded: 0 } satisfies Partial<Exchange>);
}

/** A copy, to be given away. */
function bytesOf({ received, loaded }: Exchange): Uint8Array<ArrayBuffer> {
  return joined(received, loaded).slice();
}

function converted(exchange: Exchange, type: XMLHttpRequestResponseType): unknown {
  const bytes = bytesOf(exchange);
  if (type === 'arraybuffer') return bytes.buffer;
  if (type === 'blob') {
    return new Blob([bytes], { type: exchange.overrideType ?? exchange.answer?.headers['content-type'] ?? '' });
  }
  return type === 'json' ? (parsed(textOf(bytes)) ?? null) : null;
}
