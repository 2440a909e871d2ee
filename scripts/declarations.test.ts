import { expect, it } from 'vitest';
import { rollUp } from './declarations.ts';

const rolled = (files: Readonly<Record<string, string>>): string => rollUp('page/index.ts', (path) => files[path] ?? `export declare const missing: "${path}";`);

it('holds what exports need, wherever it is declared, and nothing else', () => {
  const text = rolled({
    'page/index.ts': `
      import type { Status } from '../engine/index.ts';
      import type { Hidden } from './hidden.ts';
      export type { Options } from './options.ts';
      export { Failure } from './failure.ts';
      /** Opens it. */
      export declare function open(): Promise<Status>;
      export declare function open(again: boolean): Promise<Status>;
      interface Unused extends Hidden {}`,
    'engine/index.ts': "export { createEngine } from './engine.ts'; export type * from './status.ts';",
    'engine/status.ts': "/** How it is. */\nexport interface Status { readonly at: Time }\ntype Time = number;\nexport interface Other {}",
    'engine/engine.ts': 'export declare const createEngine: () => void;',
    'page/options.ts': 'export interface Options { readonly name?: string }',
    'page/failure.ts': 'export declare class Failure extends Error {}',
  });
  expect(text.split('\n').map((line) => line.trim())).toEqual([
    'export interface Options { readonly name?: string }',
    'export declare class Failure extends Error {}',
    '/** Opens it. */',
    'export declare function open(): Promise<Status>;',
    'export declare function open(again: boolean): Promise<Status>;',
    '/** How it is. */',
    'interface Status { readonly at: Time }',
    'type Time = number;',
    'export {};',
    '',
  ]);
});

it('what a file exports itself stands before what it passes on', () => {
  const text = rolled({
    'page/index.ts': "export type * from './other.ts'; export declare function open(): 1;",
    'page/other.ts': 'export declare function open(): 2; export type More = 3;',
  });
  expect(text).toBe('export declare function open(): 1;\nexport type More = 3;\nexport {};\n');
});

it.each([
  ['two declarations of one name', { 'page/index.ts': "import type { Options } from './a.ts'; export interface Both { a: Options }\nexport type { Options } from './b.ts';", 'page/a.ts': 'export type Options = 1;', 'page/b.ts': 'export type Options = 2;' }],
  ['what is declared nowhere', { 'page/index.ts': "export type { Options } from './a.ts';" }],
  ['another name', { 'page/index.ts': "export type { Options as Other } from './a.ts';", 'page/a.ts': 'export type Options = 1;' }],
])('fails for %s', (_, files) => {
  expect(() => rolled(files)).toThrow(/Options/);
});
