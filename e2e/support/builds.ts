// Sites to which one build after the other is brought: the present one, and older ones as they were, which
// `npm run older-builds` has recorded.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright/test';
import { root } from '../../scripts/run.mjs';
import { isRuntime } from '../../scripts/runtime-files.ts';
import { askAll, type Client, makeWorld, type Question, questionsOf } from '../../src/testing/transfer.ts';
import { ROOT, send } from './http.ts';
import { openIn } from './page.ts';
import { serve } from './site.ts';
import { test as plain } from './test.ts';

/** The older ones go by the format of their storage: the present one's, and the one before. Their commits: scripts/record-builds.mjs. */
export type Build = 'present' | 'format 3' | 'format 2';

type Files = Readonly<Record<string, string>>;

export interface Host {
  readonly address: string;
  /** Puts a build, and files of the application, in the place of all that is in a folder. */
  deploy(folder: string, build: Build, own?: Files): Promise<void>;
  /** A page of the application in that folder, which has not opened the database. */
  visit(context: BrowserContext, folder: string): Promise<Page>;
  /** One that has. */
  open(context: BrowserContext, folder: string, options?: object): Promise<Page>;
}

const PAGE: Files = { 'index.html': '<!doctype html><title>Application</title>' };

export const test = plain.extend<{ readonly host: Host }>({
  host: async ({}, use) => {
    const at = await mkdtemp(join(tmpdir(), 'vivarium-builds-'));
    const site = await serve(at);
    const visit: Host['visit'] = async (context, folder) => {
      const page = await context.newPage();
      await page.goto(`${site.address}${folder}/`);
      return page;
    };
    await use({
      address: site.address,
      async deploy(folder, build, own = {}) {
        await rm(join(at, folder), { recursive: true, force: true });
        for (const [name, text] of Object.entries({ ...PAGE, ...filesOf(build), ...own })) {
          const file = join(at, folder, name);
          await mkdir(dirname(file), { recursive: true });
          await writeFile(file, text);
        }
      },
      visit,
      async open(context, folder, options) {
        const page = await visit(context, folder);
        await openIn(page, options, 'vivarium.js');
        return page;
      },
    });
    await site.stop();
    await rm(at, { recursive: true, force: true, maxRetries: 5 });
  },
});

function filesOf(build: Build): Files {
  if (build === 'present') {
    const dist = join(root, 'dist');
    const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')).filter(isRuntime);
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(dist, name), 'utf8')]));
  }
  const packed = readFileSync(join(root, 'e2e/support/builds/older.json.br'));
  return (JSON.parse(brotliDecompressSync(packed).toString()) as Readonly<Record<Build, { readonly files: Files }>>)[build].files;
}

/** Which build a page has loaded: until then, `none`. */
export const buildOf = (page: Page): Promise<'older' | 'present' | 'none'> =>
  page.evaluate(() => {
    const loaded = (folder: string): boolean => performance.getEntriesByType('resource').some(({ name }) => name.includes(`/${folder}/page-`));
    return loaded('assets') ? 'older' : loaded('vivarium') ? 'present' : 'none';
  });

/** Fills the database of a page with a little of everything; what to ask to tell whether it is all there. */
export const makeQuestions = async (page: Page): Promise<readonly Question[]> => questionsOf(await makeWorld(clientOf(page), 3000));

export async function answersTo(page: Page, questions: readonly Question[]): Promise<readonly string[]> {
  const answers = await askAll(clientOf(page), questions);
  // A build shows the mark of an index that it does not know.
  return answers.map((answer) => answer.replaceAll(',"_into_refs":2', ''));
}

function clientOf(page: Page): Client {
  const ask: Client['send'] = (method, path, body, headers = {}) =>
    send(page, 'fetch', { method, path: `.${path}`, ...(body === undefined ? {} : { body }), headers: { authorization: ROOT, ...headers } });
  return { send: ask, query: (json) => ask('POST', '/', json, { 'x-faunadb-api-version': '4' }) };
}
