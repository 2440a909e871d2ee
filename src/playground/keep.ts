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
  tried(() => (value === null ? localStorage.removeItem(name(key)) : localStorage.setItem(name(key), value)));
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
  tried(() => sessionStorage.setItem(name(key), value));
  keep(key, value);
}
