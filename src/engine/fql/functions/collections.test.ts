import { describe, expect, it } from 'vitest';
import { runForm, stubContext } from '../../../testing/run-form.ts';
import type { EvalContext } from '../../form/context.ts';
import { listCursor } from '../../set/cursors.ts';
import { type Entry, type EntryCursor, REFS_ONLY, SetOp, type Shape, type Window } from '../../set/set-op.ts';
import { NATIVE, Ref } from '../../value/ref.ts';
import { Obj, Page, UnresolvedRef, type Value } from '../../value/value.ts';
import { collections } from './collections.ts';
import { folds } from './folds.ts';
import { logic } from './logic.ts';
import { numbers } from './numbers.ts';

const forms = [...collections, ...folds, ...logic, ...numbers];

/** A set of given values. */
class ListSet extends SetOp {
  readonly eventOrder = 'index';

  constructor(
    private readonly values: readonly Value[],
    private readonly isReadable = true,
  ) {
    super();
  }

  describe(): Obj {
    return Obj.of(['list', this.values]);
  }

  shape(): Shape {
    return REFS_ONLY;
  }

  open(_ctx: EvalContext, { descending }: Window): EntryCursor {
    const entries = this.values.map((value, index): Entry => ({ key: `k${index}`, split: 0, values: [value], ref: new Ref(1024, 1n, 0n) }));
    return listCursor(entries, descending);
  }

  history(): never {
    throw new Error('no history');
  }

  readable(): boolean {
    return this.isReadable;
  }

  earliest(): number {
    return 0;
  }
}

const cursorsOf = (...numbers: bigint[]): Value[] => numbers.map((number) => [number]);
const variables = {
  page: new Page([5n, 6n, 7n, 8n, 9n], [5n], [10n], cursorsOf(5n, 6n, 7n, 8n, 9n)),
  last: new Page([5n, 6n], [5n], undefined, cursorsOf(5n, 6n)),
  empty: new Page([], [5n], [10n]),
  indexes: new Ref(NATIVE.collections, BigInt(NATIVE.indexes), 0n),
  undefined: new UnresolvedRef('collection', 'a'),
  set: new ListSet([1n, 2n, 3n]),
  emptySet: new ListSet([]),
  hidden: new ListSet([1n], false),
};
const run = (query: string) => runForm(forms, query, stubContext(), variables);

const ADD_10 = '{"lambda":"x","expr":{"add":[{"var":"x"},10]}}';
const EVEN = '{"lambda":"x","expr":{"equals":[{"modulo":[{"var":"x"},2]},0]}}';

describe('map and foreach', () => {
  it('keep the cursors of a page', async () => {
    expect(await run(`{"map":${ADD_10},"collection":{"var":"last"}}`)).toBe('{"before":[5],"data":[15,16]}');
    expect(await run(`{"foreach":${ADD_10},"collection":{"var":"last"}}`)).toBe('{"before":[5],"data":[5,6]}');
  });

  it('end at the first failing element', async () => {
    expect(await run(`{"map":${ADD_10},"collection":["a",null]}`)).toBe(
      'invalid argument: Number expected, String provided. @ map.expr.add.0',
    );
  });

  it('report a wrong number of parameters at the lambda', async () => {
    expect(await run('{"map":{"lambda":["a","b"],"expr":1},"collection":[[1]]}')).toBe(
      'invalid argument: Lambda expects an array with 2 elements. Array contains 1. @ map.lambda',
    );
  });

  it('refuse sets, and things that are no collection', async () => {
    expect(await run(`{"map":${ADD_10},"collection":{"var":"indexes"}}`)).toBe(
      'invalid argument: Array or Page expected, Set provided. @ collection',
    );
    expect(await run(`{"foreach":${ADD_10},"collection":1}`)).toBe(
      'invalid argument: Array, Set, or Page expected, Integer provided. @ collection',
    );
    expect(await run(`{"map":${ADD_10},"collection":{"var":"undefined"}}`)).toBe(
      "invalid ref: Ref refers to undefined collection 'a' @ collection",
    );
  });
});

describe('filter', () => {
  it('keeps the elements the lambda accepts, and the cursors of a page', async () => {
    expect(await run(`{"filter":${EVEN},"collection":[1,2,3,4]}`)).toBe('[2,4]');
    expect(await run(`{"filter":${EVEN},"collection":{"var":"page"}}`)).toBe('{"before":[5],"after":[10],"data":[6,8]}');
  });

  it('reports every failing element', async () => {
    expect(await run(`{"filter":${EVEN},"collection":["a",2,"b"]}`)).toBe(
      'invalid argument: Number expected, String provided. @ filter.expr.equals.0.modulo.0; ' +
        'invalid argument: Number expected, String provided. @ filter.expr.equals.0.modulo.0',
    );
  });

  it('reports every result that is no boolean, by its index in the form', async () => {
    expect(await run('{"filter":{"lambda":"x","expr":{"var":"x"}},"collection":[1,true,null]}')).toBe(
      'invalid argument: Boolean expected, Integer provided. @ 0; invalid argument: Boolean expected, Null provided. @ 2',
    );
  });
});

describe('take and drop', () => {
  it.each([
    ['{"take":2,"collection":[1,2,3]}', '[1,2]'],
    ['{"take":9,"collection":[1,2,3]}', '[1,2,3]'],
    ['{"take":-1,"collection":[1,2,3]}', '[]'],
    ['{"take":9223372036854775807,"collection":[1]}', '[1]'],
    ['{"drop":2,"collection":[1,2,3]}', '[3]'],
    ['{"drop":9,"collection":[1,2,3]}', '[]'],
    ['{"drop":-1,"collection":[1,2,3]}', '[1,2,3]'],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });

  // As the original server's own tests have it.
  it.each([
    ['{"take":3,"collection":{"var":"page"}}', '{"before":[5],"after":[8],"data":[5,6,7]}'],
    ['{"take":5,"collection":{"var":"page"}}', '{"before":[5],"after":[10],"data":[5,6,7,8,9]}'],
    ['{"take":8,"collection":{"var":"page"}}', '{"before":[5],"after":[10],"data":[5,6,7,8,9]}'],
    ['{"take":0,"collection":{"var":"page"}}', '{"before":[5],"after":[5],"data":[]}'],
    ['{"take":-3,"collection":{"var":"page"}}', '{"before":[5],"after":[5],"data":[]}'],
    ['{"take":0,"collection":{"var":"empty"}}', '{"before":[5],"after":[10],"data":[]}'],
    ['{"take":-1,"collection":{"var":"empty"}}', '{"before":[5],"after":[5],"data":[]}'],
    ['{"take":9,"collection":{"var":"last"}}', '{"before":[5],"data":[5,6]}'],
    [`{"take":3,"collection":{"map":${ADD_10},"collection":{"var":"page"}}}`, '{"before":[5],"after":[8],"data":[15,16,17]}'],
    [`{"take":1,"collection":{"filter":${EVEN},"collection":{"var":"page"}}}`, '{"before":[5],"after":[8],"data":[6]}'],
    [`{"take":0,"collection":{"filter":${EVEN},"collection":{"var":"page"}}}`, '{"before":[5],"after":[6],"data":[]}'],
    ['{"drop":2,"collection":{"var":"page"}}', '{"before":[7],"after":[10],"data":[7,8,9]}'],
    ['{"drop":5,"collection":{"var":"page"}}', '{"before":[10],"after":[10],"data":[]}'],
    ['{"drop":-3,"collection":{"var":"page"}}', '{"before":[5],"after":[10],"data":[5,6,7,8,9]}'],
    ['{"take":1,"collection":{"drop":2,"collection":{"var":"page"}}}', '{"before":[7],"after":[8],"data":[7]}'],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });

  it('refuse sets by their own name', async () => {
    expect(await run('{"take":1,"collection":{"var":"indexes"}}')).toBe(
      'invalid argument: Array or Page expected, Collection Ref provided. @ collection',
    );
  });
});

describe('append, prepend, is_empty, is_nonempty, reverse', () => {
  it.each([
    ['{"append":[3],"collection":[1,2]}', '[1,2,3]'],
    ['{"append":3,"collection":[1,2]}', '[1,2,3]'],
    ['{"prepend":[[3]],"collection":[1]}', '[[3],1]'],
    ['{"append":1,"collection":{"var":"page"}}', 'invalid argument: Array expected, Page provided. @ collection'],
    ['{"is_empty":{"var":"empty"}}', 'true'],
    ['{"is_empty":[1]}', 'false'],
    ['{"is_nonempty":{"var":"page"}}', 'true'],
    ['{"is_empty":"a"}', 'invalid argument: Array, Set, or Page expected, String provided. @ is_empty'],
    ['{"reverse":{"var":"last"}}', '{"before":[5],"data":[6,5]}'],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });
});

describe('union, intersection, difference and distinct of arrays', () => {
  it.each([
    ['{"union":[1,2]}', 'invalid argument: Array, Set, or Page expected, Integer provided. @ union.0; invalid argument: Array, Set, or Page expected, Integer provided. @ union.1'],
    ['{"union":[[1,2,1]]}', '[1,2,1]'],
    ['{"union":[[1,2,1],[2,2,3]]}', '[1,1,2,2,3]'],
    ['{"union":[[1],[1.0]]}', '[1,1.0]'],
    ['{"intersection":[[1,1,2,3],[1,3,3],[3,1]]}', '[1,3]'],
    ['{"difference":[[1,1,2,3],[1],[3]]}', '[1,2]'],
    ['{"difference":[[{"object":{"a":1,"b":2}}],[{"object":{"b":2,"a":1}}]]}', '[]'],
    ['{"union":[]}', 'invalid argument: Non-empty array expected. @ union'],
    ['{"union":[[1],{"var":"page"}]}', 'invalid argument: Set or Array expected, Page provided. @ union.1'],
    ['{"union":[[1],{"var":"indexes"}]}', 'invalid argument: Arguments cannot be of different types, expected Set or Array. @ union'],
    ['{"distinct":[1,[2],1,[2],1.0,null,null]}', '[1,[2],1.0,null]'],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });

  it('distinct keeps the cursors of what it keeps', async () => {
    const page = new Page([1n, 1n, 2n], undefined, undefined, cursorsOf(1n, 2n, 3n));
    expect(await runForm(forms, '{"take":1,"collection":{"distinct":{"var":"page"}}}', stubContext(), { page })).toBe(
      '{"after":[3],"data":[1]}',
    );
  });
});

describe('folds', () => {
  it.each([
    ['{"count":[1,"a",null]}', '3'],
    ['{"count":[]}', '0'],
    ['{"count":{"var":"page"}}', '{"before":[5],"after":[10],"data":[5]}'],
    ['{"sum":[]}', '0'],
    ['{"sum":[1,2.5,1]}', '4.5'],
    ['{"sum":[9223372036854775807,1]}', '-9223372036854775808'],
    ['{"sum":[1,"a"]}', 'invalid argument: Number expected, String provided. @ sum'],
    ['{"sum":1}', 'invalid argument: Array, Set, or Page expected, Integer provided. @ sum'],
    ['{"mean":[1,2]}', '1.5'],
    ['{"mean":[]}', 'invalid argument: Non-empty array expected. @ mean'],
    ['{"any":[]}', 'false'],
    ['{"all":[]}', 'true'],
    ['{"any":[true,1]}', 'invalid argument: Boolean expected, Integer provided. @ any'],
    ['{"all":[true,false]}', 'false'],
    ['{"max":[1,3,2.5]}', '3'],
    ['{"max":[1,1.0]}', '1.0'],
    ['{"min":[1,1.0]}', '1.0'],
    ['{"max":[null,"z",true]}', 'null'],
    ['{"max":[[1,3,2]]}', '3'],
    ['{"min":[{"var":"page"}]}', '{"before":[5],"after":[10],"data":[5]}'],
    ['{"max":[[]]}', 'invalid argument: Non-empty array expected. @ max'],
    ['{"max":4}', 'invalid argument: Array, Set, or Page expected, Integer provided. @ max'],
    ['{"min":[{"var":"undefined"},1]}', "invalid ref: Ref refers to undefined collection 'a' @ min"],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });

  it('reduce goes through the elements in order', async () => {
    const subtract = '{"lambda":["acc","x"],"expr":{"subtract":[{"var":"acc"},{"var":"x"}]}}';
    expect(await run(`{"reduce":${subtract},"initial":10,"collection":[1,2,3]}`)).toBe('4');
    expect(await run(`{"reduce":${subtract},"initial":10,"collection":{"var":"last"}}`)).toBe('{"before":[5],"data":[-1]}');
    expect(await run('{"reduce":{"lambda":["a","b","c"],"expr":1},"initial":0,"collection":[1]}')).toBe(
      'invalid argument: Lambda expects an array with 3 elements. Array contains 2. @ reduce.lambda',
    );
  });
});

describe('sets', () => {
  it.each([
    ['{"count":{"var":"set"}}', '3'],
    ['{"sum":{"var":"set"}}', '6'],
    ['{"mean":{"var":"set"}}', '2.0'],
    ['{"max":[{"var":"set"}]}', '3'],
    ['{"min":{"var":"emptySet"}}', 'invalid argument: Non-empty array expected. @ min'],
    ['{"any":{"var":"set"}}', 'invalid argument: Boolean expected, Integer provided. @ any'],
    ['{"is_empty":{"var":"emptySet"}}', 'true'],
    ['{"is_nonempty":{"var":"set"}}', 'true'],
    ['{"is_empty":{"var":"hidden"}}', 'permission denied: Insufficient privileges to perform the action. @ exists'],
    ['{"count":{"var":"hidden"}}', 'permission denied: Insufficient privileges to perform the action. @ count'],
    [`{"count":{"filter":${EVEN},"collection":{"var":"set"}}}`, '1'],
    [
      '{"count":{"filter":{"lambda":"x","expr":1},"collection":{"var":"set"}}}',
      'invalid argument: Boolean expected, Integer provided. @ count.filter',
    ],
    [`{"map":${ADD_10},"collection":{"var":"set"}}`, 'invalid argument: Array or Page expected, Set provided. @ collection'],
    ['{"drop":1,"collection":{"var":"set"}}', 'invalid argument: Array or Page expected, Set provided. @ collection'],
    ['{"difference":[[1],{"var":"set"}]}', 'invalid argument: Arguments cannot be of different types, expected Set or Array. @ difference'],
    [
      '{"reduce":{"lambda":["a","x"],"expr":{"multiply":[{"var":"a"},{"var":"x"}]}},"initial":2,"collection":{"var":"set"}}',
      '12',
    ],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });
});
