/** What a form may do, weakest first: compute, read, write. */
const RANK = { pure: 0, read: 1, write: 2 } as const;
export type Effect = keyof typeof RANK;

export const stronger = (one: Effect, other: Effect): Effect => (exceeds(other, one) ? other : one);

/** Whether `effect` does more than `limit` allows. */
export const exceeds = (effect: Effect, limit: Effect): boolean => RANK[effect] > RANK[limit];
