// Lifts a database of format 1 to this one, in one native transaction, however large it is: its
// segments are read as they are until compaction has written them anew. What changes is where
// things stand, so that nothing counts which an engine of format 1 adds that is still open and
// learns of this only by its next call: the log goes on above a floor above all it could add, and
// manifests and blocks get numbers above all it gave.
import { numberAfterFormat1 } from '../engine/kv/block-ids.ts';
import { FORMAT, type LogRecord } from '../engine/kv/log-store.ts';
import { fromParts, keysAfter, partKey, toParts } from './parts.ts';
import { newManifest, randomMark, readHeader, readManifest, type StoredHeader, type StoredManifest } from './stored.ts';
import type { Run } from './transact.ts';

export interface Contents {
  readonly header: StoredHeader;
  readonly manifest: StoredManifest;
  /** Those after the floor. */
  readonly records: readonly LogRecord[];
}

export function lifted({ header, manifest, records }: Contents): Contents {
  const { floor } = header;
  // As after a reset: who knows the whole log could add the next record, and nobody more.
  const newFloor = floor + records.length + 1;
  return {
    header: { ...header, format: FORMAT, floor: newFloor },
    manifest: newManifest(numberAfterFormat1(manifest.number), manifest.bytes),
    records: records.map(({ number, body }) => ({ number: number - floor + newFloor, body })),
  };
}

/** Does nothing where another engine was faster. */
export function lift(run: Run): Promise<void> {
  return run.write(['meta', 'log'], 'strict', (transaction, on) => {
    const [meta, log] = [transaction.objectStore('meta'), transaction.objectStore('log')];
    const found = meta.get('manifest');
    on(meta.get('header'), (value) => {
      const header = readHeader(value);
      if (header.format === FORMAT) return;
      on(log.getAll(keysAfter(header.floor)), (values) => {
        const now = lifted({ header, manifest: readManifest(found.result), records: fromParts(values, header.floor + 1) });
        log.clear();
        for (const { number, body } of now.records) {
          for (const part of toParts(number, body, randomMark())) log.put(part, partKey(number, part.part));
        }
        meta.put(now.header, 'header');
        meta.put(now.manifest, 'manifest');
        transaction.commit();
      });
    });
    return () => undefined;
  });
}
