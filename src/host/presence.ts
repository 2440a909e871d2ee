// Which engines are open on a database: each holds a Web Lock named after itself, for the
// others to see. One that has seen nobody else is alone for the next second and need not
// look at the log before it answers.
//
// That is safe because a newcomer first takes its lock, and then adds nothing to the log
// until everyone who was there knows of it: they say so at once or, where they are blocked
// or frozen, their second runs out. The browser is asked again in good time, so that an
// engine at work stays alone without a break. After a break somebody may have come, written
// and gone: a new period begins, and with it a look at the log.
import { neverAlone, type Solitude } from '../engine/index.ts';

export interface Presence extends Solitude {
  /** Resolves when every engine that was here before knows of this one; until then it must not append. */
  readonly known: Promise<void>;
  /** This engine is closed: the others need not mind it any more. */
  leave(): void;
}

/** How long an answer of the browser holds, counted from the question. */
const ALONE_MS = 1000;
/** A newcomer waits a little longer than that at most. */
const MARGIN_MS = 100;
/** The browser is asked again when the last question is this old. */
const AGAIN_MS = 300;
/** A newcomer says so again, to those that were not listening yet. */
const REPEAT_MS = 25;

type Message = { readonly kind: 'here'; readonly id: string } | { readonly kind: 'noted'; readonly id: string; readonly by: string };

/**
 * Where the browser has no locks, nobody is ever alone.
 * @param clock milliseconds, never set back
 */
export function announce(database: string, clock: () => number = () => performance.now()): Presence {
  const locks = globalThis.navigator?.locks;
  if (locks === undefined || typeof BroadcastChannel === 'undefined') {
    return { ...neverAlone, known: Promise.resolve(), leave: () => undefined };
  }
  const id = crypto.randomUUID();
  const channel = new BroadcastChannel(`vivarium:${database}`);
  const send = (message: Message): void => channel.postMessage(message);
  const notedBy = new Set<string>();
  let onNoted: () => void = () => undefined;
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));

  let period = 0;
  let isAlone = false;
  /** When the question was asked whose answer is that it is alone. */
  let since = 0;
  let asked = Number.NEGATIVE_INFINITY;

  const breakOff = (): void => {
    isAlone = false;
    period++;
  };

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'here') {
      breakOff();
      send({ kind: 'noted', id: data.id, by: id });
    } else if (data.id === id) {
      notedBy.add(data.by);
      onNoted();
    }
  };

  const others = async (): Promise<string[]> => {
    const { held = [] } = await locks.query();
    return held.flatMap(({ name = '' }) => idOf(name, database) ?? []).filter((other) => other !== id);
  };

  /** Resolves to who else is there. */
  const ask = async (): Promise<readonly string[]> => {
    const [question, before] = [clock(), period];
    asked = question;
    const seen = await others();
    // Somebody has come meanwhile.
    if (period !== before) return seen;
    const isSeenAlone = seen.length === 0;
    // Up to the answer, not the question: until then somebody may have come and gone.
    if (!isSeenAlone || (isAlone && clock() - since >= ALONE_MS)) breakOff();
    isAlone = isSeenAlone;
    since = question;
    return seen;
  };

  const arrive = async (): Promise<void> => {
    await new Promise<void>((granted, refused) => {
      const held = locks.request(lockName(id, database), () => {
        granted();
        return left;
      });
      held.catch(refused);
    });
    const end = clock() + ALONE_MS + MARGIN_MS;
    for (let rest = await ask(); rest.length > 0 && clock() < end; ) {
      send({ kind: 'here', id });
      await new Promise<void>((resolve) => {
        onNoted = resolve;
        setTimeout(resolve, REPEAT_MS);
      });
      rest = (await others()).filter((other) => !notedBy.has(other));
    }
  };

  const known = arrive();
  // Whoever fails before it asks must not see this as unhandled.
  known.catch(() => undefined);
  return {
    known,
    period() {
      if (clock() - asked > AGAIN_MS) ask().catch(breakOff);
      return isAlone && clock() - since < ALONE_MS ? period : null;
    },
    leave() {
      breakOff();
      asked = Number.POSITIVE_INFINITY;
      channel.close();
      leave();
    },
  };
}

const PREFIX = 'vivarium:';
const ID_LENGTH = 36;

export function lockName(id: string, database: string): string {
  return `${PREFIX}${id}:${database}`;
}

function idOf(name: string, database: string): string | null {
  const id = name.slice(PREFIX.length, PREFIX.length + ID_LENGTH);
  return name === lockName(id, database) ? id : null;
}
