/** Thrown where something has to be fetched from elsewhere: it is, outside of the transaction, and all is done again. */
export class Needs extends Error {
  constructor(readonly coming: Promise<unknown>) {
    super('needs what has to be fetched');
  }
}
