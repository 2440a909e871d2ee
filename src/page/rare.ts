// What few pages need of the page API, in a file of its own.
export { statusOf } from './status.ts';
export { openSubscription } from './subscribe.ts';
export { transfersOf } from './transfer.ts';
