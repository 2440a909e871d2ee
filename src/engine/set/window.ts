// Places among the keys of a set, and the parts of a set between two of them.
import { afterPrefix, type Key } from '../base/bytes.ts';

/** Which entries to read: keys from `from` up to but not including `to`, in either direction. */
export interface Window {
  readonly from: Key;
  readonly to: Key;
  readonly descending: boolean;
  /** The group that an edge lies within, where it does. */
  readonly fromGroup?: Key | undefined;
  readonly toGroup?: Key | undefined;
}

/** Above every key: no entry begins with 0xFF bytes only. */
export const KEY_END: Key = '\xff'.repeat(16);

export const everything = (descending = false): Window => ({ from: '', to: KEY_END, descending });

export const contains = ({ from, to }: Window, key: Key): boolean => key >= from && key < to;

/** The part of a window that is left after a leap to a key. */
export function beyond(window: Window, key: Key): Window {
  if (window.descending) return key < window.to ? { ...window, to: key, toGroup: undefined } : window;
  return key > window.from ? { ...window, from: key, fromGroup: undefined } : window;
}

/** A place between entries: all keys that begin with it lie from `low` up to `high`. */
export interface Position {
  readonly low: Key;
  readonly high: Key;
  /** The group it lies within: it has all values and a ref. */
  readonly group?: Key | undefined;
}

export const around = (prefix: Key): Position => ({ low: prefix, high: prefix === '' ? KEY_END : afterPrefix(prefix) });

/** The part of a window from one position through another; `null` is open. */
export function clamp(window: Window, first: Position | null, last: Position | null): Window {
  const from = first !== null && first.low > window.from ? { from: first.low, fromGroup: first.group } : { from: window.from, fromGroup: window.fromGroup };
  const to = last !== null && last.high < window.to ? { to: last.high, toGroup: last.group } : { to: window.to, toGroup: window.toGroup };
  const { descending } = window;
  return to.to < from.from ? { ...from, to: from.from, toGroup: from.fromGroup, descending } : { ...from, ...to, descending };
}
