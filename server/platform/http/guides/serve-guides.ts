import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { packageRoot } from '../../../../protocol/package-root.ts';
import { pageHtml } from '../pages/page-layout.ts';
import { safeHtml } from '../pages/safe-html.ts';

/** How a document looks: light or dark as the browser asks, with nothing from outside. */
const GUIDE_STYLE = `
:root { color-scheme: light dark; font: 15px/1.6 -apple-system, BlinkMacSystemFont, "Segoe UI", Inter, Roboto, sans-serif;
  --canvas: light-dark(#f5f5f2, #101113); --surface: light-dark(#fff, #17181b); --line: light-dark(#deded8, #292b30);
  --ink: light-dark(#17181a, #ededea); --quiet: light-dark(#494c52, #b6b9c0); --live: light-dark(#1c50d4, #84a9ff);
  background: var(--canvas); color: var(--ink) }
* { box-sizing: border-box }
body { margin: 0 }
header { position: sticky; top: 0; display: flex; gap: 1.25rem; padding: .7rem max(1rem, calc(50vw - 24rem)); background: var(--surface);
  border-bottom: 1px solid var(--line); font-size: .875rem }
header a { color: var(--quiet) }
main { max-width: 50rem; margin: 0 auto; padding: 1.25rem 1rem 4rem; overflow-wrap: break-word }
h1, h2, h3 { line-height: 1.25; letter-spacing: -.01em; scroll-margin-top: 3.5rem }
h1 { font-size: 1.75rem; margin: .5rem 0 1rem }
h2 { font-size: 1.25rem; margin: 2.25rem 0 .75rem }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .5rem }
p, ul, ol { margin: 0 0 1rem }
li { margin-bottom: .25rem }
a { color: var(--live); text-underline-offset: .15em }
img { max-width: 100%; height: auto; background: #fff; border-radius: 6px }
code, pre { font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace }
code { padding: .1em .35em; border-radius: 4px; background: light-dark(#ecece7, #0b0c0d) }
pre { padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); overflow-x: auto }
code:target { background: light-dark(#f9edd6, #2e230f) }
pre code { padding: 0; background: none; font-size: 1em }
.table { overflow-x: auto; margin: 0 0 1.25rem }
table { border-collapse: collapse; font-size: .9rem }
th, td { padding: .4rem .75rem; border: 1px solid var(--line); text-align: left; vertical-align: top }
th { background: var(--surface) }
:focus-visible { outline: 2px solid var(--live); outline-offset: 2px }
`;

/** Documents of the package and what they show; no dot begins a part of the path. */
const DOCUMENT = /^(?:[A-Z]+\.md|docs(?:\/[\w-][\w.-]*)+\.(?:md|json|png|svg))$/;

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/html; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

// Fills the examples in with the address and the keys of this server.
const SCRIPT = join(packageRoot(), 'dist/server/dashboard/page/guide.js');
const NOT_BUILT = '// npm run build makes this script';

/** Serves the documents of this package at /guides, each under its path in the package. */
export function serveGuides(http: FastifyInstance): void {
  http.get('/guides', (_request, reply) => reply.redirect('guides/README.md', 303));
  http.get('/guides/style.css', (_request, reply) =>
    reply.headers({ ...HEADERS, 'content-type': TYPES['.css']! }).send(GUIDE_STYLE),
  );
  http.get('/guides/script.js', async (_request, reply) => {
    const script = await readFile(SCRIPT).catch(() => NOT_BUILT);
    return reply.headers({ ...HEADERS, 'content-type': TYPES['.js']! }).send(script);
  });
  http.get<{ Params: { '*': string } }>('/guides/*', async (request, reply) => {
    const path = request.params['*'];
    const content = await readDocument(path);
    if (content === undefined) {
      return reply
        .code(404)
        .headers({ ...HEADERS, 'content-type': TYPES['.md']! })
        .send(MISSING);
    }
    reply.headers({ ...HEADERS, 'content-type': TYPES[extname(path)]! });
    if (extname(path) !== '.md') return reply.send(content);
    const { guideHtml } = await import('./guide-html.ts');
    return reply.send(guideHtml(content.toString(), '../'.repeat(path.split('/').length)));
  });
}

async function readDocument(path: string): Promise<Buffer | undefined> {
  if (!DOCUMENT.test(path)) return undefined;
  return readFile(join(packageRoot(), path)).catch(() => undefined);
}

const MISSING = pageHtml({
  title: 'There is no such document',
  from: 'Tapbench',
  body: safeHtml`<p>The address is wrong, or this installation has no documents: the image of a server leaves them out.</p>`,
});
