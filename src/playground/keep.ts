// Small things this page remembers for its user: the theme and drafts. Storage may be refused
// (private mode, blocked cookies); then they are simply not remembered.

const name = (key: string): string => `vivarium.playground.${key}`;

export function kept(key: string): string | null {
  try {
    return localStorage.getItem(name(key));
  } catch {
    return null;
  }
}

/** @param value `null` forgets it */
export function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name(key));
    else localStorage.setItem(name(key), value);
  } catch {
    // Not remembered.
  }
}
