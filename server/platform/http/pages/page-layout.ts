import { createHash } from 'node:crypto';
import { STYLE } from './page-style.ts';
import { safeHtml, trustedHtml, type SafeHtml } from './safe-html.ts';

/** Every script of the pages. None contains data, so the policy allows exactly these by their digests. */
const SCRIPTS = {
  submitForm: 'document.forms[0].submit()',
  followLink: "location.href = document.querySelector('main a').href",
  tellParent: "parent.postMessage(JSON.parse(document.querySelector('[data-message]').dataset.message), '*')",
};

const digestOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Content-Security-Policy of every page: nothing from other origins, and no script or style but these. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${digestOf(STYLE)}`,
  `script-src ${Object.values(SCRIPTS).map(digestOf).join(' ')}`,
  'img-src data:',
  "base-uri 'none'",
  // A form may lead on to any shop, which browsers take for a part of its action.
  'form-action http: https:',
].join('; ');

interface PageParts {
  title: string;
  /** Whose page it is, such as the card issuer's. */
  from: string;
  /** Subject, shown beside `from`. */
  about?: string;
  wide?: boolean;
  /** Above the title. */
  lead?: SafeHtml;
  body: SafeHtml;
}

/** Returns a whole page. */
export function pageHtml({ title, from, about = '', wide = false, lead, body }: PageParts): string {
  return safeHtml`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${from}</title>
<link rel="icon" href="data:,">
<style>${trustedHtml(STYLE)}</style>
</head>
<body>
<main${wide && safeHtml` class="wide"`}>
<header><strong>${from}</strong><span>${about}</span></header>
${lead}<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text;
}

export function scriptHtml(name: keyof typeof SCRIPTS): SafeHtml {
  return safeHtml`<script>${trustedHtml(SCRIPTS[name])}</script>`;
}

/** Returns hidden inputs, one for each field of a form. */
export function hiddenFields(fields: Record<string, string>): SafeHtml {
  const inputs = Object.entries(fields).map(
    ([name, value]) => safeHtml`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  return safeHtml`${inputs}`;
}

/** Returns a list of names, each with its value. */
export function factsHtml(facts: readonly (readonly [name: string, value: string])[]): SafeHtml {
  const rows = facts.map(([name, value]) => safeHtml`<dt>${name}</dt><dd>${value}</dd>\n`);
  return safeHtml`<dl>\n${rows}</dl>`;
}
