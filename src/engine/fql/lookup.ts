// Finding what stands at a path in a value (reference: fql/functions.md §3.1). Every kind of
// container says which steps lead into it; what a step does not name is `undefined`.
import type { PathStep } from '../form/casts.ts';
import { refField } from '../doc/ref-field.ts';
import type { EvalContext } from '../form/context.ts';
import { collectionRefOf } from '../value/ref.ts';
import { countPart } from '../value/parts.ts';
import { isSourceName, sourceBy } from '../wire/encode.ts';
import { Action, Doc, DocEvent, isArray, Obj, Page, Ref, SetValue, Sourced, tsValue, type Value } from '../value/value.ts';

type Steps = readonly PathStep[];
type Found = Value | undefined;

/**
 * The value at a path, or `undefined`.
 * @param leaves where given, a step that is no position goes into every element of an array; misses drop out, and all
 *               that is found goes into this one list, which is then the value: lists joined on the way up would be
 *               copied at each level
 * @param from where in the path to begin
 * @throws RangeError where that leads into too many arrays; the caller begins to count them (`beginParts`)
 */
export function lookup(container: Value, path: Steps, ctx: EvalContext, leaves: Value[] | null = null, from = 0): Found {
  let found: Found = container;
  for (let at = from; found !== undefined; at++) {
    const step = path[at];
    if (isArray(found)) {
      if (typeof step !== 'bigint') {
        if (leaves === null) return step === undefined ? found : undefined;
        countPart(found.length);
        for (const element of found) {
          const leaf = lookup(element, path, ctx, leaves, at);
          if (leaf !== undefined && leaf !== leaves) leaves.push(leaf);
        }
        return leaves;
      }
      found = elementAt(found, step);
    } else if (step === undefined) return found;
    else if (found instanceof Obj) found = typeof step === 'string' ? found.get(step) : undefined;
    else if (found instanceof Doc) {
      // Of documents only indexes have one.
      const name = step === 'source' ? path.slice(at).find(isSourceName) : undefined;
      found = documentField(found, step);
      if (name && found) found = sourceBy(name, found);
    } else if (found instanceof SetValue) found = setField(found, step, at + 1 === path.length);
    else found = field(found, step, ctx);
  }
  return undefined;
}

function field(container: Value, step: PathStep, ctx: EvalContext): Found {
  if (container instanceof Page && typeof step === 'bigint') return elementAt(container.data, step);
  if (typeof step === 'bigint') return undefined;
  if (container instanceof Ref) return refField(container, step, ctx);
  if (container instanceof DocEvent) return eventField(container, step);
  return container instanceof Page || container instanceof Sourced ? container.asObject().get(step) : undefined;
}

const elementAt = (elements: readonly Value[], position: bigint): Found =>
  position < 0n ? undefined : elements[Number(position)];

function documentField(doc: Doc, step: PathStep): Found {
  if (step === 'ref') return doc.ref;
  if (step === 'ts') return tsValue(doc.ts);
  if (step === 'class') return collectionRefOf(doc.ref);
  return typeof step === 'string' ? doc.fields.get(step) : undefined;
}

/** All three names of the document lead there, whatever the version of the API. */
const EVENT_REF: ReadonlySet<string> = new Set(['resource', 'instance', 'document']);

function eventField(event: DocEvent, step: string): Found {
  if (step === 'ts') return tsValue(event.ts);
  if (step === 'action') return new Action(event.action);
  if (EVENT_REF.has(step)) return event.ref ?? undefined;
  if (step !== 'data' || event.changes !== null) return event.changes?.get(step);
  // What a set's event covers: a single value stands alone, and none are an empty array, which is not shown.
  const values = event.data ?? [];
  return isArray(values) && values.length === 1 ? values[0] : values;
}

/** Steps into the description of a set, by a deprecated path `@set`; younger sets never had them. */
const SET_STEPS: ReadonlySet<PathStep> = new Set(['union', 'intersection', 'difference', 'distinct', 'join', 'match']);

function setField(set: SetValue, step: PathStep, isLast: boolean): Found {
  if (step !== '@set') return undefined;
  if (isLast) return set;
  const description = set.describe();
  if (description instanceof Ref) return description;
  return SET_STEPS.has(description.keys[0] ?? '') ? new Obj(description.keys, description.values.map(member)) : undefined;
}

/** What a set is made of, where a ref stands for the set of it. */
function member(part: Value): Value {
  if (isArray(part)) return part.map(member);
  if (!(part instanceof SetValue)) return part;
  const description = part.describe();
  return description instanceof Ref ? description : part;
}
