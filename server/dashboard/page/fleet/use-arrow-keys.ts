import { nextCell } from './grid-navigation.ts';

/** Moves the focus between the links of a grid by arrow keys. The grid is one tab stop. */
export function useArrowKeys(grid: { current: HTMLElement | null }): (event: KeyboardEvent) => void {
  return (event) => {
    const cells = [...(grid.current?.querySelectorAll<HTMLElement>('a') ?? [])];
    const from = cells.indexOf(event.target as HTMLElement);
    if (from < 0) return;
    const columns = getComputedStyle(grid.current!).gridTemplateColumns.split(' ').length;
    const to = nextCell(event.key, from, { count: cells.length, columns });
    if (to === from) return;
    event.preventDefault();
    for (const cell of grid.current!.querySelectorAll('a[tabindex="0"]')) cell.setAttribute('tabindex', '-1');
    cells[to]!.setAttribute('tabindex', '0');
    cells[to]!.focus();
  };
}
