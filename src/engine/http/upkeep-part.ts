// All that upkeep takes, put together for an engine; loaded when it is first due.
import type { Ts } from '../base/platform.ts';
import type { Catalog } from '../schema/catalog.ts';
import type { DatabaseDefinition } from '../schema/definitions.ts';
import { keepingOf } from '../schema/keeping.ts';
import { counting } from '../set/lazy.ts';
import type { Keeping } from '../txn/sorting.ts';
import type { Txn } from '../txn/txn.ts';
import { UpkeepWork } from '../txn/upkeep-work.ts';
import { ROOT_SCOPE } from '../value/ref.ts';
import type { Core } from './core.ts';
import { indexBuilder } from './index-builder.ts';

export function upkeepWork(core: Core, flushAt: number): UpkeepWork {
  // From now on there are blocks that it counts by.
  counting();
  const { store, platform, applied, log, upkeep, deadlines: requests } = core;
  return new UpkeepWork({
    store,
    platform,
    applied,
    flushAt,
    upkeep,
    requests,
    quiet: () => log.quiet(),
    keeping: (spared) => keeping(core, spared),
    builder: indexBuilder(core),
  });
}

/** What of the past may still be read, going by the databases there are now and those there were at `spared`. */
async function keeping(core: Core, spared: Ts): Promise<Keeping> {
  const [now, then] = [core.log.beginRead(''), core.log.beginRead('', { ts: spared + 1, now: spared })];
  return keepingOf([...(await allCatalogs(core, now)), ...(await allCatalogs(core, then))], spared);
}

async function allCatalogs(core: Core, txn: Txn): Promise<Catalog[]> {
  const all = [await core.catalogs.get(txn, ROOT_SCOPE, [])];
  // It grows while it is gone through: databases have databases.
  for (const catalog of all) {
    for (const { scope, name } of catalog.all<DatabaseDefinition>('database')) all.push(await core.catalogs.get(txn, scope, [...catalog.path, name]));
  }
  return all;
}
