// An import with `override` deletes what former imports have made: this says what that is, and asks.
import type { Api } from './api.ts';
import { confirmed } from './confirm.ts';
import { COUNTED, countDocuments, readImported } from './contents.ts';
import type { Imported } from './contents.ts';
import { counted } from './dom.ts';
import { isolated } from './isolated.ts';

/** Whether to go on: where there is nothing to delete, without asking. */
export async function confirmOverride(api: Api): Promise<boolean> {
  const deleted = await whatIsDeleted(api);
  return (
    deleted === '' ||
    confirmed({
      title: 'Delete the GraphQL data first?',
      words: [`An import with override deletes ${deleted}. What the schema defines is then made anew, empty. There is no way back.`],
      no: 'Keep them',
      yes: 'Delete and import',
      testId: 'override-confirm',
    })
  );
}

async function whatIsDeleted(api: Api): Promise<string> {
  try {
    const imported = await readImported(api);
    return inWords(imported, await countDocuments(api, imported.collections));
  } catch {
    // With a secret that may not read the schema, say.
    return 'all that schemas have made, documents included';
  }
}

/** Collections are named, up to so many. */
const NAMED = 6;

/** `''` for nothing. @param documents of each collection */
export function inWords({ collections, indexes, functions }: Imported, documents: readonly number[]): string {
  const named = collections.slice(0, NAMED).map((name, at) => `${isolated(name)} (${documentsText(documents[at] ?? 0)})`);
  const more = collections.length - named.length;
  const parts = [
    ...(named.length === 0 ? [] : [`${collections.length === 1 ? 'the collection' : 'the collections'} ${named[0]}`, ...named.slice(1)]),
    ...(more === 0 ? [] : [`${more} more with their documents`]),
    ...(indexes === 0 ? [] : [counted(indexes, 'index', 'indexes')]),
    ...(functions === 0 ? [] : [counted(functions, 'function')]),
  ];
  return new Intl.ListFormat('en-GB').format(parts);
}

const documentsText = (count: number): string => (count > COUNTED ? `more than ${counted(COUNTED, 'document')}` : counted(count, 'document'));
