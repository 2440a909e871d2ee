// Values, bindings, branches and functions (reference: fql/functions.md §3).
import { badArgument, bytes, type Cases, failed, query, type Shown } from '../cases.ts';

const badExpression = (description: string, ...position: readonly (string | number)[]): Shown => failed('BadRequest', 'invalid expression', description, position);

export const forms: Cases = {
  Ref: [
    [(q) => q.Ref('classes/spells/1'), (say) => say.spell(1)],
    [(q) => q.Ref(q.Class('spells'), '1'), (say) => say.spell(1)],
    [(q) => q.Ref(q.Class('spells'), 1), (say) => say.spell(1)],
    [(q) => q.Ref('nowhere/1'), badExpression('Invalid ref.')],
    [(q) => q.Ref(q.Class('spells'), 'x'), badArgument("Number or numeric String expected, non-numeric 'x' provided.", 'id')],
  ],
  Bytes: [
    [(q) => q.Bytes(new Uint8Array([1, 2, 255])), bytes(1, 2, 255)],
    [(q) => q.Bytes(new Uint8Array([1, 2]).buffer), bytes(1, 2)],
    [(q) => q.Bytes('AQL/'), bytes(1, 2, 255)],
    [(q) => q.Bytes(''), bytes()],
  ],
  Abort: [
    [(q) => q.Abort('enough'), failed('BadRequest', 'transaction aborted', 'enough')],
    [(q) => [1, q.Abort('enough')], failed('BadRequest', 'transaction aborted', 'enough', [1])],
    [(q) => q.Abort(1), badArgument('String expected, Integer provided.', 'abort')],
  ],
  At: [
    [(q) => q.At(q.Time('now'), q.Exists(q.Ref('classes/spells/1'))), true],
    [async (q, { client }) => {
      const made = await client.query<{ ref: object; ts: number }>(q.Create(q.Class('notes'), { data: { a: 1 } }));
      await client.query(q.Update(made.ref, { data: { a: 2 } }));
      return client.query(q.At(made.ts, q.Select(['data', 'a'], q.Get(made.ref))));
    }, 1],
    [(q) => q.At('1', 1), badArgument('Time expected, String provided.', 'at')],
  ],
  Let: [
    [(q) => q.Let({ a: 1, b: 2 }, q.Add(q.Var('a'), q.Var('b'))), 3],
    [(q) => q.Let({ a: 1, b: q.Add(q.Var('a'), 1) }, [q.Var('a'), q.Var('b')]), [1, 2]],
    [(q) => q.Let({ a: 1, b: 2 }, (a, b) => q.Add(a, b)), 3, { from: '1.1.2' }],
    [(q) => q.Let([{ a: 1 }, { a: q.Add(q.Var('a'), 1) }], q.Var('a')), 2, { from: '2.14.2' }],
    [(q) => q.Let([{ a: 1 }, { b: 2 }], (a, b) => [a, b]), [1, 2], { from: '2.14.2' }],
  ],
  Var: [
    [(q) => q.Let({ x: 'bound' }, q.Var('x')), 'bound'],
    [(q) => [q.Var('x'), q.Var('y')], badExpression("Variable 'x' is not defined.", 0)],
  ],
  If: [
    [(q) => q.If(true, 1, q.Ref('classes/nowhere')), 1],
    [(q) => q.If(false, 1, null), null],
    [(q) => q.If(1, 1, 2), badArgument('Boolean expected, Integer provided.', 'if')],
  ],
  Do: [
    [(q) => q.Do(1, 2), 2],
    [(q) => q.Do(q.Create(q.Ref('classes/notes/100'), {}), q.Exists(q.Ref('classes/notes/100'))), true],
    [(q) => q.Do(1), badExpression('Array expected, Integer provided.', 'do'), { before: '2.14.2' }],
    [(q) => q.Do(1), 1, { from: '2.14.2' }],
  ],
  Object: [
    [(q) => q.Object({ a: q.Add(1, 1), b: { c: null } }), { a: 2, b: { c: null } }],
    [(q) => q.Object({}), {}],
    [(q) => q.Object({ '@odd': 1, even: 2 }), { '@odd': 1, even: 2 }],
  ],
  Lambda: [
    [(q) => q.Map([1, 2], q.Lambda('x', q.Add(q.Var('x'), 1))), [2, 3]],
    [(q) => q.Map([1, 2], q.Lambda((x) => q.Add(x, 1))), [2, 3]],
    [(q) => q.Map([[1, 2], [3, 4]], q.Lambda((a, b) => q.Add(a, b))), [3, 7]],
    [(q) => q.Map([[1, 2], [3, 4]], q.Lambda(['a', '_'], q.Var('a'))), [1, 3]],
    [(q) => q.Map([[1, 2]], q.Lambda(['a'], q.Var('a'))), badArgument('Lambda expects an array with 1 elements. Array contains 2.', 'map', 'lambda')],
    [(q) => q.Lambda('x', q.Var('x')), badExpression('No form/function found, or invalid argument keys: { lambda, expr }.')],
  ],
  Call: [
    [(q) => q.Call(q.Function('double'), 4), 8],
    [(q) => q.Call('double', 4), 8],
    [(q) => q.Call(q.Function('sum'), 1, 2), 3],
    [(q) => q.Call(q.Function('seven')), 7],
    [(q) => q.Call('nope'), failed('BadRequest', 'invalid ref', "Ref refers to undefined function 'nope'", ['call'])],
    [(q) => q.Call('double', 'x'), failed('BadRequest', 'call error', 'Calling the function resulted in an error.')],
  ],
  Query: [
    [(q) => q.Query(q.Lambda('x', q.Var('x'))), query({ lambda: 'x', expr: { var: 'x' } }), { before: '3.0.1' }],
    [(q) => q.Query(q.Lambda('x', q.Var('x'))), query({ api_version: '3', lambda: 'x', expr: { var: 'x' } }), { from: '3.0.1', before: '4.8.2' }],
    [(q) => q.Query(q.Lambda('x', q.Var('x'))), query({ api_version: '4', lambda: 'x', expr: { var: 'x' } }), { from: '4.8.2' }],
    [(q) => q.Query((a, b) => q.Let({ c: a }, [q.Var('c'), b])), query({ lambda: ['a', 'b'], expr: { let: { c: { var: 'a' } }, in: [{ var: 'c' }, { var: 'b' }] } }), { before: '3.0.1' }],
  ],
  wrap: [
    [(q) => q.wrap({ a: [1, 'x', null, true, 1.5], b: new Uint8Array([7]) }), { a: [1, 'x', null, true, 1.5], b: bytes(7) }],
    [(q) => q.wrap(null), null, { from: '1.1.2' }],
    // 0.2.4 sends no body for it.
    [(q) => q.wrap(null), badExpression('No query provided.'), { before: '1.1.2' }],
  ],
  arity: [
    [(q) => (q.arity(1, 2, [1], 'Get'), 'passed'), 'passed'],
    [(q) => q.arity(1, 2, [], 'Get'), (say) => ({ thrown: 'InvalidArity', message: say.text })],
  ],
};
