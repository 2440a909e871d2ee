// Histories of documents, and of sets made of others: few queries ask for events.
import { part } from '../errors/part.ts';

export const histories = part(() => import('./histories.ts'));
