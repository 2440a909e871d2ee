import { describe, expect, it } from 'vitest';
import { Cost, MOST_KNOWN } from './cost.ts';

const entry = (bytes: number) => ({ key: '', text: 'x'.repeat(bytes) });

describe('read operations', () => {
  it('are rounded up for each read of a set', () => {
    const cost = new Cost();
    for (let read = 0; read < 3; read++) {
      cost.begin();
      cost.entry(entry(100));
    }
    expect(cost.readOps).toBe(3);
  });

  it('of a set and what it leads to are counted once, with the sets that are read on the way', async () => {
    const cost = new Cost();
    cost.begin();
    cost.entry(entry(100));
    await cost.together(() => {
      for (let read = 0; read < 2; read++) {
        cost.begin();
        cost.index('', 8);
        cost.entry(entry(40_000));
      }
      cost.document({ key: 'd', text: 'x'.repeat(1000) });
      return null;
    });
    expect(cost.readOps).toBe(1 + Math.ceil(81_001 / 4096) + 2 * 7);
  });

  it('count a document once among so many that were read by their refs, and no more are remembered', () => {
    const cost = new Cost();
    const seek = (id: number): void => cost.sought(`${id}`, id % 2 === 0 ? { key: `${id}/1`, text: 'x' } : null);
    for (let id = 0; id < MOST_KNOWN; id++) seek(id);
    for (const id of [0, 1]) seek(id);
    expect(cost.readOps).toBe(MOST_KNOWN);
    for (const id of [MOST_KNOWN, 0, 1, 0, 1]) seek(id);
    expect(cost.readOps).toBe(MOST_KNOWN + 3);
  });
});
