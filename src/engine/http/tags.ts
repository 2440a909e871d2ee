// The tags a client gives its requests, to find them again in its logs (reference: fql/wire.md §5.2).

const MAX_LENGTH = 3000;
const MAX_TAGS = 25;
const MAX_KEY = 40;
const MAX_VALUE = 80;

const TAG = /^(\w+)=(\w+)$/;

/**
 * The tags as an answer shows them, or what is wrong with them. They are shown, and checked, from the last
 * to the first. `shown` is `''` where there are none.
 */
export function readTags(header: string | undefined): { readonly shown: string } | { readonly wrong: string } {
  if (header === undefined || header === '') return { shown: '' };
  if (header.length > MAX_LENGTH) return { wrong: 'header is too long' };
  const tags = header.split(',').map((pair) => TAG.exec(pair));
  if (tags.includes(null)) return { wrong: 'invalid tags' };
  if (tags.length > MAX_TAGS) return { wrong: 'too many tags' };
  const shown = new Map<string, string>();
  for (const [pair = '', key = '', value = ''] of tags.reverse().map((tag) => tag ?? [])) {
    if (key.length > MAX_KEY) return { wrong: 'invalid key' };
    if (value.length > MAX_VALUE) return { wrong: 'invalid value' };
    if (shown.has(key)) return { wrong: 'duplicate key' };
    shown.set(key, pair);
  }
  return { shown: [...shown.values()].join(',') };
}
