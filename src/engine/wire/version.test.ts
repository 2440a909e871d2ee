import { describe, expect, it } from 'vitest';
import { WIRE_VERSIONS, wireOf } from './version.ts';

describe('wire versions', () => {
  it('answers a request without a header in the forms of 2.0', () => {
    expect(wireOf(undefined)).toBe(WIRE_VERSIONS['2.0']);
  });

  it.each(['2.0', '2.1', '2.7', '2.12', '3', '4'] as const)('knows %s', (id) => {
    expect(wireOf(id)).toBe(WIRE_VERSIONS[id]);
  });

  it.each(['', '2', '2.8', '4.0', ' 4', '5', 'toString', '__proto__'])('does not know %j', (id) => {
    expect(wireOf(id)).toBeNull();
  });

  it('ranks versions by age, not by their digits', () => {
    const byRank = Object.entries(WIRE_VERSIONS).sort(([, a], [, b]) => a.rank - b.rank);
    expect(byRank.map(([id]) => id)).toEqual(['2.0', '2.1', '2.7', '2.12', '3', '4']);
  });

  it('refuses large pages only in 2.0', () => {
    expect(WIRE_VERSIONS['2.0'].pageSize).toEqual({ default: 16, max: 1024, overflow: 'refuse' });
    expect(WIRE_VERSIONS['2.1'].pageSize).toEqual({ default: 64, max: 100_000, overflow: 'clamp' });
    expect(WIRE_VERSIONS['4'].pageSize).toEqual({ default: 64, max: 100_000, overflow: 'clamp' });
  });
});
