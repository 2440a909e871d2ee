import type { Traffic } from '../protocol/lane.ts';
import { after } from '../protocol/steady.ts';

/** Milliseconds from one look to the next, and how many looks there are at most. */
const LOOK = 100;
const LOOKS = 30;

/** Resolves when nothing was asked for a moment, at the latest after three seconds. For work that nobody waits for, and that would slow down what somebody does wait for. */
export async function leisure(traffic: () => Traffic): Promise<void> {
  let seen = -1;
  for (let looks = 0; looks < LOOKS; looks++) {
    const { made, awaited } = traffic();
    if (awaited === 0 && made === seen) return;
    seen = made;
    await new Promise<void>((look) => after(LOOK, look));
  }
}
