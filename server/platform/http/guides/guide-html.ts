import { Marked } from 'marked';
import { safeHtml, trustedHtml } from '../pages/safe-html.ts';

/**
 * Returns a document of this package as a page.
 * @param markdown is trusted: HTML in it is not escaped.
 * @param home is the path of the dashboard's page, relative to the document
 */
export function guideHtml(markdown: string, home: string): string {
  const nextAnchor = createHeadingAnchors();
  const ruleId = createRuleAnchors();
  let tables = 0;
  const marked = new Marked({
    async: false,
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const id = nextAnchor(text.replaceAll('`', ''));
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      codespan({ text }) {
        const id = ruleId(text);
        return safeHtml`<code${id !== undefined && safeHtml` id="${id}"`}>${text}</code>`.text;
      },
      code({ text }) {
        return safeHtml`<pre tabindex="0"><code>${text}</code></pre>\n`.text;
      },
    },
  });
  const content = (marked.parse(markdown) as string)
    .replaceAll(
      '<table>',
      () => `<div class="table" tabindex="0" role="region" aria-label="Table ${(tables += 1)}"><table>`,
    )
    .replaceAll('</table>', '</table></div>');
  const title = /^# +(.+)$/m.exec(markdown)?.[1] ?? 'Document';
  return safeHtml`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Tapbench</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${home}guides/style.css">
<script type="module" src="${home}guides/script.js"></script>
</head>
<body>
<header><a href="${home}">Dashboard</a> <a href="${home}guides/README.md">Documents</a> <a href="${home}docs">API reference</a></header>
<main>
${trustedHtml(content)}
</main>
</body>
</html>
`.text;
}

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

/** Returns a function that gives the first mention of each rule of the protocol in a document its id as the anchor. */
function createRuleAnchors(): (code: string) => string | undefined {
  const given = new Set<string>();
  return (code) => {
    if (!/^protocol(?:\.[a-z-]+){2}$/.test(code) || given.has(code)) return undefined;
    given.add(code);
    return code;
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
