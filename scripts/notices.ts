// What the licences of bundled packages ask for: their notices, beside the files that those went into.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { root } from './run.mjs';

/** In each folder of the build that has such files: a name that `vivarium init` takes along. */
export const NOTICES = 'licenses.txt';

/** Folders of the packages in each file of the build, by all the bundler's runs of it. */
const bundled = new Map<string, ReadonlySet<string>>();

export function noted(): Plugin {
  return {
    name: 'vivarium:notices',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') bundled.set(file.fileName, new Set(file.moduleIds.map(packageOf).filter((folder) => folder !== null)));
      }
    },
  };
}

/** The folder of the package that a module is of, `null` for one of ours. */
export const packageOf = (id: string): string | null => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'))?.[1] ?? null;

/** Ours among them. @param folder where to put them @param isThere which files of the build they are of */
export function writeNotices(folder: string, isThere: (file: string) => boolean): void {
  const packages = new Set([...bundled].filter(([file]) => isThere(file)).flatMap(([, packages]) => [...packages]));
  writeFileSync(join(folder, NOTICES), noticesOf([root, ...[...packages].sort()]));
}

/** Each text once, below the packages that it is of. @throws Error where a package has none */
export function noticesOf(folders: readonly string[]): string {
  const byText = new Map<string, string[]>();
  for (const folder of folders) {
    const text = readdirSync(folder)
      .filter((name) => /^(?:licen[cs]e|notice)\b/i.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r', '').trim())
      .join('\n\n');
    if (text === '') throw new Error(`${folder} has no licence`);
    byText.set(text, [...(byText.get(text) ?? []), titleOf(folder)]);
  }
  return [...byText].map(([text, titles]) => `${titles.join('\n')}\n\n${text}\n`).join(`\n${'-'.repeat(80)}\n\n`);
}

/** As `idb 8.0.3 (ISC), https://github.com/jakearchibald/idb`, where its source is. */
function titleOf(folder: string): string {
  const { name, version, license, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<'name' | 'version' | 'license', string> & { readonly repository?: string | { readonly url: string } };
  const address = (typeof repository === 'string' ? repository : (repository?.url ?? '')).replace(/^git\+|\.git$/g, '').replace(/^git:/, 'https:').replace(/^(?:github:)?([\w-]+\/[\w.-]+)$/, 'https://github.com/$1');
  return `${name} ${version} (${license})${address === '' ? '' : `, ${address}`}`;
}
