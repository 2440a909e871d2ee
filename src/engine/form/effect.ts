/** What a form may do, weakest first: compute, look at the clock, read, write. */
export const EFFECTS = ['pure', 'observe', 'read', 'write'] as const;
export type Effect = (typeof EFFECTS)[number];

export const strongest = (effects: readonly Effect[]): Effect =>
  effects.reduce<Effect>((most, effect) => (exceeds(effect, most) ? effect : most), 'pure');

/** Whether `effect` does more than `limit` allows. */
export const exceeds = (effect: Effect, limit: Effect): boolean => EFFECTS.indexOf(effect) > EFFECTS.indexOf(limit);
