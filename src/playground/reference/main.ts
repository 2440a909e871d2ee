// The function reference: what the registry says of each function, with examples to try.
import { families, world } from 'virtual:function-reference';
import { byId, commandKey, counted, make, withCode } from '../dom.ts';
import { layOut } from '../json-text.ts';
import { jsonView } from '../json-view.ts';
import { wireTheme } from '../theme.ts';
import { type Family, type FunctionEntry, found, type Parameter, type Signature, tryAddress, versionsOf } from './entries.ts';

const base = import.meta.env.BASE_URL;
wireTheme(byId('theme', HTMLButtonElement));
byId('world', HTMLAnchorElement).href = tryAddress(base, world);

const EFFECTS: Readonly<Record<string, string>> = { pure: 'computes', read: 'reads', write: 'writes' };

/** Of examples: on a phone so many fit. */
const COLUMNS = matchMedia('(max-width: 520px)').matches ? 36 : undefined;

interface Shown {
  readonly entry: FunctionEntry;
  readonly article: HTMLElement;
  readonly link: HTMLElement;
}

const shown: Shown[] = [];
const sections: { readonly section: HTMLElement; readonly group: HTMLElement; readonly entries: readonly FunctionEntry[] }[] = [];

for (const family of families) {
  const { section, group } = show(family);
  byId('functions', HTMLElement).append(section);
  byId('contents', HTMLElement).append(group);
  sections.push({ section, group, entries: family.functions });
}

function show({ title, functions }: Family): { section: HTMLElement; group: HTMLElement } {
  const links = make('ul', { class: 'toc' });
  const section = make('section', { class: 'family', 'aria-label': title }, make('h2', {}, title));
  for (const entry of functions) {
    const article = articleOf(entry);
    const link = make('li', {}, make('a', { href: `#${idOf(entry)}` }, entry.name));
    links.append(link);
    section.append(article);
    shown.push({ entry, article, link });
  }
  return { section, group: make('section', {}, make('h2', {}, title), links) };
}

function idOf({ name }: FunctionEntry): string {
  return `fn-${name.replace('@', 'at-')}`;
}

function articleOf(entry: FunctionEntry): HTMLElement {
  const id = idOf(entry);
  const title = make('h3', {}, make('a', { href: `#${id}`, class: 'anchor' }, entry.name));
  return make('article', { id, class: 'function', 'data-testid': id }, title, ...entry.signatures.map((signature) => signatureOf(signature, entry.name)));
}

function signatureOf(signature: Signature, name: string): HTMLElement {
  const { effect, summary, examples } = signature;
  const badges = make('p', { class: 'badges' }, make('span', { class: `effect ${effect}` }, EFFECTS[effect] ?? effect), make('span', {}, versionsOf(signature)));
  return make(
    'div',
    { class: 'signature' },
    make('pre', { class: 'keys-of' }, ...keysOf(signature.parameters)),
    make('p', { class: 'summary' }, ...withCode(summary)),
    badges,
    ...examples.map((example) => exampleOf(example, name)),
  );
}

function keysOf(parameters: readonly Parameter[]): (Node | string)[] {
  const parts = parameters.flatMap(({ key, takes, optional, many }, index): (Node | string)[] => [
    index === 0 ? '{ ' : ', ',
    make('span', { class: 'key' }, `"${key}"`),
    optional ? make('span', { class: 'optional', title: 'may be left out' }, '?') : '',
    ': ',
    make('span', { class: 'type' }, many ? `${takes}, or several in an array` : takes),
  ]);
  return [...parts, ' }'];
}

function exampleOf({ query, answer }: Signature['examples'][number], name: string): HTMLElement {
  const open = make('a', { class: 'try', href: tryAddress(base, query), 'aria-label': `Try it: ${name}` }, 'Try it');
  return make('div', { class: 'example' }, make('pre', { class: 'json asked' }, coloured(query)), make('pre', { class: 'json answer' }, coloured(answer)), open);
}

function coloured(text: string): Node | string {
  const tokens = layOut(text, COLUMNS);
  return tokens === null ? text : jsonView(tokens, COLUMNS);
}

const search = byId('search', HTMLInputElement);
search.placeholder = `Search functions (${commandKey()} K)`;
const status = byId('found', HTMLElement);

// Whoever comes back from an example finds the search again, also where the browser kept no page in memory.
if (typeof history.state?.search === 'string') search.value = history.state.search;
addEventListener('pagehide', () => history.replaceState({ search: search.value }, ''));

function filter(): void {
  const kept = found(families, search.value);
  for (const { entry, article, link } of shown) article.hidden = link.hidden = !kept.has(entry);
  for (const { section, group, entries } of sections) section.hidden = group.hidden = !entries.some((entry) => kept.has(entry));
  status.textContent = search.value.trim() === '' ? counted(shown.length, 'function') : `${kept.size} of ${shown.length} functions`;
  byId('none', HTMLElement).hidden = kept.size > 0;
}

search.addEventListener('input', () => {
  filter();
  scrollTo(0, 0);
});
filter();

document.addEventListener('keydown', (event) => {
  // Escape gives up the word that is being composed, and no more.
  if (event.isComposing) return;
  // Not a character by itself, which who speaks to the page may say for something else.
  if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    search.select();
  } else if (event.key === 'Escape' && search.value !== '') {
    const read = shown.find(({ article }) => !article.hidden && article.getBoundingClientRect().bottom > BELOW_SEARCH);
    search.value = '';
    filter();
    if (read !== undefined) hold(read.article);
  }
});

/** On a narrow screen the search stays above what is read. */
const BELOW_SEARCH = 110;

/** The function that the address names. The articles came after the browser had looked for it. */
function goThere(): void {
  const target = shown.find(({ entry }) => `#${idOf(entry)}` === location.hash);
  if (target === undefined) return;
  if (target.article.hidden) {
    search.value = '';
    filter();
  }
  hold(target.article);
}

/** Frames in which nothing has moved, after which nothing will. */
const STILL = 10;
let holding = 0;

/** Brings an article to the top until it stays there: those above it take their true heights only in sight, some frames later. */
function hold(article: HTMLElement, still = 0): void {
  cancelAnimationFrame(holding);
  const { top } = article.getBoundingClientRect();
  article.scrollIntoView();
  const hasMoved = Math.abs(article.getBoundingClientRect().top - top) >= 1;
  if (still < STILL) holding = requestAnimationFrame(() => hold(article, hasMoved ? 0 : still + 1));
}
// Whoever scrolls is not held.
for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown']) addEventListener(type, () => cancelAnimationFrame(holding), { capture: true, passive: true });

addEventListener('hashchange', goThere);
goThere();
document.documentElement.dataset['ready'] = 'true';
