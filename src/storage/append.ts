// Adding one record. As long as nobody else seems to add any, it is added blindly: the log's key
// generator gives out each number only once and, on one connection, in ascending order. So a writer
// that gets the number it has planned for knows that it has seen the whole log. One that gets another
// number has left a void record (parts.ts), and goes the long way, as others do from the beginning: one
// transaction reads the header and the tail, plans on them, and adds.
import { type Appended, checkRecordSize, evicted, type LogRecord, type Plan, type Settings } from '../engine/kv/log-store.ts';
import { isChromium } from './browser.ts';
import { interrupted } from './failure.ts';
import { fromParts, keysAfter, PART_BYTES, partKey, type StoredPart, toParts } from './parts.ts';
import { randomMark, readHeader } from './stored.ts';
import type { Runner } from './transact.ts';

/** A record on its way into the log. */
interface Sent {
  readonly number: number;
  readonly parts: readonly StoredPart[];
  readonly unseen: readonly LogRecord[];
}

/** One call of `append`: can be attempted again, and find out what became of an attempt. */
export class Append {
  /** What was sent to the log last, in case it is not seen what becomes of it. */
  private sent: Sent | undefined;

  /**
   * @param mayBeBlind whether nobody else has been adding on the connection of now, as far as is known
   * @param durability of the database, as far as is known; corrected when the log is read
   */
  constructor(
    private readonly after: number,
    private readonly plan: Plan,
    private mayBeBlind: () => boolean,
    public durability: Settings['durability'],
  ) {}

  async attempt(run: Runner): Promise<Appended> {
    this.sent = undefined;
    const body = checkRecordSize(this.plan([]));
    if (body === null) return { kind: 'refused', unseen: [] };
    const isBlind = this.mayBeBlind() && body.length <= PART_BYTES;
    // Once is enough: another attempt wants to know what is there.
    this.mayBeBlind = () => false;
    return (isBlind ? await this.addNext(run, body) : undefined) ?? this.addAfterTail(run, body);
  }

  /** How the last attempt ended; `undefined` if nothing of it counts. */
  async settle(run: Runner): Promise<Appended | undefined> {
    return this.sent && find(run, this.sent);
  }

  /** `undefined` where the number was taken. */
  private async addNext(run: Runner, body: Uint8Array): Promise<Appended | undefined> {
    const sent = this.send(body, []);
    const isNext = await run.write(['log'], this.durability, (transaction) => {
      const key = transaction.objectStore('log').add(sent.parts[0]);
      if (isChromium()) transaction.commit();
      return () => key.result === partKey(sent.number);
    });
    if (isNext) return appended(sent);
    this.sent = undefined;
    return undefined;
  }

  private async addAfterTail(run: Runner, first: Uint8Array): Promise<Appended> {
    const known = await run.write<Appended | undefined>(['meta', 'log'], this.durability, (transaction, on) => {
      const log = transaction.objectStore('log');
      const found = transaction.objectStore('meta').get('header');
      const last = log.getKey(partKey(this.after));
      const tail = log.getAll(keysAfter(this.after));
      let result: Appended | undefined;
      on(tail, (values) => {
        const { floor, settings: { durability } } = readHeader(found.result);
        if (durability !== this.durability) {
          this.durability = durability;
          return;
        }
        if (this.after < floor) {
          result = { kind: 'trimmed', floor };
          return;
        }
        // This is another database, or an older copy: nothing of ours belongs there.
        if (this.after > floor && last.result === undefined) throw evicted();
        const unseen = fromParts(values, this.after + 1);
        const body = unseen.length === 0 ? first : checkRecordSize(this.plan(unseen));
        if (body === null) {
          result = { kind: 'refused', unseen };
          return;
        }
        const sent = this.send(body, unseen);
        for (const part of sent.parts) log.add(part, partKey(part.number, part.part));
        result = appended(sent);
      });
      return () => result;
    });
    // Another engine has changed how durable writes are since we last looked.
    return known ?? this.addAfterTail(run, first);
  }

  private send(body: Uint8Array, unseen: readonly LogRecord[]): Sent {
    const number = this.after + unseen.length + 1;
    this.sent = { number, parts: toParts(number, body, randomMark()), unseen };
    return this.sent;
  }
}

const appended = ({ number, unseen }: Sent): Appended => ({ kind: 'appended', number, unseen });

async function find(run: Runner, sent: Sent): Promise<Appended | undefined> {
  const { number, parts } = sent;
  const { floor, isThere, isVoid } = await run.read(['meta', 'log'], (transaction) => {
    const log = transaction.objectStore('log');
    const stored = transaction.objectStore('meta').get('header');
    const present = log.get(partKey(number));
    const last = log.getAll(keysAfter(number));
    const isOurs = (part: StoredPart | undefined): boolean => part?.attempt === parts[0]?.attempt;
    return { last, result: () => ({ floor: readHeader(stored.result).floor, isThere: isOurs(present.result), isVoid: last.result.some(isOurs) }) };
  });
  if (isThere) return appended(sent);
  // It was never there, or went into blocks and was trimmed: nobody can tell any more.
  if (number <= floor && !isVoid) throw interrupted(true);
  return undefined;
}
