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

/** Moves the focus between the links of a grid by arrow keys, so that Tab passes the whole of it in one step. */
export function useGridKeys(grid: { current: HTMLElement | null }): (event: KeyboardEvent) => void {
  return (event) => {
    const cells = [...(grid.current?.querySelectorAll<HTMLElement>('a') ?? [])];
    const from = cells.indexOf(event.target as HTMLElement);
    if (from < 0) return;
    const columns = getComputedStyle(grid.current!).gridTemplateColumns.split(' ').length;
    const to = cellAfter(event.key, from, { count: cells.length, columns });
    if (to === from) return;
    event.preventDefault();
    for (const cell of grid.current!.querySelectorAll('a[tabindex="0"]')) cell.setAttribute('tabindex', '-1');
    cells[to]!.setAttribute('tabindex', '0');
    cells[to]!.focus();
  };
}
