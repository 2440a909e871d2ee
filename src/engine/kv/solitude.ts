/** Says when nobody else can have added to the log, so that it need not be looked at. */
export interface Solitude {
  /** The same number for as long as this engine has been alone without a break; `null` while it may not be. */
  period(): number | null;
}

/** Without knowledge of others there may always be some. */
export const neverAlone: Solitude = { period: () => null };
