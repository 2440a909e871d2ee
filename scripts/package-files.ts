// What the package has beside the site: its entry, which loads the site's `vivarium.js`; types; and
// the list of files by which `vivarium init` knows its own, with the notices of what is in them.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import type { Plugin } from 'vite';
import { rollUp } from './declarations.ts';
import { hashOf, LIST } from './init.mjs';
import { NOTICES, writeNotices } from './notices.ts';
import { root, runTool } from './run.mjs';
import { isRuntime, RUNTIME_FOLDER } from './runtime-files.ts';
import { isThisSite } from './this-site.ts';

/** Modules of the package, and their sources below `src`. */
const TYPED = { load: 'page/load.ts', vivarium: 'page/index.ts', 'raw-copy': 'storage/raw-copy.ts' } as const;

export function packageFiles(): Plugin {
  let outDir = '';
  let isWritten = false;
  return {
    name: 'vivarium:package-files',
    apply: (config, { command }) => command === 'build' && isThisSite(config),
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    writeBundle() {
      isWritten = true;
    },
    closeBundle: {
      order: 'post',
      // After the service worker's scripts, which are in the list.
      sequential: true,
      async handler() {
        // This also runs after a build that has failed, whose own error must not be hidden by one from here.
        if (!isWritten) return;
        await Promise.all([buildEntry(outDir), writeTypes(outDir)]);
        writeNotices(join(outDir, RUNTIME_FOLDER), isRuntime);
        writeNotices(outDir, (file) => !isRuntime(file));
        writeFileSync(join(outDir, LIST), `${JSON.stringify(listOf(outDir), null, 2)}\n`);
      },
    },
  };
}

async function buildEntry(outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    // The application's bundler knows its base, not ours.
    define: { 'import.meta.env.BASE_URL': 'import.meta.env?.BASE_URL' },
    build: {
      target: 'es2022',
      outDir,
      emptyOutDir: false,
      minify: false,
      lib: { entry: join(root, 'src', TYPED.load), formats: ['es'], fileName: () => 'load.js' },
    },
  });
}

async function writeTypes(outDir: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vivarium-types-'));
  try {
    const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', folder, '--rootDir', 'src'];
    for (const project of new Set(Object.values(TYPED).map((path) => path.split('/', 1)[0]))) {
      const { code } = await runTool('typescript/bin/tsc', ['--project', `src/${project}`, ...options]);
      if (code !== 0) throw new Error(`no types of src/${project}`);
    }
    const read = (path: string): string => readFileSync(join(folder, path.replace(/\.ts$/, '.d.ts')), 'utf8');
    for (const [name, source] of Object.entries(TYPED)) writeFileSync(join(outDir, `${name}.d.ts`), rollUp(source, read));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function listOf(outDir: string): { readonly version: string; readonly files: Readonly<Record<string, string>> } {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const files = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/')).filter((file) => isRuntime(file) || file === RUNTIME_FOLDER + NOTICES).sort();
  return { version, files: Object.fromEntries(files.map((file) => [file, hashOf(join(outDir, file)) ?? ''])) };
}
