// `npm run build`: the static site in `dist/`, which works under any path, then what its scripts weigh. Settings go
// to `vite build`, as in `npm run build -- --sourcemap`.
import { runTool } from './run.mjs';
import { ensureModules, main } from './setup.mjs';
import { checkSizes } from './sizes.mjs';

await main(async () => {
  await ensureModules();
  const built = await runTool('vite/bin/vite.js', ['build', '--logLevel', 'warn', ...process.argv.slice(2)]);
  if (built.code !== 0) throw new Error('The build failed; what it says is above.');
  const over = checkSizes();
  if (over.length > 0) throw new Error(`Sizes: ${over.join('; ')}.`);
});
