// What is used of a driver, whatever its generation; no declarations of their own cover all of them.

/** The drivers' functions; `arity` and `wrap` are exported too, but not declared. */
export type FunctionName = keyof typeof import('faunadb').query | 'arity' | 'wrap';
export type Query = Readonly<Record<FunctionName, (...given: readonly Given[]) => Expr>>;

/** An expression as a driver keeps it: nothing to look into. */
export type Expr = object;
/** What a driver's function takes: functions become lambdas. */
export type Given = ((...parameters: readonly Expr[]) => Given) | Expr | string | number | boolean | null | undefined;

export interface Settings {
  readonly secret: string;
  readonly domain?: string;
  readonly port?: number;
  readonly scheme?: 'http' | 'https';
}

export interface Client {
  query<T>(expression: Given): Promise<T>;
}

export interface RefValue {
  readonly id: string;
  /** What it is in: up to 1.1.2 a native collection is in itself. */
  readonly class?: RefValue;
  readonly collection?: RefValue;
  readonly database?: RefValue;
}

export interface HttpFailure {
  readonly name: string;
  readonly message: string;
  readonly requestResult: { readonly statusCode: number; readonly responseRaw: string };
  errors(): readonly { readonly code: string; readonly description: string; readonly position?: readonly unknown[]; readonly failures?: unknown }[];
}

type Class<T> = new (...given: never[]) => T;

export interface Driver {
  readonly Client: new (settings: Settings) => Client;
  readonly query: Query;
  readonly values: {
    readonly Ref: Class<RefValue>;
    readonly SetRef: Class<{ readonly value: unknown }>;
    readonly FaunaTime: Class<{ readonly value: string }>;
    readonly FaunaDate: Class<{ readonly value: string }>;
    readonly Bytes: Class<{ readonly value: Uint8Array }>;
    /** From 2.0.0. */
    readonly Query?: Class<{ readonly value: unknown }>;
  };
  readonly errors: { readonly FaunaHTTPError: Class<HttpFailure> };
}
