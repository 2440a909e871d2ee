// Small things this page remembers for its user: the theme, for all tabs, and drafts, for each its
// own. Storage may be refused (private mode, blocked cookies); then they are simply not remembered.

const name = (key: string): string => `vivarium.playground.${key}`;

function tried<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}

export function kept(key: string): string | null {
  return tried(() => localStorage.getItem(name(key)));
}

/** @param value `null` forgets it */
export function keep(key: string, value: string | null): void {
  put(() => localStorage, key, value);
}

/** What there is no room for takes what was kept before along: that would come back in its place. */
function put(storage: () => Storage, key: string, value: string | null): void {
  const isKept = value !== null && tried(() => (storage().setItem(name(key), value), true));
  if (!isKept) tried(() => storage().removeItem(name(key)));
}

/** Called when another tab keeps something else. */
export function onKept(key: string, act: (value: string | null) => void): void {
  addEventListener('storage', (event) => {
    if (event.key === name(key)) act(event.newValue);
  });
}

/** What this tab has kept; a new one begins with what was kept last. */
export function keptHere(key: string): string | null {
  return tried(() => sessionStorage.getItem(name(key))) ?? kept(key);
}

export function keepHere(key: string, value: string): void {
  put(() => sessionStorage, key, value);
  keep(key, value);
}

/** How long what is written may wait to be kept: a long text takes its time. */
const SOON_MS = 300;

const waiting = new Map<string, () => string>();
let keeping: ReturnType<typeof setTimeout> | undefined;

/** Keeps what changes with every key, once no more keys come, or when the page is left. */
export function keepHereSoon(key: string, value: () => string): void {
  waiting.set(key, value);
  clearTimeout(keeping);
  keeping = setTimeout(keepNow, SOON_MS);
}

function keepNow(): void {
  for (const [key, value] of waiting) keepHere(key, value());
  waiting.clear();
}
addEventListener('pagehide', keepNow);
document.addEventListener('visibilitychange', keepNow);
