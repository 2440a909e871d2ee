// Browsers other than Chromium, as far as the tests need them: tabs that load an address and run code.

export interface Tab {
  /** Resolves when the page has loaded. */
  goto(address: string): Promise<void>;
  reload(): Promise<void>;
  /** Evaluates an expression in the page; a promise is waited for, and the value travels as JSON. @throws Error with the page's message */
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

/** A browser that runs, with a profile of its own. */
export interface Engine {
  readonly version: string;
  open(): Promise<Tab>;
  stop(): Promise<void>;
}

/** What becomes of an expression in the page: told apart there, since no protocol carries `undefined` and errors alike. */
export type Told = { readonly value?: unknown } | { readonly error: string };

/** An expression whose promise gives JSON text of `Told`, and never fails. */
export const telling = (expression: string): string => `(async () => {
  try { return JSON.stringify({ value: await (${expression}) }); }
  catch (error) { return JSON.stringify({ error: String(error?.stack?.includes(error) ? error.stack : error) }); }
})()`;

export function told(text: string): unknown {
  const answer = JSON.parse(text) as Told;
  if ('error' in answer) throw new Error(answer.error);
  return answer.value;
}
