#!/usr/bin/env node
// The package's command.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { init } from './init.mjs';

const USAGE = `npx vivarium init <folder>   puts what a page needs that opens a database into a folder of static files,
                             those that your site serves at its base (public/, static/, …)`;

const [command, folder, ...more] = process.argv.slice(2);
/** Whether the command itself is asked about, wherever that stands. */
const asks = (/** @type {readonly string[]} */ ...flags) => flags.some((flag) => process.argv.includes(flag));
if (asks('--help', '-h', '--version')) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  console.log(asks('--version') ? version : USAGE);
  process.exit();
}
try {
  if (command !== 'init' || folder === undefined || more.length > 0) throw new Error(`Usage:\n${USAGE}`);
  for (const line of init(folder, fileURLToPath(new URL('../dist/', import.meta.url)))) console.log(line);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
