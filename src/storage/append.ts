// Adding one record. First blindly under the next number, committed without waiting; only if
// another engine took the number is the tail read, planned on again and added to, in one
// transaction. Either way the header is read along: under a lifted floor the record is dead.
import { type Appended, checkRecordSize, type LogRecord, type Plan, type Settings } from '../engine/kv/log-store.ts';
import { interrupted, isTaken } from './failure.ts';
import { fromParts, keysAfter, partKey, type StoredPart, toParts } from './parts.ts';
import { randomMark, readHeader, type StoredHeader } from './stored.ts';
import type { Run } from './transact.ts';

export interface Ending {
  readonly result: Appended;
  /** As it stood at the append, unless the plan refused before anything was read. */
  readonly header?: StoredHeader;
}

/** A record on its way into the log. */
interface Sent {
  readonly number: number;
  readonly parts: readonly StoredPart[];
  readonly unseen: readonly LogRecord[];
}

/** One call of `append`: can be attempted again, and find out what became of an attempt. */
export class Append {
  /** Last sent to the log, for the case that its end is not seen. */
  private sent: Sent | undefined;

  /** @param durability of the database, as far as known */
  constructor(
    private readonly after: number,
    private readonly plan: Plan,
    private readonly durability: Settings['durability'],
  ) {}

  async attempt(run: Run): Promise<Ending> {
    this.sent = undefined;
    const body = checkRecordSize(this.plan([]));
    if (body === null) return { result: { kind: 'refused', unseen: [] } };
    const ending = (await this.addNext(run, this.send(body, []))) ?? (await this.addAfterTail(run));
    return this.harden(run, ending);
  }

  /** How the last attempt ended; `undefined` if nothing of it came to the log. */
  async settle(run: Run): Promise<Ending | undefined> {
    const ending = this.sent && (await find(run, this.sent));
    return ending && this.harden(run, ending);
  }

  /** `undefined` when the number is taken. */
  private async addNext(run: Run, sent: Sent): Promise<Ending | undefined> {
    try {
      return await run.write(['meta', 'log'], this.durability, (transaction) => {
        const header = transaction.objectStore('meta').get('header');
        addParts(transaction, sent);
        transaction.commit();
        return () => endingOf(sent, readHeader(header.result));
      });
    } catch (error) {
      if (!isTaken(error)) throw error;
      this.sent = undefined;
      return undefined;
    }
  }

  private addAfterTail(run: Run): Promise<Ending> {
    return run.write(['meta', 'log'], this.durability, (transaction, on) => {
      const found = transaction.objectStore('meta').get('header');
      const tail = transaction.objectStore('log').getAll(keysAfter(this.after));
      let ending: Ending;
      on(tail, (values) => {
        const header = readHeader(found.result);
        if (this.after < header.floor) {
          ending = { header, result: { kind: 'trimmed', floor: header.floor } };
          return;
        }
        const unseen = fromParts(values, this.after + 1);
        const body = checkRecordSize(this.plan(unseen));
        if (body === null) {
          ending = { header, result: { kind: 'refused', unseen } };
          return;
        }
        const sent = this.send(body, unseen);
        addParts(transaction, sent);
        transaction.commit();
        ending = endingOf(sent, header);
      });
      return () => ending;
    });
  }

  private send(body: Uint8Array, unseen: readonly LogRecord[]): Sent {
    const number = this.after + unseen.length + 1;
    this.sent = { number, parts: toParts(number, body, randomMark()), unseen };
    return this.sent;
  }

  /** Where another engine made the database strict since we last looked, the record is not yet on disk. */
  private async harden(run: Run, ending: Ending): Promise<Ending> {
    const isSoft = this.durability !== 'strict' && ending.header?.settings.durability === 'strict';
    if (isSoft && ending.result.kind === 'appended' && this.sent !== undefined) await rewrite(run, this.sent);
    return ending;
  }
}

function addParts(transaction: IDBTransaction, { parts }: Sent): void {
  const log = transaction.objectStore('log');
  // The first one fails when another engine took the number, and with it the transaction.
  for (const part of parts) log.add(part, partKey(part.number, part.part));
}

/** How it ended for a record that is in the log. Under the floor it is dead: no tail shows it, the next install deletes it. */
function endingOf({ number, unseen }: Sent, header: StoredHeader): Ending {
  const { floor } = header;
  return { header, result: number <= floor ? { kind: 'trimmed', floor } : { kind: 'appended', number, unseen } };
}

async function find(run: Run, sent: Sent): Promise<Ending | undefined> {
  const { number, parts } = sent;
  const { header, isThere } = await run.read(['meta', 'log'], (transaction) => {
    const stored = transaction.objectStore('meta').get('header');
    const last = transaction.objectStore('log').get(partKey(number)) as IDBRequest<StoredPart | undefined>;
    return { last, result: () => ({ header: readHeader(stored.result), isThere: last.result?.attempt === parts[0]?.attempt }) };
  });
  if (isThere) return endingOf(sent, header);
  // It was never there, or went into blocks and was trimmed: nobody can tell any more.
  if (number <= header.floor) throw interrupted(true);
  return undefined;
}

/** Writes the record once more, this time to disk; unless it was trimmed, and what replaced it is there. */
function rewrite(run: Run, { number, parts }: Sent): Promise<void> {
  return run.write(['meta', 'log'], 'strict', (transaction, on) => {
    on(transaction.objectStore('meta').get('header'), (value) => {
      if (number <= readHeader(value).floor) return;
      for (const part of parts) transaction.objectStore('log').put(part, partKey(number, part.part));
    });
    return () => undefined;
  });
}
