/**
 * Returns the index of the cell that an arrow key, Home or End moves to, in a grid of `count` cells in rows of
 * `columns`; the same index at an edge and for any other key.
 */
export function nextCell(
  key: string,
  from: number,
  { count, columns }: { count: number; columns: number },
): number {
  const within = (to: number) => (to >= 0 && to < count ? to : from);
  switch (key) {
    case 'ArrowRight':
      return within(from + 1);
    case 'ArrowLeft':
      return within(from - 1);
    case 'ArrowDown':
      return within(from + columns);
    case 'ArrowUp':
      return within(from - columns);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return from;
  }
}
