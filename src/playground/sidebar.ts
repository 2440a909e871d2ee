// Collections, indexes and functions at the side; each is a button that asks for what it holds or is.
import type { Api } from './api.ts';
import { Refused } from './api.ts';
import { COUNTED, countDocuments, documentsOn, readCollections, readFunctions, readIndexes } from './contents.ts';
import { byId, make } from './dom.ts';
import { prettyJson } from './json-text.ts';

export interface Sidebar {
  /** Reads the lists again; calls while one is under way share the next reading. */
  refresh(): Promise<void>;
  /** What the lists name, as they were last read. */
  names(): Names;
}

export interface Names {
  readonly collections: readonly string[];
  readonly indexes: readonly string[];
  readonly functions: readonly string[];
}

/** A button of a list. */
interface Entry {
  readonly name: string;
  /** Beside the name. */
  readonly count?: string;
  /** Below the name. */
  readonly about?: string;
  /** What its button asks for, as an expression. */
  readonly question: unknown;
}

/** @param ask shows a query expression (JSON text) in the editor and runs it */
export function createSidebar(api: Api, ask: (expression: string) => void): Sidebar {
  const lists: Readonly<Record<keyof Names, () => Promise<readonly Entry[]>>> = {
    async collections() {
      const collections = await readCollections(api);
      const counts = await countDocuments(api, collections).catch(() => []);
      return collections.map((name, at) => ({ name, count: countText(counts[at]), question: firstPage({ documents: { collection: name } }) }));
    },
    async indexes() {
      const indexes = await readIndexes(api);
      return indexes.map(({ name, about, hasTerms }) => ({ name, about, question: hasTerms ? { get: { index: name } } : firstPage({ match: { index: name } }) }));
    },
    async functions() {
      const functions = await readFunctions(api);
      return functions.map(({ name, about }) => ({ name, about, question: { get: { function: name } } }));
    },
  };

  let names: Names = { collections: [], indexes: [], functions: [] };
  /** What each list shows. */
  const shown = new Map<keyof Names, string>();
  const read = async (kind: keyof Names): Promise<void> => {
    const list = byId(kind, HTMLUListElement);
    try {
      const entries = await lists[kind]();
      // A button that is made anew while it is pressed is never clicked.
      const next = JSON.stringify(entries);
      if (shown.get(kind) === next) return;
      shown.set(kind, next);
      names = { ...names, [kind]: entries.map(({ name }) => name) };
      fill(list, 'None yet', entries.map((entry) => button(entry, ask)));
    } catch (error) {
      shown.delete(kind);
      const mayNot = error instanceof Refused && (error.status === 401 || error.status === 403);
      fill(list, mayNot ? 'Not readable with this secret' : 'Not readable now', []);
    }
  };
  const readAll = async (): Promise<void> => {
    await Promise.all([read('collections'), read('indexes'), read('functions')]);
  };

  let reading: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const refresh = (): Promise<void> => {
    if (reading === null) {
      reading = readAll().finally(() => (reading = null));
      return reading;
    }
    next ??= reading.then(() => {
      next = null;
      return refresh();
    });
    return next;
  };
  return { refresh, names: () => names };
}

function fill(list: HTMLUListElement, none: string, items: readonly HTMLLIElement[]): void {
  // A list that is read again while the keyboard is in it must not lose the place.
  const focused = document.activeElement instanceof HTMLElement && list.contains(document.activeElement) ? document.activeElement.dataset['name'] : undefined;
  list.replaceChildren(...(items.length > 0 ? items : [make('li', { class: 'none' }, none)]));
  // Nor the page its own: it may have gone on to the answer.
  if (focused !== undefined) list.querySelector<HTMLButtonElement>(`[data-name="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

function button({ name, count = '', about, question }: Entry, ask: (expression: string) => void): HTMLLIElement {
  const element = make(
    'button',
    { type: 'button', 'data-name': name },
    make('span', { class: 'name', translate: 'no' }, name),
    make('span', { class: 'count' }, count),
    ...(about === undefined ? [] : [make('span', { class: 'about', translate: 'no' }, about)]),
  );
  element.addEventListener('click', () => ask(prettyJson(question)));
  return make('li', {}, element);
}

function countText(count: number | undefined): string {
  if (count === undefined) return '';
  return count > COUNTED ? `${COUNTED.toLocaleString('en')}+` : count.toLocaleString('en');
}

const firstPage = (set: unknown): unknown => documentsOn({ paginate: set, size: 16 });
