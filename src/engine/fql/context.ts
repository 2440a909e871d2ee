// The context of a running request, and the parsing of lambdas that were stored.
import type { MaybePromise } from '../base/maybe.ts';
import { Path } from '../base/path.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { type Caller, isWithin } from '../auth/caller.ts';
import { asParseError, invalidExpression, invalidLambda } from '../errors/codes.ts';
import { FqlError } from '../errors/fql-error.ts';
import type { Budget } from '../form/budget.ts';
import type { EvalContext } from '../form/context.ts';
import type { Direct } from '../form/direct.ts';
import { type Effect, exceeds } from '../form/effect.ts';
import type { LambdaCode } from '../form/expr.ts';
import { Catalog } from '../schema/catalog.ts';
import type { Txn } from '../txn/txn.ts';
import { NATIVE, Ref, type Scope } from '../value/ref.ts';
import { Lambda, type Value } from '../value/value.ts';
import { type Wire, wireOf } from '../wire/version.ts';
import { directly } from './direct.ts';
import { applyCode, MAX_DEPTH } from './evaluate.ts';
import { shownSource } from './shown-source.ts';
import { parseLambdaCode } from './parse.ts';
import type { ParseContext } from './parse-context.ts';

/** The data of a context, without its functions. */
type Parts = Pick<Context, 'txn' | 'catalog' | 'others' | 'caller' | 'wire' | 'platform' | 'validTime' | 'now' | 'limit' | 'unveiled' | 'depth' | 'budget'>;

export class Context implements EvalContext {
  readonly txn: Txn;
  readonly catalog: Catalog;
  /** Catalogs of other databases, as far as they have been needed. */
  readonly others: ReadonlyMap<Scope, Catalog>;
  readonly caller: Caller;
  readonly wire: Wire;
  readonly platform: Platform;
  readonly validTime: Ts | null;
  readonly now: Ts;
  readonly limit: EvalContext['limit'];
  readonly unveiled: boolean;
  readonly depth: number;
  readonly budget: Budget;
  /** The context of lambdas that are applied here: one for all elements of a set. */
  private inner: Context | null = null;

  constructor(parts: Parts, depth = parts.depth) {
    this.txn = parts.txn;
    this.catalog = parts.catalog;
    this.others = parts.others;
    this.caller = parts.caller;
    this.wire = parts.wire;
    this.platform = parts.platform;
    this.validTime = parts.validTime;
    this.now = parts.now;
    this.limit = parts.limit;
    // Not inside lambdas.
    this.unveiled = parts.unveiled && depth === parts.depth;
    this.depth = depth;
    this.budget = parts.budget;
  }

  with(changes: Partial<Parts>): Context {
    return new Context({ ...this, ...changes });
  }

  deeper(): Context {
    return (this.inner ??= new Context(this, this.depth + 1));
  }

  /** @throws NeedsDatabase */
  catalogOf(scope: Scope): Catalog {
    if (scope === this.catalog.scope) return this.catalog;
    return asSeenBy(this.caller, this.others.get(scope) ?? this.madeHere(scope));
  }

  /** A database that the query itself has made has nothing in it that could be read. */
  private madeHere(scope: Scope): Catalog {
    const made = this.catalog.database(new Ref(NATIVE.databases, scope, this.catalog.scope));
    if (made === null || !this.catalog.isFresh(made.ref)) throw new NeedsDatabase(scope);
    return new Catalog(scope, [...this.catalog.path, made.name]);
  }

  effectOf(lambda: Lambda): Effect {
    return codeOf(lambda, this).effect;
  }

  directly(lambda: Lambda): Direct | null {
    // Where it is too deep for an application, the evaluator says so.
    return this.depth >= MAX_DEPTH ? null : directly(codeOf(lambda, this), lambda.env);
  }

  apply(lambda: Lambda, argument: Value, at: Path): MaybePromise<Value> {
    return applyCode(lambda, codeOf(lambda, this), argument, at, this);
  }
}

function codeOf(lambda: Lambda, ctx: Context): LambdaCode {
  const known = lambda.code as LambdaCode | null;
  const { catalog, caller, others, wire } = ctx;
  const { mark } = catalog;
  if (known !== null && (known.mark ?? mark) === mark) return known;
  const code = { ...compile(lambda, parseContext({ catalog, caller, others, wire: wireOf(lambda.version) ?? wire })), mark };
  lambda.code = code;
  return code;
}

/** Parses a lambda that stands alone. @throws FqlError when its body is unsound or uses variables it lacks */
function compile(lambda: Lambda, ctx: ParseContext): LambdaCode {
  const captured = new Set<string>();
  for (let frame = lambda.env; frame !== null; frame = frame.outer) captured.add(frame.name);
  const own: ParseContext = { ...ctx, variables: { own: captured, outer: null }, undefined: [], used: new Set() };
  const code = parseLambdaCode(lambda.params, lambda.source, Path.root, own, lambda.version);
  if (own.undefined.length > 0) throw new FqlError(own.undefined);
  return code;
}

/** Thrown where a database's names are needed and its catalog is not read yet: whoever catches it reads the catalog, and does everything again. */
export class NeedsDatabase extends Error {
  constructor(readonly scope: Scope) {
    super('needs the catalog of another database');
  }
}

/** A database that is neither the caller's own nor below it looks empty to the caller, and lies nowhere. */
const asSeenBy = ({ path }: Caller, catalog: Catalog): Catalog => (isWithin(catalog.path, path) ? catalog : new Catalog(catalog.scope, []));

/**
 * The parser's view of a request, with no variables bound.
 * @param within names of the databases from the request's own to that of its catalog
 */
export function parseContext({ catalog, wire, caller, others }: Pick<Context, 'catalog' | 'wire' | 'caller' | 'others'>, within: readonly string[] = []): ParseContext {
  return {
    catalog,
    wire,
    variables: null,
    undefined: [],
    used: new Set(),
    within,
    lambda(params, source, version, at, limit) {
      const named = wireOf(version);
      if (named === null) throw invalidExpression(at, 'Invalid lambda.');
      const own: ParseContext = { ...this, wire: named, variables: null, undefined: [], used: new Set() };
      const code = parseLambdaCode(params, source, at, own, version);
      if (own.undefined.length > 0) throw invalidExpression(at, 'Invalid lambda.');
      if (limit !== undefined && exceeds(code.effect, limit)) throw asParseError(invalidLambda(at, limit));
      return new Lambda(code.params, shownSource(source, own), version, null);
    },
    selfRef(collection) {
      const { credential, identity } = caller;
      if (collection === NATIVE.tokens) return credential?.collection === NATIVE.tokens ? credential : null;
      if (collection === NATIVE.credentials) return caller.credentials ?? null;
      return identity?.collection === collection ? identity : null;
    },
    inDatabase(scope, names) {
      const other = others.get(scope);
      if (other === undefined) throw new NeedsDatabase(scope);
      return parseContext({ catalog: asSeenBy(caller, other), wire, caller, others }, names);
    },
  };
}
