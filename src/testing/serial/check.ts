// The serialisability checker: whether one serial order explains what all clients saw.
//
// Each answer tells its place: the time of its commit, or of the last commit it saw. So the
// order need not be searched for: the operations are replayed in it on a plain model, and each
// must have been answered as the model answers. The order is strict: who was answered before
// another was asked stands before it. An answer without a place (an error) must fit the model
// somewhere between its question and its end.

/** One request as its client saw it. Times by one clock, of whatever unit. */
export interface Operation<S> {
  /** For messages. */
  readonly name: string;
  readonly invoked: number;
  /** Infinity when it was never answered. */
  readonly responded: number;
  /** Of its commit or, when it wrote nothing, of the last commit it saw; `null` when that is not told. */
  readonly ts: number | null;
  /** Whether it made a commit. */
  readonly wrote: boolean;
  /** `unknown` where no answer came. */
  readonly answer: unknown;
  /** The model: the state after it, and the answer it gives. Changes nothing it is given. */
  readonly run: (state: S) => readonly [state: S, answer: unknown];
}

export const UNKNOWN = Symbol('no answer came');

/** @returns what cannot be explained; nothing, if the history is strictly serialisable */
export function unexplained<S>(initial: S, operations: readonly Operation<S>[]): string[] {
  const placed = operations.filter((operation): operation is Placed<S> => operation.ts !== null).sort(inOrder);
  const replay = replayed(initial, placed);
  return [
    ...sharedTimes(placed),
    ...replay.complaints,
    ...outOfTime(placed),
    ...operations.filter(({ ts, answer }) => ts === null && answer !== UNKNOWN).flatMap(misfit(placed, replay.states)),
  ];
}

type Placed<S> = Operation<S> & { readonly ts: number };

/** A reader stands after the commit it saw. */
function inOrder<S>(a: Placed<S>, b: Placed<S>): number {
  return a.ts - b.ts || Number(b.wrote) - Number(a.wrote) || a.invoked - b.invoked;
}

function sharedTimes<S>(placed: readonly Placed<S>[]): string[] {
  const writers = placed.filter(({ wrote }) => wrote);
  return writers.flatMap((writer, at) => (writers[at + 1]?.ts === writer.ts ? [`${told(writer)} and ${told(writers[at + 1])} share a time`] : []));
}

interface Replay<S> {
  readonly complaints: readonly string[];
  /** The state from each commit on, in order. */
  readonly states: readonly { readonly ts: number; readonly state: S }[];
}

function replayed<S>(initial: S, placed: readonly Placed<S>[]): Replay<S> {
  const complaints: string[] = [];
  const states = [{ ts: Number.NEGATIVE_INFINITY, state: initial }];
  let state = initial;
  for (const operation of placed) {
    const [next, answer] = operation.run(state);
    if (operation.answer !== UNKNOWN && !isSame(answer, operation.answer)) {
      complaints.push(`${told(operation)} was answered ${text(operation.answer)}; in its place that is ${text(answer)}`);
    }
    if (operation.wrote) states.push({ ts: operation.ts, state: (state = next) });
    else if (!isSame(state, next)) complaints.push(`${told(operation)} says it wrote nothing, but in its place it does`);
  }
  return { complaints, states };
}

/** Who was asked after another's answer, but stands before it. */
function outOfTime<S>(placed: readonly Placed<S>[]): string[] {
  const ends = [...placed].sort((a, b) => a.responded - b.responded);
  let ended = 0;
  let latest: Placed<S> | undefined;
  return [...placed]
    .sort((a, b) => a.invoked - b.invoked)
    .flatMap((operation) => {
      for (let next = ends[ended]; next !== undefined && next.responded < operation.invoked; next = ends[++ended]) {
        if (latest === undefined || next.ts > latest.ts) latest = next;
      }
      const isLate = latest !== undefined && (operation.wrote ? operation.ts <= latest.ts : operation.ts < latest.ts);
      return isLate ? [`${told(operation)} was asked after the answer of ${told(latest)}, but stands before it`] : [];
    });
}

/** Complains of an answer without a place that no state of its time gives. */
function misfit<S>(placed: readonly Placed<S>[], states: Replay<S>['states']) {
  return (operation: Operation<S>): string[] => {
    const before = placed.filter(({ responded }) => responded < operation.invoked).map(({ ts }) => ts);
    const after = placed.filter(({ invoked }) => invoked > operation.responded).map(({ ts, wrote }) => (wrote ? ts - 1 : ts));
    const from = Math.max(Number.NEGATIVE_INFINITY, ...before);
    const to = Math.min(Number.POSITIVE_INFINITY, ...after);
    const possible = states.filter(({ ts }, at) => ts <= to && (states[at + 1]?.ts ?? Number.POSITIVE_INFINITY) > from);
    const fits = possible.some(({ state }) => isSame(operation.run(state)[1], operation.answer));
    return fits ? [] : [`${told(operation)} was answered ${text(operation.answer)}, which it was at no time in between`];
  };
}

const told = <S>(operation: Operation<S> | undefined): string => `${operation?.name ?? ''} (${operation?.ts ?? 'no time'})`;
const text = (value: unknown): string => JSON.stringify(value) ?? String(value);

/** Answers and states are JSON, made by the same code or parsed from an answer. */
const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
