// `@deprecated`: shown to clients, and nothing else.
import { type DirectiveEntry, TEXT } from './entry.ts';

export const deprecated: DirectiveEntry = {
  name: 'deprecated',
  on: 'FIELD_DEFINITION',
  alsoOn: 'ENUM_VALUE',
  args: [{ name: 'reason', type: TEXT }],
  // As the specification's own.
  unlisted: true,
};
