/** A line that opens or closes a block of code. */
const FENCE = /^ {0,3}(```|~~~)/;
const HEADING = /^#{1,6} +(.*?)(?: +#+)?$/;

/** The lines of a document that are not code. */
function proseOf(text: string): string[] {
  let inCode = false;
  return text.split('\n').filter((line) => {
    const isFence = FENCE.test(line);
    if (isFence) inCode = !inCode;
    return !isFence && !inCode;
  });
}

/** The targets of all links and pictures of a document, written in Markdown or in HTML. */
export function linksOf(text: string): string[] {
  const prose = proseOf(text)
    .join('\n')
    .replaceAll(/`[^`\n]*`/g, '');
  const markdown = prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g);
  const definitions = prose.matchAll(/^ {0,3}\[[^\]]+\]: +(\S+)/gm);
  const html = prose.matchAll(/<(?:a|img)\b[^>]*?\b(?:href|src)="([^"]+)"/g);
  return [...markdown, ...definitions, ...html].map(([, target]) => target!);
}

/** The anchors that GitHub gives to the headings of a document. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const line of proseOf(text)) {
    const title = HEADING.exec(line)?.[1];
    if (title === undefined) continue;
    const anchor = anchorOf(title);
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Lower case, without punctuation, a hyphen for each space. */
function anchorOf(title: string): string {
  return title
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
