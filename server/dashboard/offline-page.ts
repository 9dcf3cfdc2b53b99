import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packageRoot } from '../../protocol/package-root.ts';
import { safeHtml } from '../platform/http/pages/safe-html.ts';

/** The script and the style of a built page. */
export interface PageParts {
  script: string;
  style: string;
}

const read = new Map<string, PageParts>();

/**
 * Reads the script and the style of a built page, once.
 * @param folder in dist/, such as `server/dashboard/trace-page`
 * @throws Error when it is not built
 */
export function readPageParts(folder: string): PageParts {
  const known = read.get(folder);
  if (known) return known;
  const path = join(packageRoot(), 'dist', folder);
  if (!existsSync(join(path, 'page.js'))) throw new Error('the page is not built: run npm run build');
  const parts = {
    script: readFileSync(join(path, 'page.js'), 'utf8'),
    style: readFileSync(join(path, 'page.css'), 'utf8'),
  };
  read.set(folder, parts);
  return parts;
}

/** Returns a block of data for a page, which reads it by its id. */
export function dataBlock(id: string, packed: Buffer): string {
  return `<script type="application/gzip" id="${id}">${packed.toString('base64')}</script>`;
}

/** Returns the compressed JSON of a block. */
export function packJson(value: unknown): Buffer {
  return gzipSync(JSON.stringify(value), { level: 9 });
}

interface OfflinePage {
  title: string;
  /** Blocks of `dataBlock`. */
  blocks: readonly string[];
  /** Whether it is fed by the server that it came from, instead of by blocks. */
  isLive?: boolean;
}

/** Renders a page as one HTML file. Its content security policy forbids all requests, but to the server of a live page. */
export function renderOfflinePage(
  { script, style }: PageParts,
  { title, blocks, isLive }: OfflinePage,
): string {
  // An end tag ends a script even inside a string.
  const code = script.replaceAll('</script', '<\\/script');
  const sha = createHash('sha256').update(code).digest('base64');
  const policy = [
    `default-src 'none'`,
    `script-src 'sha256-${sha}'`,
    `style-src 'unsafe-inline'`,
    `img-src data:`,
    `connect-src ${isLive ? `'self'` : `'none'`}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!doctype html>
<html lang="en"${isLive ? ' data-live' : ''}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${safeHtml`<title>${title}</title>`.text}
<link rel="icon" href="data:,">
<style>${style.replaceAll('</style', '<\\/style')}</style>
</head>
<body>
<div id="page"></div>
${blocks.join('\n')}
<script>${code}</script>
</body>
</html>
`;
}
