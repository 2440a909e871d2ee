// Parts of reading sets that are loaded when they are first needed.
import { part, partInTime } from '../errors/part.ts';

/** Histories of documents, and of sets made of others: few queries ask for events. */
export const histories = part(() => import('./histories.ts'));
/** What reads unions, intersections, differences, joins and `distinct`. */
export const combining = part(() => import('./combine.ts'));
/** What counts documents many at a time: nobody waits for it, and the service worker does without. */
export const counting = partInTime(() => import('./tally.ts').then((part) => part.tally));
