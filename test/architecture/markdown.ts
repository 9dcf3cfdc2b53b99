import { createHeadingAnchors } from '../../server/platform/http/guides/guide-html.ts';

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
  const anchorOf = createHeadingAnchors();
  const titles = proseOf(text).flatMap((line) => HEADING.exec(line)?.[1] ?? []);
  return new Set(titles.map(anchorOf));
}
