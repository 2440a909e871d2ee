import { describe, expect, it } from 'vitest';
import { ask, database } from '../../testing/memory-gateway.ts';

describe('a partial update', () => {
  const SDL = `
    type P @embedded { city: String!, zip: Int, spots: [S!], about: A! }
    type S @embedded { name: String! }
    type A { p: P, ps: [P!], owner: A2! }
    type A2 { name: String }
  `;
  const update = (data: string) => ask(database(SDL), `mutation { partialUpdateA(id: 1, data: ${data}) { _id } }`);
  const refused = (field: string) => ({
    errors: [{ message: `The required field '${field}' must not be set to 'null'.`, extensions: { code: 'validation failed' } }],
  });

  it.each([
    ['{p: {city: null}}', 'P.city'],
    ['{p: {about: null}}', 'P.about'],
    ['{p: {spots: [{name: "a"}, {name: null}]}}', 'S.name'],
    ['{ps: [{city: "a"}, {city: null}]}', 'P.city'],
    ['{ps: [null]}', 'A.ps'],
  ])('sets nothing that is required to null, at any depth: %s', (data, field) => {
    expect(update(data)).toEqual(refused(field));
  });

  it.each(['{p: null, ps: null}', '{p: {zip: null, spots: null}}', '{ps: [{city: "a", zip: null}]}', '{owner: null}'])('may set other fields to null: %s', (data) => {
    expect(update(data)).toEqual({ data: { partialUpdateA: null } });
  });
});

describe('disconnecting', () => {
  it('lets go of own documents only', () => {
    const db = database('type User { name: String, todos: [Todo] @relation } type Todo { title: String, owner: User }');
    ask(db, 'mutation { a: createUser(data: {name: "a", todos: {create: {title: "x"}}}) { _id } b: createUser(data: {name: "b", todos: {create: {title: "y"}}}) { _id } }');
    const disconnect = '{ todos { data { _id } } }';
    expect(ask(db, `mutation { partialUpdateUser(id: 1, data: {todos: {disconnect: [2, 4]}}) ${disconnect} }`)).toEqual({
      data: { partialUpdateUser: { todos: { data: [] } } },
    });
    expect(ask(db, `{ findUserByID(id: 3) ${disconnect} }`)).toEqual({ data: { findUserByID: { todos: { data: [{ _id: '4' }] } } } });
  });
});
