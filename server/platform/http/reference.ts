import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';

const { resolve } = createRequire(import.meta.url);

const TITLE = 'Tapbench API reference';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${TITLE}</title>
    <link rel="icon" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The page needs JavaScript; the document itself is at <a href="openapi.json">openapi.json</a>.</noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

// The validator of the package's authors is a call to the outside, so it is off.
const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
});
`;

const TYPES = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
};

// Nothing is loaded from, sent to or framed by anybody else.
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** What the page is made of, from the package as it is installed. Read at the first request. */
const FILES = ['favicon-32x32.png', 'swagger-ui.css', 'swagger-ui-bundle.js'];

/** Serves the OpenAPI document as pages to browse and try, at /docs, with nothing from outside. */
export function serveReference(http: FastifyInstance): void {
  serve(http, '/docs', 'html', async () => PAGE);
  serve(http, '/docs/start.js', 'js', async () => START);
  for (const file of FILES) {
    const type = file.split('.').at(-1) as keyof typeof TYPES;
    let content: Promise<Buffer> | undefined;
    serve(http, `/docs/${file}`, type, () => (content ??= readFile(resolve(`swagger-ui-dist/${file}`))));
  }
}

function serve(
  http: FastifyInstance,
  url: string,
  type: keyof typeof TYPES,
  content: () => Promise<string | Buffer>,
): void {
  http.get(url, async (_request, reply) =>
    reply
      .headers({ ...HEADERS, 'content-type': TYPES[type], 'cache-control': 'no-cache' })
      .send(await content()),
  );
}
