import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import type { Route } from '../protocol/routes.ts';

/** What the wrappers of fetch and XMLHttpRequest need to know. */
export interface ShimHost {
  /** The route of a request of ours, `null` for any other and for what is no address. */
  route(address: string | URL, method: string): Route | null;
  /** Whether the service worker answers it at this moment; else the shim does. */
  passes(route: Route): boolean;
  /** To be waited for before `passes` is asked; whoever cannot wait is answered by the shim. */
  settling(route: Route): Promise<void> | null;
  /** Never rejects. */
  handle(request: HttpRequest): Promise<HttpResponse>;
  readonly origin: string;
}
