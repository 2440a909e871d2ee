import type { MaybePromise } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import type { Cast } from '../../form/casts.ts';
import type { EvalContext } from '../../form/context.ts';
import { type Definition, type Form, form, type Params } from '../../form/form.ts';
import type { Value } from '../../value/value.ts';

export interface UnaryDefinition<T> extends Omit<Definition<Params>, 'params' | 'run'> {
  run(argument: T, ctx: EvalContext, at: Path): MaybePromise<Value>;
}

/** A form of one argument, whose key is the name of the form. */
export function unary<T>(name: string, argument: Cast<T>, definition: UnaryDefinition<T>): Form {
  const { run } = definition;
  return form({ ...definition, params: { [name]: argument }, run: (args, ctx, at) => run(args[name] as T, ctx, at) });
}
