#!/usr/bin/env node
// The package's command.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { init } from './init.mjs';

const USAGE = `npx vivarium init <folder>   puts what a page needs that opens a database into a folder of static files,
                             those that your site serves at its base (public/, static/, …)`;

const [command, folder, ...more] = process.argv.slice(2);
/** What is asked of the command itself, wherever that stands. */
const ABOUT = { '--help': () => USAGE, '-h': () => USAGE, '--version': () => JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version };
const asked = Object.entries(ABOUT).find(([flag]) => process.argv.includes(flag));
if (asked !== undefined) {
  console.log(asked[1]());
  process.exit();
}
try {
  if (command !== 'init' || folder === undefined || more.length > 0) throw new Error(`Usage:\n${USAGE}`);
  for (const line of init(folder, fileURLToPath(new URL('../dist/', import.meta.url)))) console.log(line);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
