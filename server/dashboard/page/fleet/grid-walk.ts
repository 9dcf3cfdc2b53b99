/** Where an arrow key leads in a grid of `count` cells, `columns` wide, read line by line; the same cell at its edge. */
export function cellAfter(
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
