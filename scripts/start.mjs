// `npm start`: from a fresh clone to a page with a working database.
//
// `npm start -- --port N` (or the variable PORT) chooses the port; any other setting of `vite preview` works too.
import { isTaken } from './free-port.mjs';
import { runTool, say } from './run.mjs';
import { ensureModules, main } from './setup.mjs';

const HELP = `npm start: installs what is missing, builds the site into dist/, serves it and prints the address.

  npm start -- --port 8080    on another port than 4173 (or the variable PORT)
  npm start -- --base /app/   under a sub-path
  npm start -- --host         also to other machines (whose browsers open the database by https only)
  npm start -- --open         opens it in the browser

Any other setting of \`vite preview\` works too.`;

const given = process.argv.slice(2);
if (given.includes('--help') || given.includes('-h')) {
  console.log(HELP);
  process.exit();
}

/** The value of `--name value` or `--name=value`, as given. */
const setting = (/** @type {string} */ name) => {
  const at = given.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  return at === -1 ? undefined : (given[at]?.split('=')[1] ?? given[at + 1]);
};

await main(async () => {
  const port = setting('port') || process.env['PORT'] || '4173';
  // Before the build: another `npm start` may be serving it.
  if (await isTaken(Number(port))) {
    throw new Error(`Port ${port} is taken, perhaps by another \`npm start\`. On another one (\`npm start -- --port N\`) the database is another, too: data belong to the address.`);
  }
  await ensureModules();

  say('Building the site into dist/');
  const built = await runTool('vite/bin/vite.js', ['build', '--logLevel', 'warn']);
  if (built.code !== 0) throw new Error('The build failed; what it says is above.');

  say('Serving dist/; open the address below. The database lives in that page: once loaded it needs no server.');
  const served = await runTool('vite/bin/vite.js', ['preview', '--port', port, '--strictPort', ...given]);
  process.exitCode = served.code;
});
