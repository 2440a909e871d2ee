// The keys that issuers of web tokens publish (RFC 7517; the original's net/security/JWKProvider). A set is
// fetched when a key is asked for, and anew, in the background, when it is an hour old; for a key that is
// not in it, at once. The surroundings keep the last one, so that tokens are good without a network, too.
import type { Platform, Ts } from '../base/platform.ts';

/** A public key as its issuer publishes it. */
export type PublicKey = Readonly<Record<string, unknown>>;

interface KeySet {
  readonly keys: readonly PublicKey[];
  /** When it was fetched. */
  readonly at: Ts;
}

/** Microseconds. */
const REFRESHED_AFTER: Ts = 3_600_000_000;
const FETCHED_AGAIN_AFTER: Ts = 500_000;

export class KeySets {
  private readonly known = new Map<string, KeySet>();
  private readonly coming = new Map<string, Promise<KeySet | null>>();

  constructor(private readonly platform: Pick<Platform, 'fetchJson' | 'now'>) {}

  /** A key by its id. Without an id it is the only one, or the one that has none. `null` where there is none, or no set can be had. */
  async find(address: string, id: string | null): Promise<PublicKey | null> {
    const set = this.known.get(address) ?? (await this.kept(address));
    const key = set && keyIn(set, id);
    const age = this.platform.now() - (set?.at ?? -Infinity);
    if (key !== null && age > REFRESHED_AFTER) void this.fetch(address);
    if (key !== null || age < FETCHED_AGAIN_AFTER) return key;
    const fresh = await this.fetch(address);
    return fresh && keyIn(fresh, id);
  }

  /** As it was when it was fetched last, however long ago. */
  private async kept(address: string): Promise<KeySet | null> {
    const json = await this.platform.fetchJson(address, true).catch(() => null);
    return this.known.get(address) ?? this.take(address, json, -Infinity);
  }

  /** At most one fetch of each is under way. */
  private fetch(address: string): Promise<KeySet | null> {
    const coming =
      this.coming.get(address) ??
      this.platform
        .fetchJson(address, false)
        .then((json) => this.take(address, json, this.platform.now()))
        .catch(() => null)
        .finally(() => this.coming.delete(address));
    this.coming.set(address, coming);
    return coming;
  }

  private take(address: string, json: unknown, at: Ts): KeySet | null {
    if (typeof json !== 'object' || json === null || !('keys' in json) || !Array.isArray(json.keys)) return null;
    const set = { keys: json.keys.filter((key): key is PublicKey => typeof key === 'object' && key !== null), at };
    this.known.set(address, set);
    return set;
  }
}

const keyIn = ({ keys }: KeySet, id: string | null): PublicKey | null =>
  (id === null && keys.length === 1 ? keys[0] : keys.find(({ kid = null }) => kid === id)) ?? null;
