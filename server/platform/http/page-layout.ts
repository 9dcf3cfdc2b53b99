import { createHash } from 'node:crypto';
import { STYLE } from './page-style.ts';

/** All that pages ever run. None has data in it, so the browser can be told by their digests to run no other. */
const SCRIPTS = {
  submitForm: 'document.forms[0].submit()',
  followLink: "location.href = document.querySelector('main a').href",
  tellParent: "parent.postMessage(JSON.parse(document.querySelector('[data-message]').dataset.message), '*')",
};

const digestOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What a browser may do with a page: nothing of anybody else's, and no script or style but ours. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${digestOf(STYLE)}`,
  `script-src ${Object.values(SCRIPTS).map(digestOf).join(' ')}`,
  'img-src data:',
  "base-uri 'none'",
  // A form may lead on to any shop, which browsers take for a part of its action.
  'form-action http: https:',
].join('; ');

export interface PageParts {
  title: string;
  /** Who is speaking. */
  from: string;
  /** What it is about, beside that. */
  about?: string;
  wide?: boolean;
  /** HTML above the title. */
  lead?: string;
  /** HTML below it. Everything else is text. */
  body: string;
}

/** A whole page. */
export function pageHtml({ title, from, about = '', wide = false, lead = '', body }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${escapeHtml(from)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main${wide ? ' class="wide"' : ''}>
<header><strong>${escapeHtml(from)}</strong><span>${escapeHtml(about)}</span></header>
${lead}<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

export function scriptHtml(name: keyof typeof SCRIPTS): string {
  return `<script>${SCRIPTS[name]}</script>`;
}

/** Fields of a form that nobody sees. */
export function hiddenFields(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('\n');
}

/** Names and what they are. */
export function factsHtml(facts: readonly (readonly [name: string, value: string])[]): string {
  const rows = facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<dl>\n${rows.join('\n')}\n</dl>`;
}

/** Text as it may stand in HTML, also inside a quoted attribute. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
