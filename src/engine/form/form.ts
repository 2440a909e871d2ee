// A form: one operation of the language, all in one place. Its keys, casts, effect,
// versions, source and examples stand together; the examples run as tests and become its
// page in the function reference.
import type { MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import type { Value } from '../value/value.ts';
import type { WireId } from '../wire/version.ts';
import { any, type Cast } from './casts.ts';
import type { EvalContext } from './context.ts';
import type { Direction } from './direct.ts';
import type { Effect } from './effect.ts';

/** An argument whose expression the form evaluates itself, or not at all. */
export interface Lazy {
  /** Position of the argument: the form's own plus its key. */
  readonly at: Path;
  /** @param ctx another context than the form's own, as `at` makes one */
  readonly evaluate: (ctx?: EvalContext) => MaybePromise<Value>;
}

/**
 * What a parameter takes: a cast of the evaluated argument, or the argument unevaluated. Where a cast
 * has to wait it gives a promise; the form gets what that resolves to.
 */
export type Param<T = unknown> = Cast<T> | LazyParam | LazyListParam;
export interface LazyParam {
  readonly lazy: true;
  readonly optional?: true;
}

export const lazy: LazyParam = { lazy: true };
export const lazyOptional: LazyParam & { optional: true } = { lazy: true, optional: true };

/**
 * A list of expressions that the form evaluates in order and as far as it likes. An empty
 * list is refused by the parser: `Expression list cannot be empty.`
 */
export interface LazyListParam {
  readonly lazyList: true;
  /** Whether one expression may stand for a list of it. */
  readonly single: boolean;
}

export const lazyList: LazyListParam = { lazyList: true, single: false };
export const lazyListOrOne: LazyListParam = { lazyList: true, single: true };

export type Params = Readonly<Record<string, Param>>;

type ArgOf<P> = P extends LazyListParam
  ? readonly Lazy[]
  : P extends LazyParam
    ? P extends { optional: true }
      ? Lazy | undefined
      : Lazy
    : P extends Cast<infer T>
      ? Awaited<T>
      : never;

/** Arguments by key, typed by their casts; an optional one left out is `undefined`. */
export type Args<P extends Params> = { readonly [K in keyof P]: ArgOf<P[K]> };

/** `[query, result]` as JSON text, so that 1 and 1.0 stay apart; read and rendered under the newest version. */
export type Example = readonly [query: string, result: string];

export interface Definition<P extends Params> {
  /** Keys in the order their arguments are evaluated; the first one names the form. */
  readonly params: P;
  readonly effect: Effect;
  /** Whether it is part of the language itself, and no function: it has no effect of its own and is not billed. `call` may write if its function does, but each form in that is judged for itself. */
  readonly free?: true;
  /** First and last API version that knows the form; absent means all. */
  readonly since?: WireId | undefined;
  readonly until?: WireId;
  /** Where the behaviour was taken from. */
  readonly source: string;
  readonly summary: string;
  readonly examples: readonly Example[];
  run(args: Args<P>, ctx: EvalContext, at: Path): MaybePromise<Value>;
  /** The same for predicates over many documents, where it is worth it. */
  readonly direct?: Direction;
}

/** What the evaluator does with one argument. */
export interface Slot {
  readonly key: string;
  readonly takes: 'value' | 'lazy' | 'lazy list';
  /** Makes what the form gets from the value; `null` where that is the value itself. */
  readonly read: ((value: Value, at: Path) => unknown) | null;
}

/** What the evaluator needs of a form. All of these have one shape, as this is where queries spend their time. */
export interface FormCode {
  readonly slots: readonly Slot[];
  /** By which it is judged whether it may run. */
  readonly effect: Effect;
  /** What a call of it is billed. */
  readonly steps: 0 | 1;
  readonly run: (args: Args<Params>, ctx: EvalContext, at: Path) => MaybePromise<Value>;
}

/** A form with the types of its arguments forgotten, as the registry keeps it. */
export type Form = Definition<Params> & { readonly name: string; readonly keys: readonly string[]; readonly code: FormCode };

/** Every start of the engine makes some two hundred, before anything is compiled. */
export function form<const P extends Params>(definition: Definition<P>): Form {
  // The evaluator casts each argument by its slot before it calls `run`, so the forgotten types hold.
  const forgotten = definition as unknown as Definition<Params>;
  const { params, effect, free, run } = forgotten;
  const keys = Object.keys(params);
  const slots = keys.map((key) => slotOf(key, params[key] as Param));
  return { ...forgotten, keys, name: keys[0] ?? '', code: { slots, effect: free ? 'pure' : effect, steps: free ? 0 : 1, run } };
}

function slotOf(key: string, param: Param): Slot {
  if ('lazyList' in param) return { key, takes: 'lazy list', read: null };
  if ('lazy' in param) return { key, takes: 'lazy', read: null };
  return { key, takes: 'value', read: param.read === any.read ? null : param.read };
}
