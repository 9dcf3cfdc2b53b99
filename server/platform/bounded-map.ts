/** Puts a value into a map of at most `most`, from which the oldest goes. */
export function keepWithin<K, V>(map: Map<K, V>, most: number, key: K, value: V): void {
  if (!map.has(key) && map.size >= most) map.delete(map.keys().next().value!);
  map.set(key, value);
}
