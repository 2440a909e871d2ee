// Results as plain data: what class of the driver a value is, and what that class's own properties say.
import type { Driver, RefValue } from './driver.ts';

export function shown(driver: Driver): (value: unknown) => unknown {
  const { values, errors } = driver;

  const path = (ref: RefValue): string => {
    const parent = ref.collection ?? ref.class;
    return parent === undefined || parent === ref ? String('value' in ref && typeof ref.value === 'string' ? ref.value : ref.id) : `${path(parent)}/${ref.id}`;
  };

  const show = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof errors.FaunaHTTPError) {
      const [first] = value.errors();
      const { position, code, description, failures } = first ?? { code: 'none', description: 'none' };
      return { failed: { name: value.name, code, description, position, ...(failures === undefined ? {} : { failures }) } };
    }
    if (value instanceof Error) return { thrown: value.name, message: value.message };
    if (value instanceof values.Ref) {
      const database = value.database ?? value.collection?.database ?? value.class?.database;
      return { Ref: path(value), ...(database === undefined ? {} : { database: path(database) }) };
    }
    if (value instanceof values.SetRef) return { Set: show(value.value) };
    if (value instanceof values.FaunaTime) return { Time: value.value };
    if (value instanceof values.FaunaDate) return { Date: value.value };
    if (value instanceof values.Bytes) return { Bytes: [...value.value] };
    if (values.Query !== undefined && value instanceof values.Query) return { Query: show(value.value) };
    if (Array.isArray(value)) return value.map(show);
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, show(field)]));
  };
  return show;
}
