// Requests from inside the page, with everything a client can see of the answer.
import type { Page } from 'playwright/test';

export const ROOT = 'Bearer secret';

export interface Asked {
  readonly method?: string;
  readonly path?: string;
  /** Sent as it is. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export type Via = 'fetch' | 'XMLHttpRequest';

/** Sends a request of the page by one of the browser's two interfaces. The path may be a full address. */
export function send(page: Page, via: Via, { method = 'POST', path = '/', body, headers = {} }: Asked): Promise<Answered> {
  const asked = { method, path, body: body ?? null, headers };
  return via === 'fetch' ? page.evaluate(byFetch, asked) : page.evaluate(byXhr, asked);
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

async function byFetch({ method, path, body, headers }: Sent): Promise<Answered> {
  const response = await fetch(path, { method, headers, body });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

function byXhr({ method, path, body, headers }: Sent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.onerror = () => reject(new Error('XMLHttpRequest failed'));
    request.onload = () => {
      const lines = request.getAllResponseHeaders().trim().split('\r\n').map((line) => line.split(': ', 2));
      resolve({ status: request.status, headers: Object.fromEntries(lines), text: request.responseText });
    };
    request.send(body);
  });
}
