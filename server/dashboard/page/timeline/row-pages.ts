export const PAGE_ROWS = 150;

/** The pages of rows that are drawn, by their index. */
export interface RowPages {
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
