// Whether an engine is alone: the browser was asked less than a second ago, and showed nobody else
// who writes. It is asked again in good time, so that an engine at work stays alone without a break.
import type { Solitude } from '../engine/index.ts';
import type { Others } from './neighbours.ts';

/** How long the answer that nobody else writes holds, counted from the question. */
export const ALONE_MS = 1000;
/** The browser is asked again when the last question is this old. */
const AGAIN_MS = 300;

export interface Aloneness extends Solitude {
  /** Looks for others who write. Resolves once it is known whether this engine is alone. */
  ask(): Promise<void>;
  /** Somebody else is about to write, or may have written: this period is over. */
  breakOff(): void;
  /** Alone no more, and asks no more. */
  end(): void;
}

export function aloneness(look: () => Promise<Others>, clock: () => number): Aloneness {
  let period = 0;
  let isAlone = false;
  /** When the question was asked whose answer is that it is alone. */
  let since = 0;
  /** When the last question was asked. */
  let asked = Number.NEGATIVE_INFINITY;

  const breakOff = (): void => {
    isAlone = false;
    period++;
  };

  const ask = async (): Promise<void> => {
    const [question, before] = [clock(), period];
    asked = question;
    const { writes } = await look();
    // The period was broken off while the browser was looking, so its answer may be out of date.
    if (period !== before) return;
    const isSeenAlone = writes.length === 0;
    // Counted to this moment and not to the question: in between somebody may have come, written and gone.
    if (!isSeenAlone || (isAlone && clock() - since >= ALONE_MS)) breakOff();
    isAlone = isSeenAlone;
    since = question;
  };

  return {
    ask,
    breakOff,
    period() {
      const now = clock();
      if (now - asked > AGAIN_MS) ask().catch(breakOff);
      return isAlone && now - since < ALONE_MS ? period : null;
    },
    end() {
      breakOff();
      asked = Number.POSITIVE_INFINITY;
    },
  };
}
