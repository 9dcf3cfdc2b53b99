/** Sets a value in a map of at most `most` entries, and deletes the oldest entry of a full one. */
export function setBounded<K, V>(map: Map<K, V>, most: number, key: K, value: V): void {
  if (!map.has(key) && map.size >= most) map.delete(map.keys().next().value!);
  map.set(key, value);
}
