// Scripts for the page, bundled as an application would, and only for the tests.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const bundles = new Map<string, Promise<string>>();

/** A classic script that defines what the file exports as the global `name`; made once a run. */
export function bundle(file: string, name: string): Promise<string> {
  const made = bundles.get(file) ?? bundled(file, name);
  bundles.set(file, made);
  return made;
}

async function bundled(entry: string, name: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: { util: fileURLToPath(new URL('clients/node-util.ts', import.meta.url)) } },
    // Drivers read the names of a lambda's parameters from the source of the function.
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name } },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !('output' in output)) throw new Error(`${entry} was not bundled`);
  return output.output[0].code;
}
