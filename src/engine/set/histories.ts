// What `lazy` loads: none of what is always there may import these modules, other than their types.
export { algebraHistory } from './algebra-history.ts';
export { eventCursor } from './event-cursor.ts';
export { comings, documentHistory } from './document-history.ts';
export { joinHistory } from './join-history.ts';
export { rowHistory } from './row-history.ts';
