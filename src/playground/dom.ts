// The few helpers with which the page is written.

/**
 * The element of this id, which `index.html` has.
 * @throws Error when it is missing or of another kind: a mistake of ours, seen at once.
 */
export function byId<E extends HTMLElement>(id: string, kind: new () => E): E {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} #${id}`);
  return found;
}

type Child = Node | string;

/** A new element. Attributes are set as text; listeners are for the caller to add. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The key that is held for a command, as it is written on keyboards here. */
export const commandKey = (): string => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl');

/** `1` and `collection` → `1 collection`; 1,000 and `city`, `cities` → `1,000 cities`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** Words, with what stands in backquotes as code. */
export function withCode(text: string): Child[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? make('code', { translate: 'no' }, part) : part));
}

/** How many characters fit on a line of an element whose characters are all as wide, beside a scrollbar. Not fewer than can be read. */
export function columnsOf(element: HTMLElement): number {
  const probe = make('span', { style: 'position: absolute; visibility: hidden; white-space: pre' }, '0'.repeat(100));
  element.append(probe);
  const { paddingLeft, paddingRight } = getComputedStyle(element);
  const width = element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  const columns = Math.floor((100 * width) / probe.getBoundingClientRect().width) - SCROLLBAR;
  probe.remove();
  return Math.max(columns, 32);
}

const SCROLLBAR = 2;
