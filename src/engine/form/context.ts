import type { MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import type { Platform, Ts } from '../base/platform.ts';
import type { Caller } from '../auth/caller.ts';
import type { Catalog } from '../schema/catalog.ts';
import type { Txn } from '../txn/txn.ts';
import type { Scope } from '../value/ref.ts';
import type { Lambda, Value } from '../value/value.ts';
import type { Wire } from '../wire/version.ts';
import type { Budget } from './budget.ts';
import type { Direct } from './direct.ts';
import type { Effect } from './effect.ts';

/** What lambdas are handed: nothing that the caller may not read. */
export const veiled = (ctx: EvalContext): EvalContext => (ctx.unveiled ? ctx.with({ unveiled: false }) : ctx);

/** What code sees while it runs. A context is a value: a change makes another one. */
export interface EvalContext {
  /** Snapshot and own writes of the running transaction. */
  readonly txn: Txn;
  /** Names and definitions of the database the query runs in. */
  readonly catalog: Catalog;
  /** Those of any database: of this one, or one below it. */
  catalogOf(scope: Scope): Catalog;
  readonly caller: Caller;
  /** API version whose rules the running code follows. */
  readonly wire: Wire;
  readonly platform: Platform;
  /** Valid time of reads set by `at`; `null` is the present, with own writes. */
  readonly validTime: Ts | null;
  /** What has run out by then is not there, whatever time is read at. */
  readonly now: Ts;
  /** Strongest effect allowed here, and the words for why (`get requests`). */
  readonly limit: { readonly effect: Effect; readonly reason: string };
  /** Sets show what the caller may not read, too: only for a first entry that is judged afterwards, and for what a join by an index leads on from; never to lambdas. */
  readonly unveiled: boolean;
  /** Lambda applications on the way here. */
  readonly depth: number;
  readonly budget: Budget;
  /** Applies a lambda to one argument; several arguments are one array. */
  apply(lambda: Lambda, argument: Value, at: Path): MaybePromise<Value>;
  /** The strongest effect of a lambda's body. @throws FqlError when the body is unsound */
  effectOf(lambda: Lambda): Effect;
  /** What a lambda says of documents whose refs it is given, told directly; `null` where it has to be applied. */
  directly(lambda: Lambda): Direct | null;
  /** This context inside one more application of a lambda. */
  deeper(): EvalContext;
  /** This context with some things changed. */
  with(changes: Partial<Pick<EvalContext, 'caller' | 'catalog' | 'validTime' | 'now' | 'wire' | 'limit' | 'unveiled' | 'budget'>>): EvalContext;
}
