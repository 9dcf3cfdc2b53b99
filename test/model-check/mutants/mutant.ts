import type { Place } from '../places.ts';

/** A change to the rules that a check should notice. */
export interface Mutant {
  /** What is changed, and how. */
  id: string;
  place: Place;
  /** Makes the change and returns the function that undoes it. */
  apply(): () => void;
}

/** Returns one of the values, always the same for the same text and seed. */
export function pick<T>(values: readonly T[], text: string, seed: number): T | undefined {
  return values[hashOf(text, seed) % values.length];
}

/** Replaces a property and returns the function that restores it. */
export function replace<T extends object, K extends keyof T>(
  target: T,
  property: K,
  value: T[K],
): () => void {
  const before = target[property];
  target[property] = value;
  return () => void (target[property] = before);
}

/** Returns mutants in an order that only the seed decides. */
export function inSeededOrder(mutants: readonly Mutant[], seed: number): Mutant[] {
  const numbers = new Map(mutants.map(({ id }) => [id, hashOf(id, seed)]));
  return mutants.toSorted((a, b) => numbers.get(a.id)! - numbers.get(b.id)!);
}

/** FNV-1a, with its bits mixed. */
function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
