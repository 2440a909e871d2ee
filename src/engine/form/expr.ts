// Parsed expressions. Each node knows its position and the strongest effect below it.
import type { Path } from '../base/path.ts';
import type { Value } from '../value/value.ts';
import type { Effect } from './effect.ts';
import type { Form, FormCode } from './form.ts';

export type Expr =
  | {
      readonly kind: 'literal';
      readonly at: Path;
      readonly effect: Effect;
      readonly value: Value;
      /** What the cast of its parameter makes of it, once the evaluator has applied that. */
      cast?: unknown;
    }
  | { readonly kind: 'array'; readonly at: Path; readonly effect: Effect; readonly items: readonly Expr[] }
  | {
      readonly kind: 'object';
      readonly at: Path;
      readonly effect: Effect;
      readonly keys: readonly string[];
      readonly values: readonly Expr[];
    }
  | { readonly kind: 'var'; readonly at: Path; readonly effect: Effect; readonly name: string }
  | {
      readonly kind: 'let';
      readonly at: Path;
      readonly effect: Effect;
      readonly bindings: readonly { readonly name: string; readonly value: Expr }[];
      readonly body: Expr;
    }
  | { readonly kind: 'lambda'; readonly at: Path; readonly effect: Effect; readonly code: LambdaCode }
  | {
      readonly kind: 'call';
      readonly at: Path;
      readonly effect: Effect;
      readonly form: Form;
      /** Of the form. */
      readonly code: FormCode;
      /** By the order of the form's parameters; absent where an optional one was left out. */
      readonly args: readonly (Expr | undefined)[];
    };

/** A lambda as parsed. `effect` is that of its body: what applying it may do. */
export interface LambdaCode {
  readonly at: Path;
  readonly params: string | readonly string[];
  readonly body: Expr;
  readonly effect: Effect;
  /** The body as it was sent, as JSON values; what is shown and stored. */
  readonly source: Value;
  /** API version the body is read under. */
  readonly version: string;
  /** Variables of the surroundings that the body uses. */
  readonly free: readonly string[];
  /** Of the catalog whose numbers its refs have, where the code is kept longer than its request: it serves that request, and keeps no catalog alive. */
  readonly mark?: object;
}
