// What an index may be (reference: data/indexes.md §1–4).
import { fieldFailures } from '../errors/codes.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import { storedTypeName } from '../errors/type-name.ts';
import type { EvalContext } from '../form/context.ts';
import { exceeds } from '../form/effect.ts';
import { HIDDEN, listOf } from '../schema/definitions.ts';
import { same } from '../value/equal.ts';
import { NATIVE, Ref } from '../value/ref.ts';
import { isArray, Lambda, Obj, type Value } from '../value/value.ts';
import type { Preparation, Prepared } from './preparation.ts';

const MAX_PARTITIONS = 8;
type Place = readonly (string | number)[];

export function indexDefinition({ fields, before }: Preparation, ctx: EvalContext): Prepared {
  const failures: FieldFailure[] = [];
  const source = normalSource(fields.get('source') ?? null, failures, ctx);
  const terms = fields.has('terms') ? fieldList(fields.get('terms') ?? null, 'terms', failures) : undefined;
  const values = fields.has('values') ? fieldList(fields.get('values') ?? null, 'values', failures) : undefined;
  checkBindings(source, [...(terms ?? []), ...(values ?? [])], failures, ctx);
  const partitions = partitionsOf(fields, terms ?? [], before, ctx, failures);
  // What is active stays so; it may be said of an index whose build goes on, which then answers with what it has.
  const active = before?.get('active') === true || fields.get('active') === true;
  const normal: Readonly<Record<string, Value | undefined>> = { active, serialized: fields.get('serialized') !== false, source, terms, values, partitions };
  const ordered = [...new Set(['active', 'serialized', ...fields.keys, 'partitions'])];
  const collation = before?.get(HIDDEN.collation) ?? (ctx.wire.collation === 'legacy' ? 'legacy' : undefined);
  const stored = Obj.from({ ...Object.fromEntries(ordered.map((key) => [key, normal[key] ?? fields.get(key)])), [HIDDEN.collation]: collation });
  if (before !== null) failures.push(...changeFailures(before, stored));
  return { fields: stored, failures };
}

/** A path of one step may stand without an array. */
const withPath = (item: Value): Value => (item instanceof Obj && item.has('field') ? item.with('field', [...listOf(item.get('field'))]) : item);

/** Definitions do not change: sent again they must be the same. */
function changeFailures(before: Obj, after: Obj): FieldFailure[] {
  const failures: FieldFailure[] = [];
  const [old, now] = [before.get('partitions'), after.get('partitions')];
  if (old !== now) failures.push(fieldFailures.indexChange([], `Index partition count may not be updated (${String(old)} -> ${String(now)}).`));
  const changed = ['source', 'terms', 'values'].filter((key) => !same(listOf(before.get(key)).map(withPath), listOf(after.get(key)).map(withPath)));
  if (changed.length > 0) {
    failures.push(fieldFailures.indexChange([], `Index sources, terms, and values may not be updated (${changed.join(', ')} changed).`));
  }
  return failures;
}

/** Refs, `_`, or objects of `class` and `fields`; one thing is not kept as an array. */
function normalSource(source: Value, failures: FieldFailure[], ctx: EvalContext): Value {
  const items = listOf(source);
  const found = items.map((item, index) => normalItem(item, isArray(source) ? ['source', index] : ['source'], failures, ctx));
  if (source !== null && items.length === 0) failures.push(fieldFailures.required(['source']));
  const bare = found.filter((item) => !(item instanceof Obj && item.has('fields')));
  const classesOf = (item: Value): readonly Value[] => listOf(item instanceof Obj ? item.get('class') : item);
  const wildcards = found.filter((item) => classesOf(item).includes('_')).length;
  if (bare.length === found.length && found.length > 1 && wildcards > 0) failures.push(fieldFailures.mixedWildcards(['source']));
  const objects = found.filter((item) => item instanceof Obj);
  const repeated = objects.some((item, at) => objects.some((other, place) => place < at && same(classesOf(item), classesOf(other))));
  if (repeated) failures.push(fieldFailures.multipleBindings(['source']));
  return isArray(source) && found.length !== 1 ? found : (found[0] ?? null);
}

function normalItem(item: Value, at: Place, failures: FieldFailure[], ctx: EvalContext): Value {
  if (!(item instanceof Obj)) return checkedClass(item, at, failures, ctx, true);
  const key = item.has('class') ? 'class' : 'collection';
  const classes = item.get(key);
  if (classes === undefined) {
    failures.push(fieldFailures.required([...at, key]));
    return item;
  }
  const checked = isArray(classes)
    ? classes.map((inner, index) => checkedClass(inner, [...at, key, index], failures, ctx, false))
    : checkedClass(classes, [...at, key], failures, ctx, true);
  const one = isArray(checked) && checked.length === 1 ? (checked[0] as Value) : checked;
  const bindings = item.get('fields');
  if (bindings === undefined) return Obj.of(['class', one]);
  if (!(bindings instanceof Obj)) {
    failures.push(fieldFailures.type([...at, 'fields'], storedTypeName(bindings), 'Map'));
    return Obj.of(['class', one]);
  }
  for (const [name, binding] of bindings.entries()) {
    if (!(binding instanceof Lambda)) failures.push(fieldFailures.type([...at, 'fields', name], storedTypeName(binding), 'Query'));
  }
  return Obj.of(['class', one], ['fields', bindings]);
}

function checkedClass(item: Value, at: Place, failures: FieldFailure[], ctx: EvalContext, wildcard: boolean): Value {
  if (item === '_' && wildcard) return item;
  if (!(item instanceof Ref) || item.collection !== NATIVE.collections) {
    failures.push(fieldFailures.type(at, storedTypeName(item), 'SourceClass'));
  } else if (item.id === BigInt(NATIVE.databases)) {
    failures.push(fieldFailures.unreadableRef(at));
  } else if (!ctx.catalog.hasCollection(Number(item.id))) {
    failures.push(fieldFailures.missingRef(at));
  }
  return item;
}

const KNOWN_KEYS = ['field', 'binding', 'reverse', 'transform', 'mva'];

/** Terms or values, each an object of `field` or `binding`; unknown keys are dropped. What is wrong in one is told by its own field alone. */
function fieldList(list: Value, key: string, failures: FieldFailure[]): Value[] {
  return listOf(list).map((item, index) => {
    const at: Place = [key, index];
    if (!(item instanceof Obj)) {
      failures.push(fieldFailures.type(at, storedTypeName(item), key === 'terms' ? 'Term' : 'Value'));
      return item;
    }
    const field = item.get('field');
    if (field === undefined && !item.has('binding')) failures.push(fieldFailures.oneRequired(['field'], ['field', 'binding']));
    const path = field === undefined ? [] : listOf(field);
    if (field !== undefined && !path.every((step) => typeof step === 'string' || typeof step === 'bigint')) {
      failures.push(fieldFailures.type(['field'], storedTypeName(field), 'Array'));
    }
    const transform = item.get('transform');
    if (transform !== undefined && transform !== 'casefold') {
      failures.push(fieldFailures.value(['transform'], String(transform), 'transform'));
    }
    return item.filter((name, value) => KNOWN_KEYS.includes(name) && !(name === 'mva' && value !== false));
  });
}

/** Bindings are pure, and there for a term or value. Whatever was sent, they are told by their numbers. */
function checkBindings(source: Value, fields: readonly Value[], failures: FieldFailure[], ctx: EvalContext): void {
  const used = new Set(fields.map((field) => (field instanceof Obj ? field.get('binding') : undefined)));
  listOf(source).forEach((item, index) => {
    const bindings = item instanceof Obj ? item.get('fields') : undefined;
    if (!(bindings instanceof Obj)) return;
    bindings.entries().forEach(([name, binding], number) => {
      const at: Place = ['source', index, 'fields', number, name];
      if (binding instanceof Lambda && exceeds(ctx.effectOf(binding), 'observe')) failures.push(fieldFailures.binding(at));
      if (!used.has(name)) failures.push(fieldFailures.unusedBinding(at));
    });
  });
}

/** One, or eight where all documents come under one tuple of terms. */
function partitionsOf(fields: Obj, terms: readonly Value[], before: Obj | null, { wire }: EvalContext, failures: FieldFailure[]): bigint {
  const unique = fields.get('unique') === true;
  const [only] = terms;
  const byClass = terms.length === 1 && only instanceof Obj && same(listOf(only.get('field')), ['class']);
  const usual = !unique && (terms.length === 0 || byClass) ? BigInt(MAX_PARTITIONS) : 1n;
  const given = fields.get('partitions');
  if (typeof given !== 'bigint') return usual;
  if (given < 1n || given > BigInt(MAX_PARTITIONS)) failures.push(fieldFailures.bounds(['partitions'], given, 1, MAX_PARTITIONS));
  // In 2.0 an index may become unique whatever its partitions (brief §2.7); later versions refuse that.
  const stays = before !== null && (before.get('unique') === true || wire.collation === 'legacy');
  return unique && !stays ? 1n : given;
}
