// Constants whose keys and values are known when they are compiled. The types of JavaScript's own functions leave them out,
// because an object can have more keys than its type names: what is used here has no others.

/** Returns the keys of a table, in its order. */
export function keysOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[];
}

/** Returns the keys of a table with their rows, in its order. */
export function entriesOf<T extends object>(table: T): [keyof T & string, T[keyof T & string]][] {
  return keysOf(table).map((key) => [key, table[key]]);
}

/** Returns a table that has a row for each key, in the order of the keys. */
export function tableOf<Key extends string, Row>(
  keys: readonly Key[],
  rowOf: (key: Key) => Row,
): Record<Key, Row> {
  return Object.fromEntries(keys.map((key) => [key, rowOf(key)])) as Record<Key, Row>;
}

/** Returns whether a table has a row for a key. */
export function isKeyOf<T extends object>(table: T, key: string): key is keyof T & string {
  return Object.hasOwn(table, key);
}

/** Returns whether a value is one of a list. */
export function isOneOf<T>(values: readonly T[], value: unknown): value is T {
  return values.some((each) => each === value);
}
