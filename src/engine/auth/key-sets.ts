// The keys that issuers of web tokens publish (RFC 7517; the original's net/security/JWKProvider). A set of
// keys is fetched when one of them is first asked for, again when a key is asked for that it lacks, and in
// the background when it is an hour old. Without a network the set that was fetched last is used.
import type { Platform, Ts } from '../base/platform.ts';
import { partMissing } from '../errors/codes.ts';
import { Needs } from '../errors/needs.ts';

/** A public key as its issuer publishes it. */
export type PublicKey = Readonly<Record<string, unknown>>;

interface KeySet {
  readonly keys: readonly PublicKey[];
  /** When it was fetched; `-Infinity` if that was before this engine was opened. */
  readonly at: Ts;
  /** When fetching it was last tried. */
  readonly tried: Ts;
}

/** Microseconds. */
const REFRESHED_AFTER: Ts = 3_600_000_000;
const TRIED_AGAIN_AFTER: Ts = 60_000_000;
const SOUGHT_AGAIN_AFTER: Ts = 500_000;

/** Addresses come from access providers: there are few. */
const MOST_SETS = 100;

export class KeySets {
  private readonly sets = new Map<string, KeySet>();
  private readonly coming = new Map<string, Promise<void>>();

  constructor(private readonly platform: Pick<Platform, 'keySet' | 'now'>) {}

  /** The key with an id; for `null` the only key, or the one that has no id. `null` where there is none. @throws Needs where the set has to be fetched first */
  find(address: string, id: string | null): PublicKey | null {
    const set = this.sets.get(address);
    const key = set === undefined ? null : keyIn(set, id);
    const wasTried = set !== undefined && this.isWithin(key === null ? SOUGHT_AGAIN_AFTER : TRIED_AGAIN_AFTER, set.tried);
    if (key === null && !wasTried) throw new Needs(this.fetch(address));
    if (set !== undefined && !wasTried && !this.isWithin(REFRESHED_AFTER, set.at)) this.fetch(address).catch(() => undefined);
    return key;
  }

  /** Whether a moment is at most so long ago; never for one to come, as when the clock was set back. */
  private isWithin(span: Ts, since: Ts): boolean {
    const age = this.platform.now() - since;
    return age >= 0 && age < span;
  }

  /** Fetches a set, unless that is under way. @throws HttpError 503 where the part of the program that does it cannot be loaded */
  private fetch(address: string): Promise<void> {
    const coming = this.coming.get(address) ?? this.take(address).finally(() => this.coming.delete(address));
    this.coming.set(address, coming);
    return coming;
  }

  private async take(address: string): Promise<void> {
    const read = (kept: boolean): Promise<readonly unknown[] | null> =>
      this.platform.keySet(address, kept).catch(() => {
        throw partMissing();
      });
    const fresh = await read(false);
    const before = this.sets.get(address);
    const keys = fresh ?? before?.keys ?? (await read(true)) ?? [];
    const now = this.platform.now();
    if (this.sets.size >= MOST_SETS) this.sets.clear();
    this.sets.set(address, { keys: keys.filter(isKey), at: fresh === null ? (before?.at ?? -Infinity) : now, tried: now });
  }
}

const isKey = (key: unknown): key is PublicKey => typeof key === 'object' && key !== null;

const keyIn = ({ keys }: KeySet, id: string | null): PublicKey | null =>
  (id === null && keys.length === 1 ? keys[0] : keys.find(({ kid = null }) => kid === id)) ?? null;
