/**
 * Returns a list with its newest page read again: what is older than the page stays as it is. Undefined where the page
 * does not lead to it, such as after a reset or many new items.
 */
export function mergeNewest<Item extends { id: string }>(
  known: readonly Item[],
  page: readonly Item[],
): readonly Item[] | undefined {
  const last = page.at(-1);
  const at = last ? known.findIndex(({ id }) => id === last.id) : -1;
  return at < 0 ? undefined : [...page, ...known.slice(at + 1)];
}
