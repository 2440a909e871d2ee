/** What `X-FaunaDB-API-Version` may say. */
export type ApiVersion = '2.0' | '2.1' | '2.7' | '2.12' | '3' | '4';

export interface CallOptions {
  /** Key, token or scoped secret; default: the root secret given to `open`, else `secret`. */
  readonly secret?: string | undefined;
}

export interface QueryOptions extends CallOptions {
  /** That of the language and of its wire format, for the request and the answer; default `4`. */
  readonly version?: ApiVersion | undefined;
}
