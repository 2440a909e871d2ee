// Compiles each environment against its own globals, so that a stray `window` in the engine does not compile.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, root, runTool } from './run.mjs';
import { ensureModules, main } from './setup.mjs';

const folders = (/** @type {string} */ path) => readdirSync(join(root, path), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => `${path}/${entry.name}`);

/** A folder may have its settings before its first file; the compiler takes that for an error. */
const hasSource = (/** @type {string} */ path) =>
  readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .some((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));

/** Every folder with settings of its own: the top (scripts), `src` (tests), each environment in it, `e2e`, `bench`. */
const projects = () => [
  '.',
  'src',
  ...folders('src').filter((path) => existsSync(join(root, path, 'tsconfig.json')) && hasSource(path)),
  'e2e',
  'bench',
  // What it imports is installed by the benchmark alone.
  ...(existsSync(join(root, 'bench/peers/node_modules')) ? ['bench/peers'] : []),
];

/** @returns {Promise<string[]>} the projects that do not compile */
export async function checkTypes() {
  const bad = [];
  for (const project of projects()) {
    const { code } = await runTool('typescript/bin/tsc', ['--project', project, '--pretty', 'false']);
    if (code !== 0) bad.push(project);
  }
  return bad;
}

if (isMain(import.meta.filename)) {
  await main(async () => {
    await ensureModules();
    const bad = await checkTypes();
    if (bad.length > 0) throw new Error(`These do not compile: ${bad.join(', ')}`);
  });
}
