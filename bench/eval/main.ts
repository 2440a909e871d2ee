// The engine alone, in Node: how fast expressions are read and evaluated, and JSON beside
// the platform's own.
import { createEngine, type Engine } from '../../src/engine/index.ts';
import { memoryLogStore } from '../../src/engine/kv/memory.ts';
import { readJson, writeJson } from '../../src/engine/value/json.ts';
import { testPlatform } from '../../src/testing/platform.ts';
import { firstSending } from '../../src/protocol/sending.ts';
import { numbers } from '../site/posts.ts';
import { jsonText, PREPARATION, QUERIES } from './queries.ts';

/** Each case is run in so many slices, and the fastest counts: a busy machine only ever adds time. */
const SLICES = 12;
const SLICE_MS = 60;

const [, , part = ''] = process.argv;
const wanted = (name: string): boolean => name.includes(part);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function ask(engine: Engine, body: Uint8Array): Promise<string> {
  const headers = { authorization: 'Bearer secret', 'x-faunadb-api-version': '4' };
  const response = await engine.handle({ method: 'POST', path: '/', search: '', headers, body, ...firstSending() });
  const text = decoder.decode(response.body as Uint8Array);
  if (response.status >= 400) throw new Error(text);
  return text;
}

type Act = (at: number) => unknown;

/** Milliseconds this process has been computing, whatever else the machine does. */
function computing(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** How often each of them runs in a second of computing; they take turns, slice by slice. */
async function rates(...acts: readonly Act[]): Promise<number[]> {
  const fastest = acts.map(() => 0);
  let count = 0;
  for (let slice = 0; slice < SLICES; slice++) {
    for (const [index, act] of acts.entries()) {
      const first = count;
      const began = computing();
      let spent = 0;
      for (; spent < SLICE_MS; spent = computing() - began) await act(count++);
      fastest[index] = Math.max(fastest[index] ?? 0, ((count - first) * 1000) / spent);
    }
  }
  return fastest;
}

const shown = (value: number): string => new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }).format(value);

async function queries(): Promise<void> {
  // A clock of the machine's own: the tests' one moves with every look.
  const platform = { ...testPlatform(), now: () => Date.now() * 1000 };
  const engine = await createEngine({ store: memoryLogStore(), platform, report: (error) => console.error(error) });
  const send = (query: string): Promise<string> => ask(engine, encoder.encode(query));
  for (const before of PREPARATION) await send(before);
  for (const { name, query, per } of QUERIES) {
    if (!wanted(name)) continue;
    const bytes = (at: number): Uint8Array => encoder.encode(typeof query === 'string' ? query : query(at));
    const [perSecond = 0] = await rates((at) => ask(engine, bytes(at)));
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
    if (!wanted(name)) continue;
    const [mine = 0, native = 0] = await rates(ours, theirs);
    console.log(`  ${name.padEnd(44)} ${shown(mine).padStart(9)} times/s    ${shown(native / mine).padStart(9)} times native's time`);
  }
}

console.log('\nThe engine in Node, in memory, request to response');
await queries();
console.log('\nJSON');
await json();
