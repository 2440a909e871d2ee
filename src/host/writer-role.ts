// How an engine becomes a writer, and stops being one. Before its first change it shows that it writes,
// and waits until everyone who was here knows of it: they say so at once or, where they are blocked or
// frozen, the second for which they may think themselves alone runs out. After some time without a
// change it no longer shows itself as a writer, as that keeps the others from being alone.
import { timedOut } from '../storage/deadline.ts';
import { ALONE_MS } from './aloneness.ts';
import type { Message, Neighbours, Others } from './neighbours.ts';

/** The second is waited out with so much to spare. */
const MARGIN_MS = 100;
/** An announcement is repeated this often, for those that were not listening yet. */
const REPEAT_MS = 25;
/** So long after its last change an engine stops being a writer: by then upkeep, too, has put away what was written. */
const REST_MS = 5000;
/** How long announcing may take in all, should the browser not answer. */
const LIMIT_MS = 10_000;

export interface WriterRole {
  /** Makes a change of the database, once everyone knows that this engine makes some. */
  write<T>(change: () => Promise<T>): Promise<T>;
  /** Becomes a writer before there is anything to write. */
  assumeEarly(): void;
  /** Another engine says that it knows of an announcement. */
  noted(message: Extract<Message, { kind: 'noted' }>): void;
  /** Stops being a writer after a while without changes, if there are others whom that would hold up. */
  restLater(): Promise<void>;
  /** Stops being a writer at once, for good. */
  end(): void;
}

const nothing = (): void => {};

/** @param hasCompany whether others were here when last looked for, or were heard of since */
export function writerRole(around: Neighbours, look: () => Promise<Others>, hasCompany: () => boolean): WriterRole {
  const { id, clock } = around;
  /** Resolves once everyone knows that this engine writes, to what ends that; `null` while it is no writer. */
  let announced: Promise<() => void> | null = null;
  let announcements = 0;
  /** Who has not said yet that it knows of the last announcement. */
  let unaware: readonly string[] = [];
  let onNoted = nothing;
  /** Changes under way. */
  let changes = 0;
  let lastChange = Number.NEGATIVE_INFINITY;
  let isResting = false;
  let hasEnded = false;

  /** Announces it again, and waits for somebody to say that it knows, at most this long. */
  const remind = async (ms: number): Promise<void> => {
    around.send({ kind: 'writes', id, nth: announcements });
    await Promise.race([around.pause(ms), new Promise<void>((resolve) => (onNoted = resolve))]);
    const { here } = await look();
    unaware = unaware.filter((other) => here.includes(other));
  };

  const announce = async (): Promise<() => void> => {
    const end = await around.show('writes');
    try {
      // The engine was closed meanwhile: it makes no change any more.
      if (hasEnded) end();
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

  /** All changes that begin meanwhile wait for the same announcement. @throws StorageError `timeout` */
  const assume = (): Promise<() => void> => {
    if (announced !== null) return announced;
    const announcing = announce();
    const own = Promise.race([announcing, around.pause(LIMIT_MS).then(() => Promise.reject(timedOut()))]).catch((error: unknown) => {
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
    if (isResting || !hasCompany()) return;
    isResting = true;
    const left = (): number => lastChange + REST_MS - clock();
    // While somebody does not answer, being frozen perhaps, every new announcement would have to wait for it: this one is kept.
    while (announced !== null && (left() > 0 || unaware.length > 0)) {
      await (left() > 0 ? around.pause(left()) : remind(REST_MS).catch(nothing));
    }
    isResting = false;
    if (changes === 0) withdraw();
  };

  return {
    restLater,
    async write(change) {
      changes++;
      try {
        await assume();
        return await change();
      } finally {
        changes--;
        lastChange = clock();
        void restLater();
      }
    },
    assumeEarly() {
      if (!hasEnded) assume().then(restLater).catch(nothing);
    },
    noted(message) {
      if (message.id !== id || message.nth !== announcements) return;
      unaware = unaware.filter((other) => other !== message.by);
      onNoted();
    },
    end() {
      hasEnded = true;
      withdraw();
    },
  };
}
