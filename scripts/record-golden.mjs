// Records the golden database of this build's storage format: `npm run golden`.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { createServer } from 'vite';
import { findBrowser, launchFlags } from './browser.mjs';
import { root } from './run.mjs';

const folder = 'src/testing/golden';
const server = await createServer({ root, logLevel: 'error', server: { port: 0 }, optimizeDeps: { include: ['idb', 'graphql'] } });
await server.listen();
const executablePath = findBrowser();
const browser = await chromium.launch({ args: [...launchFlags], ...(executablePath === null ? {} : { executablePath }) });
try {
  const page = await browser.newPage();
  page.on('console', (message) => console.log(message.text()));
  await page.goto(`${server.resolvedUrls?.local[0]}${folder}/blank.html`);
  const { fileName, golden } = await page.evaluate((module) => import(module).then(({ record }) => record()), `/${folder}/record.ts`);
  const file = join(root, folder, fileName);
  const again = existsSync(file);
  writeFileSync(file, `${JSON.stringify(golden, null, 1)}\n`);
  console.log(`${again ? 'Recorded anew (was that meant? A format in use has a number of its own)' : 'Recorded'}: ${folder}/${fileName}`);
} finally {
  await browser.close();
  await server.close();
}
