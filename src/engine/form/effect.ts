/** What a form may do, weakest first: compute, look at the clock, read, write. */
const RANK = { pure: 0, observe: 1, read: 2, write: 3 } as const;
export type Effect = keyof typeof RANK;

export const stronger = (one: Effect, other: Effect): Effect => (exceeds(other, one) ? other : one);

/** Whether `effect` does more than `limit` allows. */
export const exceeds = (effect: Effect, limit: Effect): boolean => RANK[effect] > RANK[limit];
