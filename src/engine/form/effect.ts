/** What a form may do, weakest first: compute, look at the clock, read, write. */
const RANK = { pure: 0, observe: 1, read: 2, write: 3 } as const;
export type Effect = keyof typeof RANK;

export const strongest = (effects: readonly Effect[]): Effect =>
  effects.reduce<Effect>((most, effect) => (exceeds(effect, most) ? effect : most), 'pure');

/** Whether `effect` does more than `limit` allows. */
export const exceeds = (effect: Effect, limit: Effect): boolean => RANK[effect] > RANK[limit];
