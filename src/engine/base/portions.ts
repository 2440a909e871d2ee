/** The entries that a map has now, so many at a time: whoever takes them slowly gets none of those that are added meanwhile. */
export function* portions<K, V>(map: ReadonlyMap<K, V>, size: number): Generator<[K, V][]> {
  let left = map.size;
  let portion: [K, V][] = [];
  for (const entry of map) {
    if (left-- === 0) break;
    portion.push(entry);
    if (portion.length < size && left > 0) continue;
    yield portion;
    portion = [];
  }
}
