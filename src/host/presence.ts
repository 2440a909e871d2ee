// Whether an engine need not look at the log before it answers, as nobody else can have changed it.
//
// Every engine on a database shows that it is here, and whoever writes shows that too. One that
// has seen nobody else write is alone for the next second. That is safe because who is about to
// write shows it first, and then changes nothing until everyone who was here knows of it: they say
// so at once or, where they are blocked or frozen, their second runs out. The browser is asked
// again in good time, so that an engine at work stays alone without a break. After a break somebody
// may have come, written and gone: a new period begins, and with it a look at the log.
//
// Of several tabs one is used, mostly. So who has not written for a while shows itself as a writer
// no longer, where there are others whom that holds up, and begins anew with its next change.
//
// Engines tell each other of commits, too, if somebody is there to hear it.
import { type CommitHint, neverAlone, type Solitude } from '../engine/index.ts';
import { timedOut } from '../storage/deadline.ts';
import type { Neighbours, Role } from './neighbours.ts';

export interface Presence extends Solitude, CommitHint {
  /** Resolves when the others can see this engine, and it knows whether one of them writes: it answers and changes nothing before. */
  readonly arrived: Promise<void>;
  /** Makes a change of the database, once everyone knows that this engine makes some. */
  write<T>(change: () => Promise<T>): Promise<T>;
  /** This engine is closed: the others need not mind it any more. */
  leave(): void;
}

/** How long it holds that nobody else was seen to write, counted from the question. */
const ALONE_MS = 1000;
/** Who is about to write waits a little longer than that at most. */
const MARGIN_MS = 100;
/** The browser is asked again when the last question is this old. */
const AGAIN_MS = 300;
/** Who is about to write says so again, to those that were not listening yet. */
const REPEAT_MS = 25;
/** So long after its last change an engine no longer shows itself as a writer: when upkeep, too, has put away what was written. */
const REST_MS = 5000;
/** The browser has so long to let everyone know. */
const LIMIT_MS = 10_000;

const nothing = (): void => {};

/** @param around `null` where nobody can be seen: then nobody is ever alone */
export function presence(around: Neighbours | null): Presence {
  if (around === null) {
    return { ...neverAlone, arrived: Promise.resolve(), write: (change) => change(), tell: nothing, onHint: nothing, leave: nothing };
  }
  const { id, clock } = around;

  let period = 0;
  let isAlone = false;
  /** When the question was asked whose answer is that it is alone. */
  let since = 0;
  let asked = Number.NEGATIVE_INFINITY;
  /** Whether others were here at the last look, or were heard of since. */
  let company = false;

  /** That this engine writes, once everyone knows, and what ends it; `null` while it does not. */
  let announced: Promise<() => void> | null = null;
  let announcements = 0;
  /** Who has not said that it knows of the last announcement. */
  let unaware: readonly string[] = [];
  let onNoted = nothing;
  let changes = 0;
  let lastChange = Number.NEGATIVE_INFINITY;
  let isResting = false;
  let hasLeft = false;

  const breakOff = (): void => {
    isAlone = false;
    period++;
  };

  const look = async (): Promise<Record<Role, readonly string[]>> => {
    const others = await around.others();
    company = others.here.length > 0;
    return others;
  };

  const ask = async (): Promise<void> => {
    const [question, before] = [clock(), period];
    asked = question;
    const { writes } = await look();
    // Somebody has begun to write meanwhile.
    if (period !== before) return;
    const isSeenAlone = writes.length === 0;
    // Up to the answer, not the question: until then somebody may have come and gone.
    if (!isSeenAlone || (isAlone && clock() - since >= ALONE_MS)) breakOff();
    isAlone = isSeenAlone;
    since = question;
  };

  /** Tells those who are unaware, and waits so long for one of them to say that it knows. */
  const remind = async (ms: number): Promise<void> => {
    around.send({ kind: 'writes', id, nth: announcements });
    await Promise.race([around.pause(ms), new Promise<void>((resolve) => (onNoted = resolve))]);
    const { here } = await look();
    unaware = unaware.filter((other) => here.includes(other));
  };

  const announce = async (): Promise<() => void> => {
    const end = await around.show('writes');
    try {
      // Its storage is closed, and makes no change any more.
      if (hasLeft) end();
      announcements++;
      const latest = clock() + ALONE_MS + MARGIN_MS;
      unaware = (await look()).here;
      while (unaware.length > 0 && clock() < latest) await remind(REPEAT_MS);
      return end;
    } catch (error) {
      end();
      throw error;
    }
  };

  /** Whoever waits for it waits for the same. */
  const announceOnce = (): Promise<() => void> => {
    if (announced !== null) return announced;
    const announcing = announce();
    const own = Promise.race([announcing, around.pause(LIMIT_MS).then(() => Promise.reject(timedOut(false)))]).catch((error: unknown) => {
      if (announced === own) announced = null;
      announcing.then((end) => end()).catch(nothing);
      throw error;
    });
    announced = own;
    return own;
  };

  const withdraw = (): void => {
    announced?.then((end) => end()).catch(nothing);
    announced = null;
  };

  const restLater = async (): Promise<void> => {
    if (isResting || !company) return;
    isResting = true;
    const left = (): number => lastChange + REST_MS - clock();
    // Where somebody may be frozen, each announcement would have to wait for it: one is enough.
    while (announced !== null && (left() > 0 || unaware.length > 0)) {
      await (left() > 0 ? around.pause(left()) : remind(REST_MS).catch(nothing));
    }
    isResting = false;
    if (changes === 0) withdraw();
  };

  around.onMessage = (message) => {
    company = true;
    if (message.kind === 'committed') here.onHint();
    if (message.kind === 'here') void restLater();
    if (message.kind === 'writes') {
      breakOff();
      around.send({ kind: 'noted', id: message.id, nth: message.nth, by: id });
    }
    if (message.kind === 'noted' && message.id === id && message.nth === announcements) {
      unaware = unaware.filter((other) => other !== message.by);
      onNoted();
    }
  };

  const shown = around.show('here');

  const arrive = async (): Promise<void> => {
    await shown;
    await ask();
    if (company) around.send({ kind: 'here' });
    // Nobody has to be told: then it need not wait for that at its first change.
    else if (!hasLeft) announceOnce().then(restLater).catch(nothing);
  };

  const arrived = arrive();
  // Whoever fails before it asks must not see this as unhandled.
  arrived.catch(nothing);
  const here: Presence = {
    arrived,
    period() {
      if (clock() - asked > AGAIN_MS) ask().catch(breakOff);
      return isAlone && clock() - since < ALONE_MS ? period : null;
    },
    async write(change) {
      changes++;
      try {
        await announceOnce();
        return await change();
      } finally {
        changes--;
        lastChange = clock();
        void restLater();
      }
    },
    tell() {
      if (company) around.send({ kind: 'committed' });
    },
    onHint: nothing,
    leave() {
      hasLeft = true;
      breakOff();
      asked = Number.POSITIVE_INFINITY;
      around.close();
      shown.then((end) => end()).catch(nothing);
      withdraw();
    },
  };
  return here;
}
