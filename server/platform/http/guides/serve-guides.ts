import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { packageRoot } from '../../../../protocol/package-root.ts';
import { pageHtml } from '../pages/page-layout.ts';
import { safeHtml } from '../pages/safe-html.ts';
import { GUIDE_STYLE } from './guide-style.ts';

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
