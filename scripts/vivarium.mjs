#!/usr/bin/env node
// The package's command.
import { fileURLToPath } from 'node:url';
import { init } from './init.mjs';

const USAGE = `npx vivarium init <folder>   puts what a page needs that opens a database into a folder of static files,
                             those that your site serves at its base (public/, static/, …)`;

const [command, folder, ...more] = process.argv.slice(2);
if (command === '--help' || command === '-h') {
  console.log(USAGE);
  process.exit();
}
try {
  if (command !== 'init' || folder === undefined || more.length > 0) throw new Error(`Usage:\n${USAGE}`);
  for (const line of init(folder, fileURLToPath(new URL('../dist/', import.meta.url)))) console.log(line);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
