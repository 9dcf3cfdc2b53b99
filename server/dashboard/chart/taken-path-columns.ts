/**
 * Splits rows into columns in their order so that the highest column is as low as possible.
 * @param heights of the rows, pixels
 * @returns the indexes of the rows of each column; at most `count` columns
 */
export function splitIntoColumns(heights: readonly number[], count: number): number[][] {
  const limits = heights
    .flatMap((_, from) =>
      heights.slice(from).map((__, length) => sum(heights.slice(from, from + length + 1))),
    )
    .toSorted((one, other) => one - other);
  for (const limit of limits) {
    const columns = fill(heights, limit);
    if (columns && columns.length <= count) return columns;
  }
  return heights.length === 0 ? [] : [heights.map((_, at) => at)];
}

/** Fills columns up to a height; undefined when a single row is higher. */
function fill(heights: readonly number[], limit: number): number[][] | undefined {
  const columns: number[][] = [];
  let used = Infinity;
  for (const [at, height] of heights.entries()) {
    if (height > limit) return undefined;
    if (used + height > limit) {
      columns.push([]);
      used = 0;
    }
    columns.at(-1)!.push(at);
    used += height;
  }
  return columns;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
