// The secret that opens everything: a built-in one, unless the settings hold the hash of another.
import { fromBase64, toBase64 } from '../base/bytes.ts';
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { Platform } from '../base/platform.ts';
import type { Settings } from '../kv/log-store.ts';
import type { Presented } from './secret.ts';

/** The secret of a database that was given none. */
const BUILT_IN = 'secret';
/** With more than this, all are checked again. */
const MOST_CHECKED = 100;

export class RootSecret {
  /** What became of those that were checked, by their hashes: no secret is kept in memory. */
  private readonly checked = new Map<string, boolean>();

  /** @param settings as they are now */
  constructor(
    private readonly platform: Platform,
    private readonly settings: () => Settings,
  ) {}

  /** Whether a secret is this one. */
  is({ plain, hash }: Presented): MaybePromise<boolean> {
    const { rootSecret } = this.settings();
    if (rootSecret === undefined) return plain === BUILT_IN;
    const { platform, checked } = this;
    return andThen(hash(), (digest) => {
      const key = `${rootSecret}/${digest}`;
      const known = checked.get(key);
      if (known !== undefined) return known;
      const [iterations = '', salt = '', expected = ''] = rootSecret.split(':');
      return andThen(platform.pbkdf2(platform.utf8.encode(plain), fromBase64(salt) ?? new Uint8Array(), Number(iterations)), (actual) => {
        const isRight = toBase64(actual) === expected;
        if (checked.size >= MOST_CHECKED) checked.clear();
        checked.set(key, isRight);
        return isRight;
      });
    });
  }
}
