// Builds indexes for upkeep: entries of history are made under the definitions of now, and a
// last commit makes the index active.
import { keyFromBytes, toBase64 } from '../base/bytes.ts';
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { Platform } from '../base/platform.ts';
import { Path } from '../base/path.ts';
import { homeOf } from '../auth/home.ts';
import { noteBuild } from '../doc/build-index.ts';
import { buildSlice } from '../doc/build-slice.ts';
import { findDocument } from '../doc/read.ts';
import { stageDocument } from '../doc/stage.ts';
import { type Context, NeedsDatabase } from '../fql/context.ts';
import { BlockGone } from '../kv/block-cache.ts';
import { type Build, BUILT } from '../kv/builds.ts';
import type { CommitLog } from '../txn/log.ts';
import { HASH_BYTES } from '../txn/record.ts';
import type { Txn } from '../txn/txn.ts';
import type { Builder } from '../txn/upkeep-work.ts';
import { NATIVE, Ref, ROOT_SCOPE, type Scope } from '../value/ref.ts';
import type { Sessions } from './sessions.ts';

/** What building asks of the engine. */
interface Workplace {
  readonly log: CommitLog;
  readonly platform: Platform;
  readonly sessions: Pick<Sessions, 'administration'>;
}

export function indexBuilder({ log, platform, sessions }: Workplace): Builder {
  const newId = (): string => toBase64(platform.random(16));

  /** Runs work in the build's database, with the catalogs of others as it asks for them. */
  async function within<T>(txn: Txn, { scope }: Build, work: (ctx: Context) => MaybePromise<T>): Promise<T> {
    const needed = new Set<Scope>();
    for (;;) {
      try {
        return await andThen(sessions.administration(txn, scope, { deadline: Infinity, needed }), work);
      } catch (error) {
        if (error instanceof BlockGone) await log.reload();
        if (!(error instanceof NeedsDatabase) || needed.has(error.scope)) throw error;
        needed.add(error.scope);
      }
    }
  }

  return {
    refresh: () => log.lookAside(),
    slice: (build, size, pause) => within(log.beginRead(newId()), build, (ctx) => buildSlice(build, size, ctx, pause)),
    async finish(build) {
      const txn = log.beginWrite(newId());
      try {
        await within(txn, build, (ctx) => andThen(exists(build.scope, txn), (there) => activate(build, there, ctx)));
      } catch (error) {
        log.abandon(txn);
        throw error;
      }
      // Where it has lost, whoever asks looks at the builds anew: an import may have brought one of the same name, which is not through.
      await log.submit(txn, keyFromBytes(platform.random(HASH_BYTES)));
    },
  };
}

const exists = (scope: Scope, txn: Txn): MaybePromise<boolean> =>
  scope === ROOT_SCOPE || andThen(homeOf(scope, txn), (home) => home !== null);

/** An index that is gone, with its database perhaps, leaves nothing but the note that this is over. */
function activate({ index, scope }: Build, there: boolean, ctx: Context): MaybePromise<void> {
  const ref = new Ref(NATIVE.indexes, index, scope);
  noteBuild(ref, BUILT, ctx);
  return andThen(there ? findDocument(ref, ctx) : null, (doc) => {
    if (doc === null || doc.fields.get('active') === true) return;
    return stageDocument(ref, doc.fields.with('active', true), ctx, Path.root);
  });
}
