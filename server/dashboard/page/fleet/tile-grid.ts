import { useEffect, useState } from 'preact/hooks';

/** Moves the focus between the links of a grid by arrow keys. The grid is one tab stop. */
export function useArrowKeys(grid: { current: HTMLElement | null }): (event: KeyboardEvent) => void {
  return (event) => {
    const cells = [...(grid.current?.querySelectorAll<HTMLElement>('a') ?? [])];
    const from = cells.findIndex((cell) => cell === event.target);
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

const FRAME_ROWS = 70;

/** Returns how many rows of a long list to draw now: more at each frame, so that none of them takes long. */
export function useGrowingCount(count: number): number {
  const [drawn, setDrawn] = useState(FRAME_ROWS);
  useEffect(() => {
    if (drawn < count) setDrawn(drawn + FRAME_ROWS);
  }, [drawn, count]);
  return Math.min(drawn, count);
}
