// Leaves the documentation of forms out of the built engine. `summary`, `source` and
// `examples` are for tests and the function reference; no query reads them.
import { type ESTree, parseSync, type Plugin, Visitor } from 'vite';

const DOCUMENTATION: ReadonlySet<string> = new Set(['summary', 'source', 'examples']);

/** For builds of the engine alone: a page that shows the function reference keeps it. */
export function withoutFormDocs(): Plugin {
  return {
    name: 'vivarium:form-docs',
    apply: 'build',
    transform: {
      filter: { id: /\/src\/engine\/fql\/functions\/[^/]+\.ts$/ },
      handler(code) {
        return { code: withoutDocs(code), map: null };
      },
    },
  };
}

/** The code of one file of forms, JavaScript or TypeScript, without their documentation. */
export const withoutDocs = (code: string): string => blank(code, documentationIn(parseSync('forms.ts', code).program));

/** A piece of code and what stands in its place. */
type Cut = readonly [from: number, to: number, instead: string];

/**
 * The documentation is known by its names: these properties of an object that has a `summary`,
 * and what is handed to a parameter so named of a function of the same file.
 */
function documentationIn(program: ESTree.Program): readonly Cut[] {
  const cuts: Cut[] = [];
  const helpers = new Map<string, readonly ESTree.ParamPattern[]>();
  new Visitor({
    FunctionDeclaration({ id, params }) {
      if (id !== null) helpers.set(id.name, params);
    },
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init?.type === 'ArrowFunctionExpression') helpers.set(id.name, init.params);
    },
  }).visit(program);
  new Visitor({
    ObjectExpression(object) {
      cuts.push(...inObject(object));
    },
    CallExpression({ callee, arguments: args }) {
      if (callee.type === 'Identifier') cuts.push(...inCall(args, helpers.get(callee.name) ?? []));
    },
  }).visit(program);
  return cuts;
}

function inObject({ properties, end }: ESTree.ObjectExpression): readonly Cut[] {
  const names = properties.map((property) =>
    property.type === 'Property' && !property.computed && property.key.type === 'Identifier' ? property.key.name : '',
  );
  if (!names.includes('summary')) return [];
  // Each goes with the comma after it.
  return properties.flatMap(({ start }, index): Cut[] =>
    DOCUMENTATION.has(names[index] ?? '') ? [[start, properties[index + 1]?.start ?? end - 1, '']] : [],
  );
}

function inCall(args: readonly ESTree.Argument[], params: readonly ESTree.ParamPattern[]): readonly Cut[] {
  return args.flatMap(({ start, end }, index): Cut[] => {
    const param = params[Math.min(index, params.length - 1)];
    const name = param?.type === 'RestElement' ? param.argument : param;
    return name?.type === 'Identifier' && DOCUMENTATION.has(name.name) ? [[start, end, '0']] : [];
  });
}

/** The code after its cuts, with all else where it was, so that source maps hold. A cut within another one goes with it. */
function blank(code: string, cuts: readonly Cut[]): string {
  let result = '';
  let at = 0;
  for (const [from, to, instead] of [...cuts].sort(([a], [b]) => a - b)) {
    if (from < at) continue;
    result += code.slice(at, from) + instead + code.slice(from + instead.length, to).replace(/[^\n]/g, ' ');
    at = to;
  }
  return result + code.slice(at);
}
