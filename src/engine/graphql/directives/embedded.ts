import type { DirectiveEntry } from './entry.ts';

/** `@embedded`: objects of the type live inside documents and have no collection. */
export const embedded: DirectiveEntry = { name: 'embedded', on: 'OBJECT', alsoOn: 'FIELD_DEFINITION', args: [] };
