import { expect, test } from 'vitest';
import { partsInside } from './parts-inside.ts';

function transformed(code: string): unknown {
  const { transform } = partsInside();
  return typeof transform === 'function' ? Reflect.apply(transform, undefined, [code]) : undefined;
}

test('what is loaded at first use is imported, and promised as it was', () => {
  expect(transformed(`import { part } from '../part.ts';\nconst a = part(() => import('./a.ts')), b = import("./b.ts").then((b) => b.b);`)).toBe(
    `import * as part0 from "./a.ts";\nimport * as part1 from "./b.ts";\nimport { part } from '../part.ts';\nconst a = part(() => Promise.resolve(part0)), b = Promise.resolve(part1).then((b) => b.b);`,
  );
});

test('modules without any stay as they are', () => {
  expect(transformed(`import { part } from '../part.ts';\nconst it = { import: (sdl) => engine.import(sdl) };`)).toBeNull();
});
