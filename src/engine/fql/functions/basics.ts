// Control: what is evaluated, when, and under which rules (functions.md §3).
import { andThen, fold, rescue } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import { callError, instanceNotFound, invalidRef, permissionDenied } from '../../errors/codes.ts';
import { FqlError } from '../../errors/fql-error.ts';
import { any, boolean, lambdaStored, literal, optional, stringOrFunctionRef, transactionTimestamp } from '../../form/casts.ts';
import type { EvalContext } from '../../form/context.ts';
import { type Form, form, type Lazy, lazy, lazyList } from '../../form/form.ts';
import { allows } from '../../form/permission.ts';
import type { FunctionDefinition } from '../../schema/definitions.ts';
import type { Ref, Value } from '../../value/value.ts';
import { rightsOf } from '../../auth/rights-of.ts';
import { validTimeOf } from '../valid-time.ts';

const SOURCE = 'functions.md §3; ast/functions/BasicFunctions';

export const basics: readonly Form[] = [
  form({
    params: { if: boolean, then: lazy, else: lazy },
    effect: 'pure',
    free: true,
    source: SOURCE,
    summary: 'One of two values, by a condition; only the chosen branch is evaluated.',
    examples: [['{"if":true,"then":1,"else":{"abort":"no"}}', '1']],
    run: (args) => (args.if ? args.then : args.else).evaluate(),
  }),
  form({
    params: { do: lazyList },
    effect: 'pure',
    free: true,
    source: SOURCE,
    summary: 'Evaluates expressions one after the other; the last one is the result.',
    examples: [['{"do":[1,{"add":[1,1]}]}', '2']],
    run: (args) => fold<Lazy, Value>(args.do, null, (_, step) => step.evaluate()),
  }),
  form({
    params: { quote: literal },
    effect: 'pure',
    free: true,
    source: SOURCE,
    summary: 'Data as it stands: nothing in it is evaluated.',
    examples: [['{"quote":{"add":[1,2]}}', '{"add":[1,2]}']],
    run: ({ quote }) => quote,
  }),
  form({
    params: { query: lambdaStored },
    effect: 'pure',
    source: SOURCE,
    summary: 'A function as a value, to be stored.',
    examples: [['{"is_lambda":{"query":{"lambda":"x","expr":{"var":"x"}}}}', 'true']],
    run: ({ query }) => query,
  }),
  form({
    params: { at: transactionTimestamp, expr: lazy },
    effect: 'pure',
    free: true,
    source: SOURCE,
    summary: 'Evaluates an expression as of a point in time.',
    examples: [['{"at":{"now":null},"expr":1}', '1']],
    run(args, ctx) {
      return args.expr.evaluate(ctx.with({ validTime: validTimeOf(args.at, ctx, ctx.validTime) }));
    },
  }),
  form({
    params: { call: stringOrFunctionRef, arguments: optional(any) },
    effect: 'write',
    free: true,
    source: SOURCE,
    summary: 'Calls a user-defined function.',
    examples: [['{"call":{"function":"double"},"arguments":21}', '42']],
    run({ call, arguments: given = [] }, ctx, at) {
      // What the query itself makes of functions and roles is for those that come after it.
      const ref = typeof call === 'string' ? ctx.catalog.before.resolve('function', call) : call;
      if (ref === null) throw invalidRef(at.at('call'), 'function', String(call));
      const definition = ctx.catalogOf(ref.scope).before.userFunction(ref);
      if (definition === null) throw instanceNotFound(at.at('call'), 'Function');
      return andThen(allows(ctx, 'call', ref, [given]), (allowed) => {
        if (!allowed) throw permissionDenied(at);
        return callFunction(definition, given, ctx, at);
      });
    },
  }),
];

/** Runs a function's body in its own database and with its own role; its failures become the cause of one `call error`. */
export function callFunction({ ref, body, fields }: FunctionDefinition, given: Value, outer: EvalContext, at: Path): ReturnType<EvalContext['apply']> {
  if (body === null) throw instanceNotFound(at.at('call'), 'Function');
  const role = fields.get('role');
  const ctx = insideOf(ref, outer);
  const inner = role === undefined ? ctx : ctx.with({ caller: { ...ctx.caller, rights: rightsOf(role, ctx.catalog.before), borrows: true } });
  return rescue<Value>(
    () => inner.apply(body, given, at),
    (error) => {
      if (!(error instanceof FqlError) || error.failures.some(({ code }) => code === 'stack overflow')) throw error;
      throw callError(at, error.failures);
    },
  );
}

/** Code of a database below is not trusted with more than that database: to it the caller comes from there, as nobody. */
function insideOf({ scope }: Ref, ctx: EvalContext): EvalContext {
  if (scope === ctx.catalog.scope) return ctx;
  const catalog = ctx.catalogOf(scope);
  return ctx.with({ catalog, caller: { scope, path: catalog.path, rights: ctx.caller.rights, borrows: true, identity: null, credential: null } });
}
