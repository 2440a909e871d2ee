// Whether an engine need not look at the log before it answers, as nobody else can have changed it.
//
// Every engine on a database shows that it is here, and one that writes shows that too. An engine that
// has seen nobody else write is alone for the next second (aloneness.ts). That is safe because whoever
// is about to write shows it first, and changes nothing until everyone who was here knows of it
// (writer-role.ts). Where an engine was not alone for a moment, somebody may have come, written and
// gone: when it is alone again, that is a new period, and begins with a look at the log.
//
// Mostly only one of several tabs is used. So an engine that has not written for a while stops being a
// writer, where there are others whom that holds up, and announces itself anew before its next change.
//
// Engines also tell each other of commits, if there is somebody to hear it.
import { type CommitHint, neverAlone, type Solitude } from '../engine/index.ts';
import { aloneness } from './aloneness.ts';
import type { Neighbours, Others } from './neighbours.ts';
import { writerRole } from './writer-role.ts';

export interface Presence extends Solitude, CommitHint {
  /** Resolves when the others can see this engine, and it knows whether one of them writes: before that it answers and changes nothing. */
  readonly arrived: Promise<void>;
  /** Makes a change of the database, once everyone knows that this engine makes some. */
  write<T>(change: () => Promise<T>): Promise<T>;
  /** This engine is closed: the others need not mind it any more. */
  leave(): void;
}

const nothing = (): void => {};

/**
 * @param around `null` where nobody can be seen: then nobody is ever alone
 * @param shown when others see that it is here, if that was begun
 */
export function presence(around: Neighbours | null, shown = around?.show('here')): Presence {
  if (around === null || shown === undefined) {
    return { ...neverAlone, arrived: Promise.resolve(), write: (change) => change(), tell: nothing, onHint: nothing, leave: nothing };
  }
  /** Whether others were here when last looked for, or were heard of since. */
  let company = false;
  const look = async (): Promise<Others> => {
    const others = await around.others();
    company = others.here.length > 0;
    return others;
  };
  const alone = aloneness(async () => {
    const others = await look();
    // One that was answered late may have hidden the company from it.
    if (company) void writer.restLater();
    return others;
  }, around.clock);
  const writer = writerRole(around, look, () => company);

  around.onMessage = (message) => {
    company = true;
    if (message.kind === 'committed') here.onHint();
    if (message.kind === 'here') void writer.restLater();
    if (message.kind === 'writes') {
      alone.breakOff();
      around.send({ ...message, kind: 'noted', by: around.id });
    }
    if (message.kind === 'noted') writer.noted(message);
  };

  const arrive = async (): Promise<void> => {
    await shown;
    await alone.ask();
    if (company) around.send({ kind: 'here' });
    // There is nobody to wait for now, as there may be at its first change.
    else writer.assumeEarly();
  };

  const arrived = arrive();
  // Whoever fails before waiting for it must not see its failure as unhandled.
  arrived.catch(nothing);
  const here: Presence = {
    arrived,
    period: alone.period,
    write: writer.write,
    tell() {
      if (company) around.send({ kind: 'committed' });
    },
    onHint: nothing,
    leave() {
      alone.end();
      around.close();
      shown.then((end) => end()).catch(nothing);
      writer.end();
    },
  };
  return here;
}
