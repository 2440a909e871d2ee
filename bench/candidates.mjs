// Who takes part, in order. Each is a file in `site/candidates`.
export const BASELINE = 'IndexedDB, relaxed';

export const CANDIDATES = [
  'Vivarium, relaxed',
  'Vivarium, strict',
  BASELINE,
  'IndexedDB, strict',
  'Vivarium by fetch, relaxed',
  'Vivarium by fetch, strict',
  'constant by fetch',
];
