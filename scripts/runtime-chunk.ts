// Puts the bundler's helper, a file of its own of 158 bytes, into the one file that imports it:
// a worker would fetch it after all else, and wait for it before its engine runs.
import type { Plugin } from 'vite';

// With white space or without: a build that is measured keeps it, with all names.
const IMPORT = /import\s*\{\s*(\w+)(?: as (\w+))?\s*\}\s*from\s*"\.\/rolldown-runtime-[^"]+";?/;
const EXPORT = /export\s*\{([^}]+)\};?\s*$/;

export function withoutRuntimeChunk(): Plugin {
  return {
    name: 'vivarium:runtime-chunk',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const runtime = chunks.find(({ name }) => name === 'rolldown-runtime');
      if (runtime === undefined) return;
      for (const chunk of chunks.filter(({ imports }) => imports.includes(runtime.fileName))) {
        chunk.code = withHelper(chunk.code, runtime.code);
        chunk.imports = chunk.imports.filter((name) => name !== runtime.fileName);
      }
      delete bundle[runtime.fileName];
    },
  };
}

/** @throws Error when the code is not as the bundler has made it so far */
export function withHelper(code: string, runtime: string): string {
  const [, imported, local = imported] = IMPORT.exec(code) ?? [];
  const names = EXPORT.exec(runtime)?.[1]?.split(',').map((name) => name.trim().split(' as ')) ?? [];
  const [inner] = names.find(([inner, outer = inner]) => outer === imported) ?? [];
  if (local === undefined || inner === undefined) throw new Error('the helper of the bundler is imported in another way than so far');
  return code.replace(IMPORT, () => `const ${local}=(()=>{${runtime.replace(EXPORT, '')};return ${inner}})();`);
}
