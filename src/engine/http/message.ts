// Requests and responses as plain data, so that a worker message, a test and a Node server
// carry the same thing.

/** A request as the engine sees it. Header names are lower case; the body is the raw bytes, or the text they would be. */
export interface HttpRequest {
  readonly method: string;
  /** Path below the base of the service, beginning with `/`, without the query string. */
  readonly path: string;
  /** Query string without `?`, or `''`. */
  readonly search: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | null;
  /** Whoever asks looks at status and body alone: the answer has no headers, and a body that is no stream is text. */
  readonly bare?: true;
  /** Secret random id, the same on every retry of one request; makes a write apply once. */
  readonly id: string;
  /** Sent before under this id: its effect may be in the log already. */
  readonly resent?: boolean | undefined;
  /** When it was first sent, in microseconds of the sender's clock; the same on every retry. */
  readonly sentAt?: number | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | AsyncIterable<Uint8Array>;
}
