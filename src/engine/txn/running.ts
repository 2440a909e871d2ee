// The writers that are running, and whether what they read is still as it was when they began:
// commits may have arrived meanwhile, and rows that were not acknowledged may have been withdrawn.
import type { Key } from '../base/bytes.ts';
import type { Applied } from './applied.ts';
import { type Commit, keysOf } from './record.ts';
import type { Txn } from './txn.ts';

/** How a running writer began. */
export interface Start {
  readonly requestId: string;
  /** Reads rows that move from the pending to the applied ones while it runs. */
  readonly buildsOnPending: boolean;
}

/** How many arrivals, upheavals and adoptions there had been when it began. */
interface Began extends Start {
  readonly arrivals: number;
  readonly upheavals: number;
  readonly adoptions: number;
}

export class Running {
  private readonly writers = new Map<Txn, Began>();
  /** Keys of the commits that arrived, or changed their time, while writers were running. */
  private recent: { readonly arrival: number; readonly keys: readonly Key[] }[] = [];
  private arrivals = 0;
  /** Counts the times that pending rows were withdrawn: who read them runs again. */
  private upheavals = 0;

  constructor(private readonly applied: Pick<Applied, 'adoptions'>) {}

  begin(txn: Txn, { requestId, buildsOnPending }: Start): void {
    this.writers.set(txn, { requestId, buildsOnPending, arrivals: this.arrivals, upheavals: this.upheavals, adoptions: this.applied.adoptions });
  }

  /** How a running writer began; `undefined` when it is not running any more, as the state it began on was replaced. */
  startOf(txn: Txn): Start | undefined {
    return this.writers.get(txn);
  }

  /** Whether what a running writer read has changed since it began. */
  isDisturbed(txn: Txn): boolean {
    const began = this.writers.get(txn);
    if (began === undefined) return false;
    if (began.buildsOnPending && (began.upheavals !== this.upheavals || began.adoptions !== this.applied.adoptions)) return true;
    const meanwhile = this.recent.flatMap(({ arrival, keys }) => (arrival > began.arrivals ? keys : []));
    return meanwhile.length > 0 && txn.reads.touches(meanwhile);
  }

  end(txn: Txn): void {
    // They stand in the order in which they began: only the end of the first lets go of anything.
    const [first] = this.writers.keys();
    this.writers.delete(txn);
    if (first !== txn) return;
    const [next] = this.writers.values();
    this.recent = next === undefined ? [] : this.recent.filter(({ arrival }) => arrival > next.arrivals);
  }

  /** The state is another altogether: whoever is running belongs to the old one. */
  clear(): void {
    this.writers.clear();
    this.recent = [];
  }

  /** Commits have arrived, or have another time. */
  arrived(commits: readonly Commit[]): void {
    this.arrivals++;
    if (this.writers.size > 0) this.recent.push({ arrival: this.arrivals, keys: commits.flatMap(keysOf) });
  }

  /** Pending rows were withdrawn. */
  upset(): void {
    this.upheavals++;
  }
}
