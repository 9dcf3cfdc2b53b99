declare const held: unique symbol;

/** The JSON text of a column whose value is a `T`. */
export type JsonText<T> = string & { readonly [held]: T };

/** Returns the value of a column. What is in the store was written by `jsonText`, so it is not checked again. */
export function parseJson<T>(text: JsonText<T>): T {
  return JSON.parse(text) as T;
}

/** Returns a value as the text of its column. */
export function jsonText<T>(value: T): JsonText<T> {
  return JSON.stringify(value) as JsonText<T>;
}
