/** Returns a function that gives each heading of one document the anchor that GitHub gives it. */
export function createHeadingAnchors(): (title: string) => string {
  const given = new Set<string>();
  return (title) => {
    const anchor = anchorOf(title);
    let unique = anchor;
    for (let count = 1; given.has(unique); count++) unique = `${anchor}-${count}`;
    given.add(unique);
    return unique;
  };
}

/** Lower case, without punctuation, a hyphen for each space. */
function anchorOf(title: string): string {
  return title
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
