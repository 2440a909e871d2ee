// Indexes made under version 2.0 keep its order of numbers, later ones another: each is read in
// its own, by whoever asks, and where the orders part the two do not go into one set.
import { beforeAll, describe, expect, it } from 'vitest';
import { type TestClient, testClient } from '../../testing/client.ts';

let client: TestClient;

/** @param version `''`: no header */
async function ask(query: string, version: string): Promise<string> {
  return (await client.query(query, version)).text;
}

const N = [2, 1.5, 1, '"a"', true, 2.5, null, -1];

beforeAll(async () => {
  client = await testClient();
  const field = (name: string): string => `[{"object":{"field":["data","${name}"]}}]`;
  const made = [
    await ask('{"create_class":{"object":{"name":"c"}}}', ''),
    await ask(`{"create_index":{"object":{"name":"old","source":{"class":"c"},"values":[{"object":{"field":["data","n"]}},{"object":{"field":["ref"]}}]}}}`, ''),
    await ask(`{"create_index":{"object":{"name":"old_refs","source":{"class":"c"},"values":[{"object":{"field":["ref"]}}]}}}`, ''),
    await ask(`{"create_index":{"object":{"name":"old_by_kind","source":{"class":"c"},"terms":${field('kind')}}}}`, ''),
    await ask(`{"create_index":{"object":{"name":"new","source":{"collection":"c"},"values":[{"object":{"field":["data","n"]}},{"object":{"field":["ref"]}}]}}}`, '4'),
    await ask(`{"create_index":{"object":{"name":"new_by_kind","source":{"collection":"c"},"terms":${field('kind')}}}}`, '4'),
    await ask(`[${N.map((n, id) => `{"create":{"ref":{"collection":"c"},"id":"${id}"},"params":{"object":{"data":{"object":{"n":${n},"kind":"x"}}}}}`).join()}]`, '4'),
  ];
  for (const text of made) expect(text).not.toMatch(/errors/);
});

const match = (name: string): string => `{"match":{"index":"${name}"}}`;
const kinds = (name: string): string => `{"match":{"index":"${name}"},"terms":"x"}`;
const values = (set: string): string => `{"map":{"lambda":["n","_"],"expr":{"var":"n"}},"collection":{"select":["data"],"from":{"paginate":${set},"size":100}}}`;
const LEGACY = '[-1,1,2,"a",true,1.5,2.5,null]';
const NATURAL = '[-1,1,1.5,2,2.5,"a",true,null]';

describe.each(['', '2.1', '2.12', '4'])('asked under version %j', (version) => {
  it('each is read in the order it was made in', async () => {
    expect(await ask(values(match('old')), version)).toBe(`{"resource":${LEGACY}}`);
    expect(await ask(values(match('new')), version)).toBe(`{"resource":${NATURAL}}`);
  });

  it('a range and a cursor go by that order too', async () => {
    expect(await ask(values(`{"range":${match('old')},"from":2,"to":1.5}`), version)).toBe('{"resource":[2,"a",true,1.5]}');
    expect(await ask(values(`{"range":${match('new')},"from":1.5,"to":2.5}`), version)).toBe('{"resource":[1.5,2,2.5]}');
    const page = (name: string): string => `{"map":{"lambda":["n","_"],"expr":{"var":"n"}},"collection":{"select":["data"],"from":{"paginate":${match(name)},"size":2,"after":1.5}}}`;
    expect(await ask(page('old'), version)).toBe('{"resource":[1.5,2.5]}');
    expect(await ask(page('new'), version)).toBe('{"resource":[1.5,2]}');
  });

  it.each(['union', 'intersection', 'difference'])('a %s of both is refused, whichever comes first', async (form) => {
    for (const [a, b] of [['old', 'new'], ['new', 'old']] as const) {
      const text = await ask(`{"paginate":{"${form}":[${match(a)},${match(b)}]}}`, version);
      expect(JSON.parse(text)).toEqual({
        errors: [{ position: ['paginate', form], code: 'invalid argument', description: 'Sets are not compatible.' }],
      });
    }
  });

  it('so is a join that leads to both', async () => {
    const both = `{"join":{"singleton":{"ref":{"collection":"c"},"id":"1"}},"with":{"lambda":"_","expr":{"union":[${match('old')},${match('new')}]}}}`;
    expect(await ask(`{"paginate":${both}}`, version)).toMatch(/"Sets are not compatible\."/);
    const byTurns = `{"join":${kinds('new_by_kind')},"with":{"lambda":"r","expr":{"if":{"equals":[{"var":"r"},{"ref":{"collection":"c"},"id":"1"}]},"then":${match('old')},"else":${match('new')}}}}`;
    expect(await ask(`{"paginate":${byTurns}}`, version)).toMatch(/"Sets are not compatible\."/);
    expect(await ask(`{"count":{"union":[${match('old')},${match('old')}]}}`, version)).toBe(`{"resource":${N.length}}`);
  });

  it('sets of refs go together whichever made them, with covered refs too', async () => {
    const count = (set: string): Promise<string> => ask(`{"count":${set}}`, version);
    for (const form of ['union', 'intersection']) {
      expect(await count(`{"${form}":[${kinds('old_by_kind')},${kinds('new_by_kind')}]}`)).toBe(`{"resource":${N.length}}`);
      expect(await count(`{"${form}":[${kinds('new_by_kind')},${match('old_refs')}]}`)).toBe(`{"resource":${N.length}}`);
      expect(await count(`{"${form}":[${match('old_refs')},{"documents":{"collection":"c"}}]}`)).toBe(`{"resource":${N.length}}`);
    }
    expect(await count(`{"difference":[${match('old_refs')},${kinds('new_by_kind')}]}`)).toBe('{"resource":0}');
  });
});
