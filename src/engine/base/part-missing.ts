/** Code and words for whatever cannot be loaded when it is first needed. */
export const PART_MISSING = ['unavailable', 'A part of the database that this request needs could not be loaded.'] as const;
