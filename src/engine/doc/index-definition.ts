// What an index may be (reference: data/indexes.md §1–4).
import { fieldFailures } from '../errors/codes.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import { schemaFailures } from '../errors/schema-failures.ts';
import type { EvalContext } from '../form/context.ts';
import { exceeds } from '../form/effect.ts';
import { classesOf, EXACTNESS, HIDDEN, listOf } from '../schema/definitions.ts';
import { same } from '../value/equal.ts';
import { NATIVE, Ref } from '../value/ref.ts';
import { isArray, Lambda, Obj, type Value } from '../value/value.ts';
import type { Preparation, Prepared } from './preparation.ts';

const MAX_PARTITIONS = 8;

export function indexDefinition({ fields, before }: Preparation, ctx: EvalContext): Prepared {
  const failures: FieldFailure[] = [];
  const source = fields.get('source') ?? null;
  failures.push(...sourceFailures(source, ctx).slice(0, 1));
  const isSourced = failures.length === 0;
  const terms = fields.has('terms') ? fieldList(fields.get('terms') ?? null, 'terms', failures) : undefined;
  const values = fields.has('values') ? fieldList(fields.get('values') ?? null, 'values', failures) : undefined;
  const items = [...listOf(terms), ...listOf(values)];
  if (isSourced) checkBindings(source, items, failures, ctx);
  const partitions = partitionsOf(fields, listOf(terms), failures);
  // An active index stays so. One that is being built can be called active, and then answers with what it has.
  const active = before?.get('active') === true || fields.get('active') === true;
  const normal: Readonly<Record<string, Value | undefined>> = { active, serialized: fields.get('serialized') !== false, terms, values, partitions };
  const ordered = [...new Set(['active', 'serialized', ...fields.keys, 'partitions'])];
  const collation = before?.get(HIDDEN.collation) ?? (ctx.wire.collation === 'legacy' ? 'legacy' : undefined);
  // Indexes that earlier builds have made stay as they are.
  const exactness = before === null ? exactnessFor(items) : before.get(HIDDEN.exactness);
  const stored = Obj.from({ ...Object.fromEntries(ordered.map((key) => [key, normal[key] ?? fields.get(key)])), [HIDDEN.collation]: collation, [HIDDEN.exactness]: exactness });
  if (before !== null) failures.push(...changeFailures(before, stored, ctx));
  return { fields: stored, failures };
}

/** Steps that lead into refs (see ref-field.ts). */
const REF_STEPS: ReadonlySet<unknown> = new Set(['class', 'collection', 'id', 'database']);

/** Whether builds have differed in what such a term or value gives. */
function hasChanged(item: Value): boolean {
  if (!(item instanceof Obj)) return false;
  const [first, ...others] = listOf(item.get('field'));
  return item.has('binding') || item.has('transform') || item.get('mva') === false || first === 'ts' || others.some((step) => REF_STEPS.has(step));
}

/** `undefined` where it makes no difference, so that nothing is stored. */
const exactnessFor = (items: readonly Value[]): bigint | undefined => (items.some(hasChanged) ? BigInt(EXACTNESS.paths) : undefined);

/** What counts of a source, however it was written. */
const sourceOf = (item: Value): Value => [classesOf(item), (item instanceof Obj && item.get('fields')) || null];

/** A path of one step may stand without an array. */
const withPath = (item: Value): Value => (item instanceof Obj && item.has('field') ? item.with('field', [...listOf(item.get('field'))]) : item);

/** Definitions do not change: sent again they must be the same. */
function changeFailures(before: Obj, after: Obj, { wire }: EvalContext): FieldFailure[] {
  const failures: FieldFailure[] = [];
  // A unique index has one partition, whatever its definition says; in 2.0 an index may still become unique (brief §2.7).
  const counted = (index: Obj): Value => (index.get('unique') === true && wire.collation !== 'legacy' ? 1n : (index.get('partitions') ?? null));
  const [old, now] = [counted(before), counted(after)];
  if (old !== now) failures.push(schemaFailures.indexChange([], `Index partition count may not be updated (${String(old)} -> ${String(now)}).`));
  const counts = (index: Obj, key: string): Value => listOf(index.get(key)).map(key === 'source' ? sourceOf : withPath);
  const changed = ['source', 'terms', 'values'].filter((key) => !same(counts(before, key), counts(after, key)));
  if (changed.length > 0) {
    failures.push(schemaFailures.indexChange([], `Index sources, terms, and values may not be updated (${changed.join(', ')} changed).`));
  }
  return failures;
}

/** Sources are refs, `_`, or objects of `class` or `collection`, and `fields`: one, or several in an array. They stay as they were written. */
function sourceFailures(source: Value, ctx: EvalContext): FieldFailure[] {
  const items = listOf(source);
  const wrong: FieldFailure[] = source !== null && items.length === 0 ? [fieldFailures.required(['source'])] : [];
  wrong.push(...items.flatMap((item) => itemFailures(item, ctx)));
  const named = items.filter((item) => item !== '_').map(classesOf);
  if (named.some((classes, at) => named.slice(0, at).some((others) => same(classes, others)))) wrong.push(schemaFailures.multipleBindings(['source']));
  const isMixed = items.length > 1 && !items.some((item) => item instanceof Obj && item.has('fields')) && items.some((item) => classesOf(item).includes('_'));
  if (isMixed) wrong.push(schemaFailures.mixedWildcards(['source']));
  return wrong;
}

function itemFailures(item: Value, ctx: EvalContext): FieldFailure[] {
  if (!(item instanceof Obj)) return classFailures(item, 'SourceClass', 'source', ctx);
  const key = item.has('collection') && !item.has('class') ? 'collection' : 'class';
  const classes = item.get(key);
  if (classes === undefined) return [fieldFailures.required([key])];
  const named = classesOf(item);
  if (!same(named, listOf(item.get('collection') ?? classes))) return [schemaFailures.multipleBindings(['source'])];
  const wrong = named.flatMap((one) => classFailures(one, isArray(classes) ? 'Class Ref' : 'SourceClass', key, ctx));
  const bindings = item.get('fields');
  if (bindings === undefined) return wrong;
  if (!(bindings instanceof Obj)) return [...wrong, fieldFailures.type(['fields'], bindings, 'Query Map')];
  return [...wrong, ...bindings.entries().flatMap(([name, binding]) => (binding instanceof Lambda ? [] : [fieldFailures.type(['fields', name], binding, 'Query')]))];
}

/** @param type what it has to be: a `SourceClass`, which stands alone, may be `_`, for all collections */
function classFailures(item: Value, type: 'SourceClass' | 'Class Ref', key: string, { catalog }: EvalContext): FieldFailure[] {
  if (item === '_' && type === 'SourceClass') return [];
  if (!(item instanceof Ref) || item.collection !== NATIVE.collections) return [fieldFailures.type([key], item, type)];
  if (item.id === BigInt(NATIVE.databases)) return [fieldFailures.unreadableRef(['source'])];
  return catalog.hasCollection(Number(item.id)) ? [] : [schemaFailures.missingRef(key === 'source' ? [key] : ['source', key])];
}

const TYPES = [['binding', 'String'], ['reverse', 'Boolean'], ['mva', 'Boolean'], ['transform', 'String']] as const;
const KNOWN_KEYS: readonly string[] = ['field', ...TYPES.map(([key]) => key)];

/** Terms or values, each an object of `field` or `binding`; unknown keys are dropped. One may stand without an array. Only the first failure is told. */
function fieldList(list: Value, key: string, failures: FieldFailure[]): Value {
  const items = listOf(list);
  failures.push(...items.flatMap((item) => fieldFailure(item, key) ?? []).slice(0, 1));
  const known = items.map((item) => (item instanceof Obj ? item.filter((name, value) => KNOWN_KEYS.includes(name) && !(name === 'mva' && value !== false)) : item));
  return (list instanceof Obj && known[0]) || known;
}

/** What is wrong with a term or value. Its `field` is a name in that object alone, without the way to it. */
function fieldFailure(item: Value, key: string): FieldFailure | null {
  if (!(item instanceof Obj)) return fieldFailures.type([key], item, 'Term');
  const path = item.get('field');
  const astray = path === undefined ? undefined : listOf(path).find((step) => typeof step !== 'string' && typeof step !== 'bigint');
  const isPlaced = path !== undefined && astray === undefined;
  if (!isPlaced && !item.has('binding')) {
    return astray === undefined ? schemaFailures.oneRequired(['field'], ['field', 'binding']) : fieldFailures.type(['field'], astray, 'Long or String');
  }
  for (const [name, type] of TYPES) {
    const value = item.get(name);
    const counts = value !== undefined && !(isPlaced && name === 'binding');
    if (counts && typeof value !== type.toLowerCase()) return fieldFailures.type([name], value, type);
  }
  const transform = item.get('transform');
  return typeof transform === 'string' && transform !== 'casefold' ? schemaFailures.value(['transform'], transform, 'transform') : null;
}

/** Bindings must be pure, and used by a term or value. Failures name source and binding by their numbers. */
function checkBindings(source: Value, fields: readonly Value[], failures: FieldFailure[], ctx: EvalContext): void {
  const used = new Set(fields.map((field) => (field instanceof Obj ? field.get('binding') : undefined)));
  listOf(source).forEach((item, index) => {
    const bindings = item instanceof Obj ? item.get('fields') : undefined;
    if (!(bindings instanceof Obj)) return;
    bindings.entries().forEach(([name, binding], number) => {
      const at = ['source', index, 'fields', number, name];
      if (binding instanceof Lambda && exceeds(ctx.effectOf(binding), 'pure')) failures.push(schemaFailures.binding(at));
      if (!used.has(name)) failures.push(schemaFailures.unusedBinding(at));
    });
  });
}

/** One, or eight where all documents come under one tuple of terms. */
function partitionsOf(fields: Obj, terms: readonly Value[], failures: FieldFailure[]): bigint {
  const [only] = terms;
  const byClass = terms.length === 1 && only instanceof Obj && same(listOf(only.get('field')), ['class']);
  const given = fields.get('partitions');
  if (typeof given !== 'bigint') return terms.length === 0 || byClass ? BigInt(MAX_PARTITIONS) : 1n;
  if (given < 1n || given > BigInt(MAX_PARTITIONS)) failures.push(schemaFailures.bounds(['partitions'], given, 1, MAX_PARTITIONS));
  return given;
}
