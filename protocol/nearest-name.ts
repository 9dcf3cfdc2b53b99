/**
 * Returns the name that a misspelt one is nearest to, by the number of characters to insert, delete or replace, whatever
 * their case; undefined when none has at least a third of its characters in common with it.
 */
export function nearestName(typed: string, names: Iterable<string>): string | undefined {
  // Longer than any name of ours; a text from outside may have any length.
  const wanted = typed.slice(0, LETTERS_MAX).toLowerCase();
  let nearest: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = distanceOf(wanted, name.toLowerCase());
    if (distance > (2 / 3) * Math.max(wanted.length, name.length)) continue;
    if (!nearest || distance < nearest.distance) nearest = { name, distance };
  }
  return nearest?.name;
}

const LETTERS_MAX = 200;

/** Levenshtein distance, one row of the table at a time. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = row[column - 1]! + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
