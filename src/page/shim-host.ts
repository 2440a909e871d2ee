import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import type { Route } from '../protocol/routes.ts';

/** What the wrappers of fetch and XMLHttpRequest need to know. */
export interface ShimHost {
  /** The route of a request the shim is to answer, `null` for one that goes its usual way. */
  route(url: URL, method: string): Route | null;
  /** Never rejects. */
  handle(request: HttpRequest): Promise<HttpResponse>;
  readonly origin: string;
}
