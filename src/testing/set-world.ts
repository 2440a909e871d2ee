// A random database that is written to an engine and to the slow model at once.
import { isArray, Ref, type Value } from '../engine/value/value.ts';
import { succeeded, type TestClient, testClient } from './client.ts';
import { Gen } from './gen.ts';
import { memoryLog, memoryLogStore } from '../engine/kv/memory.ts';
import { testPlatform } from './platform.ts';
import { type Data, type DocumentEvent, type Element, type ModelEvent, type ModelIndex, type ModelVersion, type SetExpr, SetModel, shapeOf } from './set-model.ts';

const COLLECTIONS = ['things', 'parts'] as const;
const FIRST = 1024;
/** Longer than any test lets the clock run by looking at it. */
export const HOUR = 3_600_000_000;
export const THINGS = FIRST;
export const PARTS = FIRST + 1;

const index = (name: string, sources: readonly number[], terms: readonly string[], values: readonly string[]): ModelIndex => ({
  name,
  sources,
  terms,
  values: values.map((value) => ({ field: value.replace('-', ''), reverse: value.startsWith('-') })),
});

/** Indexes of every make: with and without terms and values, reversed, over arrays, over both collections. */
export const INDEXES = {
  all: index('all', [THINGS], [], []),
  everything: index('everything', [THINGS, PARTS], [], []),
  byKind: index('by_kind', [THINGS], ['kind'], []),
  bothByKind: index('both_by_kind', [THINGS, PARTS], ['kind'], []),
  byOwner: index('by_owner', [THINGS, PARTS], ['owner'], []),
  numbers: index('numbers', [THINGS], [], ['n']),
  refs: index('refs', [THINGS, PARTS], [], ['ref']),
  numbersDown: index('numbers_down', [THINGS, PARTS], [], ['-n']),
  numbersByKind: index('numbers_by_kind', [THINGS, PARTS], ['kind'], ['n']),
  tags: index('tags', [THINGS], [], ['tags']),
  mixed: index('mixed', [THINGS, PARTS], [], ['n', '-s', 'ref']),
  byTagAndKind: index('by_tag_and_kind', [THINGS], ['tags', 'kind'], ['s']),
  kinds: index('kinds', [PARTS], [], ['kind']),
  owners: index('owners', [THINGS], [], ['owner']),
  folded: index('folded', [THINGS, PARTS], ['fold:s'], ['-fold:s', 'n']),
  doubled: index('doubled', [THINGS, PARTS], ['kind'], ['twice:s', 'tags']),
} as const satisfies Record<string, ModelIndex>;

/** No two documents have both the same owner and the same number; where it is used, it is there from the start. */
export const UNIQUE: ModelIndex = index('unique', [THINGS, PARTS], ['owner'], ['n']);

export interface WorldOptions {
  /** So many engines on one log take turns; their upkeep falls between anything. */
  readonly engines?: number;
  /** Whether writes have to be unique. */
  readonly unique?: boolean;
}

/** Rows go into blocks all the time. */
const RESTLESS = { flushAt: 4000, cacheBytes: 1_000_000 };

export class World {
  readonly model = new SetModel();
  readonly gen: Gen;
  /** Times of all commits so far. */
  readonly times: number[] = [];
  private readonly made = new Set<string>();
  /** Chooses engines and moments of upkeep; the data do not depend on these. */
  private readonly turns: Gen;

  private constructor(
    private readonly clients: readonly TestClient[],
    seed: number,
    private readonly isUnique: boolean,
  ) {
    this.gen = new Gen(seed);
    this.turns = new Gen(seed + 1);
  }

  static async make(seed: number, { engines = 1, unique = false }: WorldOptions = {}): Promise<World> {
    const clients: TestClient[] = [];
    const [log, platform] = [memoryLog(), testPlatform()];
    while (clients.length < engines) clients.push(engines === 1 ? await testClient() : await testClient(memoryLogStore(log), platform, RESTLESS));
    const world = new World(clients, seed, unique);
    for (const name of COLLECTIONS) await world.ask(`{"create_collection":{"object":{"name":"${name}","history_days":null}}}`);
    if (unique) await world.makeIndex(UNIQUE);
    return world;
  }

  /** The engine whose turn it is. */
  get client(): TestClient {
    return this.clients.length === 1 ? (this.clients[0] as TestClient) : this.turns.pick(this.clients);
  }

  /** Lets one engine do upkeep, to its end or into what comes next. */
  private async tidy(): Promise<void> {
    if (this.clients.length === 1) return;
    const tidying = this.turns.below(6) === 0 ? this.client.engine.upkeep() : undefined;
    if (this.turns.bool()) await tidying;
  }

  /** Waits until every index is built. */
  async settle(): Promise<void> {
    for (const { engine } of this.clients) {
      while ((await engine.status()).builds.length > 0) await engine.upkeep();
    }
  }

  /** The answer's resource as text. @throws Error when it is an error */
  async ask(query: string, version = '4'): Promise<string> {
    await this.tidy();
    const { text } = succeeded(await this.client.query(query, version), query);
    return text.slice('{"resource":'.length, -1);
  }

  /** Makes an index; what was written before is built in. */
  async makeIndex(definition: ModelIndex): Promise<void> {
    if (this.made.has(definition.name)) return;
    this.made.add(definition.name);
    const from = (name: string): string => (name === 'ref' ? '"field":["ref"]' : FROM[name.split(':')[0] ?? '']?.(name.split(':')[1] ?? '') ?? `"field":["data","${name}"]`);
    const terms = definition.terms.map((name) => `{"object":{${from(name)}}}`).join();
    const values = definition.values.map((value) => `{"object":{${from(value.field)},"reverse":${value.reverse}}}`).join();
    const isBound = definition.values.some(({ field }) => field.startsWith('twice:'));
    const sources = definition.sources.map((number) => json(new Ref(1, BigInt(number), 0n))).join();
    const source = isBound ? `{"object":{"collection":[${sources}],"fields":{"object":{"twice":${TWICE}}}}}` : `[${sources}]`;
    await this.ask(
      `{"create_index":{"object":{"name":"${definition.name}","source":${source},"terms":[${terms}],"values":[${values}]${definition === UNIQUE ? ',"unique":true' : ''}}}}`,
    );
    if (this.clients.length === 1) await this.client.engine.upkeep();
  }

  async makeIndexes(): Promise<void> {
    for (const definition of Object.values(INDEXES)) await this.makeIndex(definition);
  }

  /** One transaction of up to `most` random writes. */
  async write(most = 4): Promise<void> {
    const chosen = new Map<string, Ref>();
    for (const ref of this.gen.list(most - 1, () => this.ref())) chosen.set(ref.identity, ref);
    const first = this.ref();
    chosen.set(first.identity, first);
    const writes = [...chosen.values()].map((ref) => this.plan(ref));
    await this.tidy();
    const reply = await this.client.query(`[${writes.map(({ query }) => query).join()}]`);
    const isTaken = this.isUnique && this.model.isTaken(UNIQUE, writes.map((write) => ({ ...write, ts: this.now })), this.now);
    if (isTaken !== reply.text.includes('"instance not unique"')) throw new Error(`unique: ${isTaken}, and the answer was ${reply.text}`);
    if (isTaken) return;
    const ts = Number(succeeded(reply).headers['x-txn-time']);
    this.times.push(ts);
    for (const { ref, data, ttl } of writes) this.model.write({ ref, ts, data, ttl });
  }

  /** Puts a version into the past of a document, or takes one out of it. */
  async rewrite(): Promise<void> {
    const { gen, model } = this;
    const ref = this.ref();
    const known = model.historyOf(ref).filter(() => gen.bool());
    const ts = known.length > 0 ? gen.pick(known).ts : gen.pick(this.times) + gen.below(3) - 1;
    const there = model.historyOf(ref).find((version) => version.ts === ts);
    if (there !== undefined && gen.bool()) {
      await this.ask(`{"remove":${json(ref)},"ts":${ts},"action":"${there.data === null ? 'delete' : 'create'}"}`);
      model.remove(ref, ts);
      return;
    }
    const data = gen.below(3) === 0 ? null : this.data();
    const ttl = data !== null && gen.below(4) === 0 ? ts + 1000 * (1 + gen.below(50_000)) : null;
    const params = data === null ? '' : `,"params":${paramsOf(data, ttl)}`;
    await this.ask(`{"insert":${json(ref)},"ts":${ts},"action":"${data === null ? 'delete' : 'create'}"${params}}`);
    model.write({ ref, ts, data, ttl });
  }

  /** Lets time pass, so that documents run out. */
  sleep(micros: number): void {
    this.client.platform.setNow(this.client.platform.now() + micros);
  }

  /** A time at which nothing changes any more whatever the clock does. */
  get now(): number {
    return this.client.platform.now();
  }

  private plan(ref: Ref): { ref: Ref; query: string; data: Data | null; ttl: number | null } {
    const here = this.model.at(ref, this.now);
    const data = this.data();
    const ttl = this.gen.below(8) === 0 ? Math.ceil((this.now + HOUR) / 1000) * 1000 : null;
    const params = paramsOf(data, ttl);
    if (here === null) return { ref, query: `{"create":${json(ref)},"params":${params}}`, data, ttl };
    const choice = this.gen.below(8);
    if (choice < 2) return { ref, query: `{"delete":${json(ref)}}`, data: null, ttl: null };
    if (choice < 5) return this.planUpdate(here, data);
    return { ref, query: `{"replace":${json(ref)},"params":${params}}`, data, ttl };
  }

  /** An update merges: what it names as null goes, what it does not name stays, the end of its life too. */
  private planUpdate({ ref, data: old, ttl }: ModelVersion, fresh: Data): { ref: Ref; query: string; data: Data | null; ttl: number | null } {
    const gone = Object.keys(old ?? {}).filter((key) => !(key in fresh) && this.gen.bool());
    const fields = [...Object.entries(fresh).map(([key, value]) => `"${key}":${json(value)}`), ...gone.map((key) => `"${key}":null`)];
    const data = Object.fromEntries(Object.entries({ ...old, ...fresh }).filter(([key]) => !gone.includes(key)));
    return { ref, query: `{"update":${json(ref)},"params":{"object":{"data":{"object":{${fields.join()}}}}}}`, data, ttl };
  }

  /** Few ids, so that documents change often; the same ones in both collections. */
  ref(): Ref {
    return new Ref(this.gen.pick([THINGS, PARTS]), BigInt(1 + this.gen.below(9)), 0n);
  }

  private data(): Data {
    const { gen } = this;
    const all: Record<string, () => Value> = {
      kind: () => gen.pick(['red', 'green', null]),
      n: () => gen.pick<Value>([1n, 2n, 2.5, 'x', null, this.ref()]),
      s: () => gen.pick(['a', 'b', '', 'ab', 'A', 'aB']),
      tags: () => gen.list(3, () => gen.pick<Value>(['p', 'q', 7n])),
      owner: () => this.ref(),
    };
    // A missing field and a null are one, and an array loses its nulls.
    const fields = Object.entries(all).filter(() => gen.below(6) > 0).map(([key, make]) => [key, make()] as const);
    return Object.fromEntries(fields.filter(([, value]) => value !== null));
  }

  // --- sets ------------------------------------------------------------------------------

  /** One set of every kind and make, over whatever the data are now. */
  sets(): [name: string, set: SetExpr][] {
    const { gen } = this;
    const match = (definition: ModelIndex, ...terms: readonly Value[]): SetExpr => ({ kind: 'match', index: definition, terms });
    const kind = (): Value => gen.pick(['red', 'green']);
    const union = (...members: readonly SetExpr[]): SetExpr => ({ kind: 'union', members });
    const intersection = (...members: readonly SetExpr[]): SetExpr => ({ kind: 'intersection', members });
    const difference = (...members: readonly SetExpr[]): SetExpr => ({ kind: 'difference', members });
    const distinct = (of: SetExpr): SetExpr => ({ kind: 'distinct', of });
    const reverse = (of: SetExpr): SetExpr => ({ kind: 'reverse', of });
    const range = (of: SetExpr, from: readonly Value[], to: readonly Value[]): SetExpr => ({ kind: 'range', of, from, to });
    const red = match(INDEXES.numbersByKind, 'red');
    const green = match(INDEXES.numbersByKind, 'green');
    return [
      ['match', match(INDEXES.all)],
      ['match over two collections', match(INDEXES.everything)],
      ['match of a term', match(INDEXES.byKind, kind())],
      ['match of a value', match(INDEXES.numbers)],
      ['match of a value from the greatest down', match(INDEXES.numbersDown)],
      ['match of an array', match(INDEXES.tags)],
      ['match of several values', match(INDEXES.mixed)],
      ['match of a folded term', match(INDEXES.folded, gen.pick(['a', 'ab', 'A']))],
      ['match of a binding', match(INDEXES.doubled, kind())],
      ['match of two terms', match(INDEXES.byTagAndKind, gen.pick<Value>(['p', 'q', null]), kind())],
      ['match of too many terms', match(INDEXES.byKind, 'red', 'green')],
      ['documents', { kind: 'documents', collection: gen.pick([THINGS, PARTS]) }],
      ['singleton', { kind: 'singleton', ref: this.ref() }],
      ['document', { kind: 'document', ref: this.ref() }],
      ['union of refs', union(match(INDEXES.bothByKind, 'red'), match(INDEXES.bothByKind, 'green'), { kind: 'documents', collection: PARTS })],
      ['union of values', union(red, green, match(INDEXES.numbers))],
      ['union of tuples', union(match(INDEXES.mixed), match(INDEXES.mixed))],
      ['intersection of refs', intersection(match(INDEXES.bothByKind, kind()), { kind: 'documents', collection: gen.pick([THINGS, PARTS]) })],
      ['intersection of values', intersection(red, match(INDEXES.numbers))],
      ['union of refs and covered refs', union({ kind: 'documents', collection: THINGS }, match(INDEXES.refs))],
      ['union of refs and values', union(match(INDEXES.everything), match(INDEXES.numbers), match(INDEXES.refs))],
      ['intersection of refs and covered refs', intersection(match(INDEXES.bothByKind, kind()), match(INDEXES.refs))],
      ['intersection of refs and values that may be refs', intersection(match(INDEXES.everything), match(INDEXES.numbers))],
      ['difference of refs and covered refs', difference(match(INDEXES.refs), { kind: 'documents', collection: THINGS })],
      ['difference of covered refs from refs', difference(match(INDEXES.everything), match(INDEXES.owners))],
      ['intersection of three', intersection(match(INDEXES.everything), match(INDEXES.bothByKind, 'red'), match(INDEXES.byOwner, this.ref()))],
      ['difference of refs', difference({ kind: 'documents', collection: THINGS }, match(INDEXES.bothByKind, 'red'))],
      ['difference of values', difference(match(INDEXES.numbers), green)],
      ['difference of three', difference(match(INDEXES.everything), match(INDEXES.byKind, 'red'), match(INDEXES.byOwner, this.ref()))],
      ['distinct', distinct(match(INDEXES.numbers))],
      ['distinct of an array', distinct(match(INDEXES.tags))],
      ['distinct from the greatest down', distinct(match(INDEXES.numbersDown))],
      ['distinct of a union', distinct(union(red, green))],
      ['distinct of a reversed set', distinct(reverse(match(INDEXES.numbers)))],
      ['union of distinct sets', union(distinct(red), distinct(green))],
      ['join by an index', { kind: 'join', of: match(INDEXES.all), index: INDEXES.byOwner, by: 'index' }],
      ['join of values by an index', { kind: 'join', of: match(INDEXES.kinds), index: INDEXES.numbersByKind, by: 'index' }],
      ['join by a lambda', { kind: 'join', of: match(INDEXES.all), index: INDEXES.byOwner, by: 'lambda' }],
      ['join of values by a lambda', { kind: 'join', of: match(INDEXES.kinds), index: INDEXES.numbersByKind, by: 'lambda' }],
      ['range', range(match(INDEXES.numbers), [gen.pick<Value>([1n, 2n])], [gen.pick<Value>([2.5, 2n, 'x'])])],
      ['range from a value on', range(match(INDEXES.mixed), [2n], [])],
      ['range up to a tuple', range(match(INDEXES.mixed), [], [2n, gen.pick(['a', ''])])],
      ['range of the greatest down', range(match(INDEXES.numbersDown), ['x'], [2n])],
      ['range of refs', range(match(INDEXES.everything), [this.ref()], [this.ref()])],
      ['range with a ref', range(match(INDEXES.numbers), [1n, this.ref()], [2.5, this.ref()])],
      ['range of a reversed set', range(reverse(match(INDEXES.numbers)), ['x'], [2n])],
      ['range of a union with a ref', range(union(red, green), [1n, this.ref()], ['x', this.ref()])],
      ['reverse of refs', reverse(match(INDEXES.everything))],
      ['reverse of values', reverse(match(INDEXES.mixed))],
      ['reverse of a union', reverse(union(red, green))],
      ['reverse of a range', reverse(range(match(INDEXES.numbers), [2n], []))],
      ['reverse of documents', reverse({ kind: 'documents', collection: THINGS })],
      ['join of a term by an index', { kind: 'join', of: match(INDEXES.byOwner, this.ref()), index: INDEXES.byOwner, by: 'index' }],
      ['join of documents by a lambda', { kind: 'join', of: { kind: 'documents', collection: PARTS }, index: INDEXES.byOwner, by: 'lambda' }],
      ['join of a distinct array by an index', { kind: 'join', of: distinct(match(INDEXES.kinds)), index: INDEXES.bothByKind, by: 'index' }],
      ['reverse of a join', reverse({ kind: 'join', of: match(INDEXES.kinds), index: INDEXES.numbersByKind, by: 'index' })],
      ['reverse of a distinct set', reverse(distinct(match(INDEXES.numbers)))],
      ['filter', { kind: 'filter', of: match(INDEXES.numbers), bound: 2n }],
      ['filter of refs', { kind: 'filter', of: match(INDEXES.everything), bound: this.ref() }],
      ['filter of a reversed set', { kind: 'filter', of: reverse(match(INDEXES.numbers)), bound: 2n }],
      ['intersection of a union and a difference', intersection(union(red, green), difference(match(INDEXES.numbers), red))],
      ['range of an intersection of distinct sets', range(intersection(distinct(red), distinct(match(INDEXES.numbers))), [1n], [2.5])],
    ];
  }
}

/** Whether a set keeps a history. A document's own is of another kind. */
export function keepsHistory(set: SetExpr): boolean {
  if (set.kind === 'range' || set.kind === 'reverse' || set.kind === 'filter' || set.kind === 'document') return false;
  if ('of' in set) return keepsHistory(set.of);
  return 'members' in set ? set.members.every(keepsHistory) : true;
}

/** How a term or value is made that is not a field as it stands. */
const FROM: Readonly<Record<string, (field: string) => string>> = {
  fold: (field) => `"field":["data","${field}"],"transform":"casefold"`,
  twice: () => '"binding":"twice"',
};
const TWICE = '{"query":{"lambda":"d","expr":{"concat":[{"select":["data","s"],"from":{"var":"d"}},{"select":["data","s"],"from":{"var":"d"}}]}}}';

// --- text ------------------------------------------------------------------------------

const collectionText = (number: number): string =>
  `{"@ref":{"id":"${COLLECTIONS[number - FIRST] ?? ''}","collection":{"@ref":{"id":"collections"}}}}`;

/** A value as version 4 writes it. */
export function json(value: Value): string {
  if (isArray(value)) return `[${value.map(json).join()}]`;
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (!(value instanceof Ref)) return JSON.stringify(value);
  if (value.collection === 1) return collectionText(Number(value.id));
  return `{"@ref":{"id":"${value.id}","collection":${collectionText(value.collection)}}}`;
}

export function textOf({ values, ref }: Element): string {
  const [only = ref] = values;
  return values.length > 1 ? json(values) : json(only);
}

export function eventText({ ts, action, ref, values }: ModelEvent): string {
  return `{"ts":${ts},"action":"${action}","document":${json(ref)}${values.length > 0 ? `,"data":${json(values)}` : ''}}`;
}

export function documentEventText(ref: Ref, { ts, action, data }: DocumentEvent): string {
  const fields = data === null ? 'null' : `{${Object.entries(data).map(([key, value]) => `"${key}":${json(value)}`).join()}}`;
  return `{"ts":${ts},"action":"${action}","document":${json(ref)},"data":${fields}}`;
}

function paramsOf(data: Data, ttl: number | null): string {
  const fields = Object.entries(data).map(([key, value]) => `"${key}":${json(value)}`).join();
  const end = ttl === null ? '' : `,"ttl":{"epoch":${ttl},"unit":"microsecond"}`;
  return `{"object":{"data":{"object":{${fields}}}${end}}}`;
}

/** The query that makes a set. */
export function queryOf(set: SetExpr): string {
  switch (set.kind) {
    case 'match':
      return `{"match":{"index":"${set.index.name}"},"terms":${json(set.terms)}}`;
    case 'documents':
      return `{"documents":${collectionText(set.collection)}}`;
    case 'singleton':
      return `{"singleton":${json(set.ref)}}`;
    case 'document':
      return json(set.ref);
    case 'union':
    case 'intersection':
    case 'difference':
      return `{"${set.kind}":[${set.members.map(queryOf).join()}]}`;
    case 'distinct':
    case 'reverse':
      return `{"${set.kind}":${queryOf(set.of)}}`;
    case 'range':
      return `{"range":${queryOf(set.of)},"from":${json(set.from)},"to":${json(set.to)}}`;
    case 'filter': {
      const { length } = shapeOf(set).descending;
      const names = length > 1 ? `[${['"x"', '"_"', '"_"'].slice(0, length).join()}]` : '"x"';
      return `{"filter":{"lambda":${names},"expr":{"gte":[{"var":"x"},${json(set.bound)}]}},"collection":${queryOf(set.of)}}`;
    }
    case 'join':
      return set.by === 'index'
        ? `{"join":${queryOf(set.of)},"with":{"index":"${set.index.name}"}}`
        : `{"join":${queryOf(set.of)},"with":{"lambda":"x","expr":{"match":{"index":"${set.index.name}"},"terms":{"var":"x"}}}}`;
  }
}
