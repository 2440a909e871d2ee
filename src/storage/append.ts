// Adding one record. Where nobody else has been adding, blindly: the log's key generator gives out
// each number once and never a lower one, so that a writer who gets the number it planned for knows
// that it has seen the whole log, and one who gets another has left a void record (parts.ts).
// Otherwise the header and the tail are read, planned on and added to, in one transaction.
import { type Appended, checkRecordSize, type LogRecord, type Plan, type Settings } from '../engine/kv/log-store.ts';
import { interrupted } from './failure.ts';
import { fromParts, keysAfter, PART_BYTES, partKey, type StoredPart, toParts } from './parts.ts';
import { randomMark, readHeader, type StoredHeader } from './stored.ts';
import type { Run } from './transact.ts';

export interface Ending {
  readonly result: Appended;
  /** As it stood at the append, where it was read. */
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

  /**
   * @param isUncontested nobody else has been adding, as far as known
   * @param durability    of the database, as far as known
   */
  constructor(
    private readonly after: number,
    private readonly plan: Plan,
    private isUncontested: boolean,
    private readonly durability: Settings['durability'],
  ) {}

  async attempt(run: Run): Promise<Ending> {
    this.sent = undefined;
    const body = checkRecordSize(this.plan([]));
    if (body === null) return { result: { kind: 'refused', unseen: [] } };
    const isBlind = this.isUncontested && body.length <= PART_BYTES;
    this.isUncontested = false;
    return (isBlind ? await this.addNext(run, body) : undefined) ?? this.harden(run, await this.addAfterTail(run, body));
  }

  /** How the last attempt ended; `undefined` if nothing of it counts. */
  async settle(run: Run): Promise<Ending | undefined> {
    const ending = this.sent && (await find(run, this.sent));
    return ending && this.harden(run, ending);
  }

  /** `undefined` where the number was taken. */
  private async addNext(run: Run, body: Uint8Array): Promise<Ending | undefined> {
    const sent = this.send(body, []);
    const isNext = await run.write(['log'], this.durability, (transaction) => {
      const key = transaction.objectStore('log').add(sent.parts[0]);
      transaction.commit();
      return () => key.result === partKey(sent.number);
    });
    if (isNext) return { result: appended(sent) };
    this.sent = undefined;
    return undefined;
  }

  private addAfterTail(run: Run, first: Uint8Array): Promise<Ending> {
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
        const body = unseen.length === 0 ? first : checkRecordSize(this.plan(unseen));
        if (body === null) {
          ending = { header, result: { kind: 'refused', unseen } };
          return;
        }
        const sent = this.send(body, unseen);
        for (const part of sent.parts) transaction.objectStore('log').add(part, partKey(part.number, part.part));
        transaction.commit();
        ending = { header, result: appended(sent) };
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

const appended = ({ number, unseen }: Sent): Appended => ({ kind: 'appended', number, unseen });

async function find(run: Run, sent: Sent): Promise<Ending | undefined> {
  const { number, parts } = sent;
  const { header, isThere } = await run.read(['meta', 'log'], (transaction) => {
    const stored = transaction.objectStore('meta').get('header');
    const last = transaction.objectStore('log').get(partKey(number)) as IDBRequest<StoredPart | undefined>;
    return { last, result: () => ({ header: readHeader(stored.result), isThere: last.result?.attempt === parts[0]?.attempt }) };
  });
  if (isThere) return { header, result: appended(sent) };
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
