import { useRef, useState } from 'preact/hooks';

/** The part of a long list that is drawn, whose other rows a page would draw too slowly. */
interface RowWindow {
  /** Index of its first row. */
  start: number;
  /** Index after its last row. */
  end: number;
  showEarlier(): void;
  showLater(): void;
}

/**
 * Returns the rows to draw of a long list: the page of the row shown with its neighbours, and further pages on request.
 * @param count of all rows
 * @param shown index of the row that has to be among them
 * @param keepsEarlier whether rows that are drawn stay so while rows are added: they are being read
 */
export function useRowWindow(count: number, shown: number, keepsEarlier: boolean): RowWindow {
  const shownPage = Math.max(0, Math.floor(shown / PAGE_ROWS));
  const pages = useRef<RowPages>(pagesAround(shownPage));
  const [, redraw] = useState({});
  pages.current = moveTo(pages.current, shownPage, keepsEarlier);
  const { first, last } = pages.current;
  const show = (more: Partial<RowPages>) => {
    pages.current = { ...pages.current, ...more };
    redraw({});
  };
  return {
    start: Math.max(0, first * PAGE_ROWS),
    end: Math.min(count, (last + 1) * PAGE_ROWS),
    showEarlier: () => show({ first: first - 1 }),
    showLater: () => show({ last: last + 1 }),
  };
}

const PAGE_ROWS = 150;

/** The pages of rows that are drawn, by their index. */
interface RowPages {
  first: number;
  last: number;
  /** The page of the row shown. */
  shown: number;
}

/** Returns a page with its neighbours. */
export function pagesAround(shown: number): RowPages {
  return { first: shown - 1, last: shown + 1, shown };
}

/**
 * Returns the pages to draw when the row shown is on another page.
 * @param keepsEarlier whether what is drawn stays so when that page is the next one
 */
export function moveTo(pages: RowPages, shown: number, keepsEarlier: boolean): RowPages {
  if (shown === pages.shown) return pages;
  const around = pagesAround(shown);
  if (!keepsEarlier || shown !== pages.shown + 1) return around;
  return { ...around, first: Math.min(pages.first, around.first) };
}
