// All forms by the keys that call them. A form answers to its required keys with any of its
// optional ones; which version of the API knows it is decided at the lookup.
import type { Form, Param } from '../form/form.ts';
import { RANK, type Wire } from '../wire/version.ts';
import { FORMS } from './functions/index.ts';

const isOptional = (param: Param): boolean => 'optional' in param && param.optional === true;

/** Forms by name: the first key, which a call must have. */
const byKey = new Map<string, Form[]>();
for (const form of FORMS) byKey.set(form.name, (byKey.get(form.name) ?? []).concat(form));

/** The form that an object with these keys calls in a version; `null` when there is none. */
export function findForm(keys: readonly string[], wire: Wire): Form | null {
  for (const key of keys) {
    for (const form of byKey.get(key) ?? []) if (accepts(form, keys) && knows(form, wire)) return form;
  }
  return null;
}

const accepts = (form: Form, keys: readonly string[]): boolean =>
  keys.every((key) => form.keys.includes(key)) && form.keys.every((key) => keys.includes(key) || isOptional(form.params[key] as Param));

const knows = ({ since = '2.0', until = '4' }: Form, { rank }: Wire): boolean => RANK[since] <= rank && rank <= RANK[until];

export { FORMS };
