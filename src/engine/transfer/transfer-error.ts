/** What is wrong with a file, or with the database it should go into. */
export type TransferErrorCode =
  | 'not an export' // it does not begin as one
  | 'newer export' // written in a form that this build does not know
  | 'damaged export' // a checksum does not match, or it does not say what it should
  | 'truncated export' // it ends too early
  | 'database not empty' // and it was not said that it may be replaced
  | 'database changed'; // emptied or replaced underneath, or changed too much while it was read

/** An export or import that could not be done. Nothing was changed. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
  constructor(
    readonly code: TransferErrorCode,
    message: string,
  ) {
    super(message);
  }

  /** As over HTTP: 400 for a file that is no good, 409 for a database that is in the way. */
  get status(): 400 | 409 {
    return this.code.startsWith('database') ? 409 : 400;
  }
}
