import { isTooDeep, readJson, writeJson, writeKey } from './json.ts';
import { isArray, Obj, type Value } from './value.ts';

/** JSON text spread over lines, two spaces a level; as it was when it is too deep to be read. */
export function prettyJson(text: string): string {
  return isTooDeep(text) ? text : pretty(readJson(text), '\n');
}

function pretty(value: Value, margin: string): string {
  const inner = `${margin}  `;
  if (isArray(value) && value.length > 0) {
    return `[${value.map((item) => inner + pretty(item, inner)).join(',')}${margin}]`;
  }
  if (value instanceof Obj && value.size > 0) {
    const fields = value.entries().map(([key, field]) => `${inner}${writeKey(key)} ${pretty(field, inner)}`);
    return `{${fields.join(',')}${margin}}`;
  }
  return writeJson(value);
}
