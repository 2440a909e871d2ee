// Collections and indexes at the side; each is a button that asks for its first page.
import type { Api } from './api.ts';
import { Refused } from './api.ts';
import { COUNTED, countDocuments, readContents } from './contents.ts';
import type { Contents } from './contents.ts';
import { byId, make } from './dom.ts';
import { prettyJson } from './json-text.ts';

export interface Sidebar {
  /** Reads the lists again; calls while one is under way share the next reading. */
  refresh(): Promise<void>;
  /** As they were last read. */
  contents(): Contents;
}

/** @param ask shows a query expression (JSON text) in the editor and runs it */
export function createSidebar(api: Api, ask: (expression: string) => void): Sidebar {
  const collections = byId('collections', HTMLUListElement);
  const indexes = byId('indexes', HTMLUListElement);

  let shown: Contents = { collections: [], indexes: [] };
  const show = (contents: Contents, counts: readonly number[]): void => {
    shown = contents;
    fill(
      collections,
      'None yet',
      contents.collections.map((name, at) => button(name, countText(counts[at]), undefined, () => ask(firstPage({ documents: { collection: name } })))),
    );
    fill(
      indexes,
      'None yet',
      contents.indexes.map(({ name, about, hasTerms }) =>
        button(name, '', about, () => ask(hasTerms ? definition(name) : firstPage({ match: { index: name } }))),
      ),
    );
  };

  const read = async (): Promise<void> => {
    try {
      const contents = await readContents(api);
      const counts = await countDocuments(api, contents.collections).catch(() => []);
      show(contents, counts);
    } catch (error) {
      const mayNot = error instanceof Refused && (error.status === 401 || error.status === 403);
      const words = mayNot ? 'Not readable with this secret' : 'Not readable now';
      fill(collections, words, []);
      fill(indexes, words, []);
    }
  };

  let reading: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const refresh = (): Promise<void> => {
    if (reading === null) {
      reading = read().finally(() => (reading = null));
      return reading;
    }
    next ??= reading.then(() => {
      next = null;
      return refresh();
    });
    return next;
  };
  return { refresh, contents: () => shown };
}

function fill(list: HTMLUListElement, none: string, items: readonly HTMLLIElement[]): void {
  // A list that is read again while the keyboard is in it must not lose the place.
  const focused = document.activeElement instanceof HTMLElement && list.contains(document.activeElement) ? document.activeElement.dataset['name'] : undefined;
  list.replaceChildren(...(items.length > 0 ? items : [make('li', { class: 'none' }, none)]));
  // Nor the page its own: it may have gone on to the answer.
  if (focused !== undefined) list.querySelector<HTMLButtonElement>(`[data-name="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

function button(name: string, count: string, about: string | undefined, onClick: () => void): HTMLLIElement {
  const element = make(
    'button',
    { type: 'button', 'data-name': name, title: name },
    make('span', { class: 'name' }, name),
    make('span', { class: 'count' }, count),
    ...(about === undefined ? [] : [make('span', { class: 'about' }, about)]),
  );
  element.addEventListener('click', onClick);
  return make('li', {}, element);
}

function countText(count: number | undefined): string {
  if (count === undefined) return '';
  return count > COUNTED ? `${COUNTED.toLocaleString('en')}+` : count.toLocaleString('en');
}

function firstPage(set: unknown): string {
  return prettyJson({ map: { lambda: 'ref', expr: { get: { var: 'ref' } } }, collection: { paginate: set, size: 16 } });
}

function definition(index: string): string {
  return prettyJson({ get: { index } });
}
