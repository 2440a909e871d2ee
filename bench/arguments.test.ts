import { describe, expect, it } from 'vitest';
import { asked } from './arguments.mjs';

const names = (...args: string[]): string[] => asked(args).candidates.map(({ name }) => name);

describe('what the benchmark is asked for', () => {
  it('is everything, five times, where nothing is said', () => {
    const { command, rounds, sizes, candidates, isWhole, workloads, profile, write } = asked([]);
    expect({ command, rounds, isWhole, profile, write }).toEqual({ command: 'run', rounds: 5, isWhole: true, profile: false, write: false });
    expect(sizes.map(({ documents }) => documents)).toEqual([10_000, 100_000, 1_000_000]);
    expect([candidates.length, workloads.length]).toEqual([11, 10]);
  });

  it('is one round of a few with `quick`', () => {
    const { rounds, sizes, isWhole } = asked(['quick']);
    expect({ rounds, isWhole, sizes: sizes.map(({ documents }) => documents) }).toEqual({ rounds: 1, isWhole: false, sizes: [10_000] });
    expect(names('quick')).toEqual(['Vivarium, relaxed', 'Vivarium, strict', 'IndexedDB, relaxed', 'Dexie', 'PGlite', 'sqlite-wasm', 'sqlite-wasm, WAL']);
  });

  it('is what names and numbers pick', () => {
    expect(names('--only', 'dexie,WAL')).toEqual(['Dexie', 'sqlite-wasm, WAL']);
    expect(asked(['--only', 'dexie']).isWhole).toBe(false);
    const { rounds, sizes, workloads, note } = asked(['--rounds', '2', '--size', '100000', '--workloads', 'W2,R1', '--note', 'a busy hour']);
    expect({ rounds, workloads, note, size: sizes[0]?.documents }).toEqual({ rounds: 2, workloads: ['W2', 'R1'], note: 'a busy hour', size: 100_000 });
    expect(asked(['eval', 'create'])).toMatchObject({ command: 'eval', text: 'create' });
    expect(asked(['write']).command).toBe('write');
  });

  it.each([
    [['quik'], '"quik" is none of the benchmark\'s commands: quick, eval, write.'],
    [['quick', 'W1'], '"quick W1" is none of the benchmark\'s commands: quick, eval, write.'],
    [['--rounds', '0'], '--rounds 0: a number of rounds, from 1 on.'],
    [['--rounds', 'five'], '--rounds five: a number of rounds, from 1 on.'],
    [['--size', '1000'], '--size 1000: 10000, 100000, 1000000 documents are measured.'],
    [['--only', 'dexie,pouch'], /^--only: no candidate has "pouch" in its name\. They are "Vivarium, relaxed", /],
    [['--only', 'dexie,'], /^--only: no candidate has "" in its name/],
    [['--workloads', 'W1,W3'], '--workloads: "W3" is none of W1, W2, W2b, R1, R1x100, R2-16, R2-64, R3, U1, S1.'],
    [['--fast'], /--fast/],
  ])('refuses %j', (args, message) => {
    expect(() => asked(args)).toThrow(message);
  });
});
