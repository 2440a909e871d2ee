/**
 * Thrown in a transaction that needs something from elsewhere, such as the keys of an issuer. Whoever
 * runs the transaction waits for `coming` outside of it, and then runs it again.
 */
export class Needs extends Error {
  constructor(readonly coming: Promise<unknown>) {
    super('needs what has to be fetched');
  }
}
