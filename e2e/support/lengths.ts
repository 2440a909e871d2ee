// What answers say of their own length, to both of the browser's interfaces.
import type { Page } from 'playwright/test';
import { createCollections, query } from './queries.ts';
import { V4 } from './wire.ts';

interface Lengths {
  readonly fetched: string | null;
  readonly requested: string | null;
  /** Of the events of XMLHttpRequest, each as bytes loaded of bytes in all. */
  readonly events: readonly string[];
  /** Of an answer to HEAD, with the bytes that came. */
  readonly head: readonly [told: string | null, came: number];
  readonly streamed: string | null;
}

/** The answer to `"é😀"` has 17 characters, and 21 bytes. */
export const LENGTHS: Lengths = {
  fetched: '21',
  requested: '21',
  events: ['progress 21/21', 'load 21/21', 'loadend 21/21'],
  head: ['32', 0],
  streamed: null,
};

export async function lengths(page: Page): Promise<Lengths> {
  await query(page, createCollections('lengths'));
  return page.evaluate(lengthsOf, V4.headers);
}

/** Runs in the page. */
async function lengthsOf(headers: Readonly<Record<string, string>>): Promise<Lengths> {
  const asked = { method: 'POST', body: '"é😀"', headers };
  const told = ({ headers }: Response): string | null => headers.get('content-length');
  const fetched = await fetch('./', asked);
  const head = await fetch('./ping', { method: 'HEAD' });
  const stream = await fetch('./stream', { ...asked, body: '{"documents":{"collection":"lengths"}}' });
  await stream.body?.cancel();
  const events: string[] = [];
  const requested = await new Promise<string | null>((resolve) => {
    const xhr = new XMLHttpRequest();
    for (const type of ['progress', 'load', 'loadend'] as const) {
      xhr.addEventListener(type, ({ lengthComputable, loaded, total }) => events.push(`${type} ${loaded}/${lengthComputable ? total : '?'}`));
    }
    xhr.addEventListener('loadend', () => resolve(xhr.getResponseHeader('Content-Length')));
    xhr.open(asked.method, './');
    for (const [name, value] of Object.entries(asked.headers)) xhr.setRequestHeader(name, value);
    xhr.send(asked.body);
  });
  return { fetched: told(fetched), requested, events, head: [told(head), (await head.arrayBuffer()).byteLength], streamed: told(stream) };
}
