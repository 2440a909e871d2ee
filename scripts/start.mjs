// `npm start`: from a fresh clone to a page with a working database.
//
// `npm start -- --port N` (or the variable PORT) chooses the port; any other setting of `vite preview` works too.
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
  await ensureModules();

  say('Building the site into dist/');
  const base = setting('base');
  const built = await runTool('vite/bin/vite.js', ['build', '--logLevel', 'warn', ...(base ? ['--base', base] : [])]);
  if (built.code !== 0) throw new Error('The build failed; what it says is above.');

  say('Serving dist/; open the address below. The database lives in that page: once loaded it needs no server.');
  const port = setting('port') === undefined ? ['--port', process.env['PORT'] ?? '4173'] : [];
  const served = await runTool('vite/bin/vite.js', ['preview', ...port, ...given]);
  process.exitCode = served.code;
});
