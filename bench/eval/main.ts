// The engine alone, in Node: how fast expressions are read and evaluated, and JSON beside
// the platform's own.
import { createEngine, type Engine } from '../../src/engine/index.ts';
import { memoryLogStore } from '../../src/engine/kv/memory.ts';
import { readJson, writeJson } from '../../src/engine/value/json.ts';
import { testPlatform } from '../../src/testing/platform.ts';
import { numbers } from '../site/posts.ts';
import { jsonText, QUERIES } from './queries.ts';

/** Milliseconds that each case is run for, after as long a warm-up. */
const FOR_MS = 700;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function ask(engine: Engine, body: Uint8Array, id: string): Promise<string> {
  const headers = { authorization: 'Bearer secret', 'x-faunadb-api-version': '4' };
  const response = await engine.handle({ method: 'POST', path: '/', search: '', headers, body, id });
  const text = decoder.decode(response.body as Uint8Array);
  if (response.status >= 400) throw new Error(text);
  return text;
}

async function rate(act: (at: number) => unknown): Promise<number> {
  let perSecond = 0;
  for (let pass = 0; pass < 2; pass++) {
    const began = performance.now();
    let count = 0;
    while (performance.now() - began < FOR_MS) await act(count++);
    perSecond = (count * 1000) / (performance.now() - began);
  }
  return perSecond;
}

const shown = (value: number): string => new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }).format(value);

async function queries(): Promise<void> {
  // A clock of the machine's own: the tests' one moves with every look.
  const platform = { ...testPlatform(), now: () => Date.now() * 1000 };
  const engine = await createEngine({ store: memoryLogStore(), platform });
  let requests = 0;
  const send = (query: string): Promise<string> => ask(engine, encoder.encode(query), `bench-${++requests}`);
  for (const { name, prepare = [], query, per } of QUERIES) {
    for (const before of prepare) await send(before);
    const bytes = (at: number): Uint8Array => encoder.encode(typeof query === 'string' ? query : query(at));
    const perSecond = await rate((at) => ask(engine, bytes(at), `bench-${++requests}`));
    console.log(`  ${name.padEnd(44)} ${shown(perSecond).padStart(9)} requests/s ${shown(perSecond * per.count).padStart(10)} ${per.what}/s`);
  }
  await engine.close();
}

async function json(): Promise<void> {
  const text = jsonText(1_000_000, numbers(7));
  const [value, native] = [readJson(text), JSON.parse(text) as unknown];
  const cases = [
    ['read 1 MB of JSON', () => readJson(text), () => JSON.parse(text) as unknown],
    ['render 1 MB of JSON', () => writeJson(value), () => JSON.stringify(native)],
  ] as const;
  for (const [name, ours, theirs] of cases) {
    const [mine, native] = [await rate(ours), await rate(theirs)];
    console.log(`  ${name.padEnd(44)} ${shown(mine).padStart(9)} times/s    ${shown(native / mine).padStart(9)} times native's time`);
  }
}

console.log('\nThe engine in Node, in memory, request to response');
await queries();
console.log('\nJSON');
await json();
