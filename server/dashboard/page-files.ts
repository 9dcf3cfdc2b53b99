import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../protocol/package-root.ts';
import { plainRoute, type PlainResponse, type PlainRoute } from '../platform/http/plain-route.ts';
import { Refusal } from '../platform/http/refusals.ts';

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

// Nothing is loaded from, sent to or framed by another origin, and no inline script runs.
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const PAGE_FOLDER = join(packageRoot(), 'dist/server/dashboard/page');

interface Page {
  html: string;
  assets: Map<string, Buffer>;
}

/** Routes of the dashboard's page at `/` and its assets. Files are read at the first request, then cached. */
export function pageRoutes(folder = PAGE_FOLDER): PlainRoute[] {
  let page: Promise<Page | undefined> | undefined;
  const read = () => {
    page ??= readPage(folder);
    // A page that was not built yet is read again at the next request.
    void page.then((found) => (page = found && page));
    return page;
  };
  return [
    {
      method: 'GET',
      path: '/',
      async handle() {
        const found = await read();
        return file('html', found?.html ?? NOT_BUILT, 'no-cache');
      },
    },
    plainRoute({
      method: 'GET',
      path: '/dashboard/assets/{name}',
      async handle({ params: { name } }) {
        const content = (await read())?.assets.get(name);
        const type = name.split('.').at(-1)!;
        if (!content || !TYPES[type]) throw new Refusal('unknown_path', { path: '/dashboard/assets' });
        // The name changes with the content.
        return file(type, content, 'public, max-age=31536000, immutable');
      },
    }),
  ];
}

function file(type: string, body: string | Buffer, cacheControl: string): PlainResponse {
  return { headers: { ...HEADERS, 'content-type': TYPES[type]!, 'cache-control': cacheControl }, body };
}

async function readPage(folder: string): Promise<Page | undefined> {
  try {
    const html = await readFile(join(folder, 'index.html'), 'utf8');
    const names = await readdir(join(folder, 'assets'));
    const contents = await Promise.all(names.map((name) => readFile(join(folder, 'assets', name))));
    return {
      // The page refers to its assets by relative path; they are served under a path of their own.
      html: html.replaceAll('"./assets/', '"dashboard/assets/'),
      assets: new Map(names.map((name, index) => [name, contents[index]!])),
    };
  } catch {
    return undefined;
  }
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tapbench</title>
  </head>
  <body>
    <h1>Tapbench</h1>
    <p>The server runs. Its dashboard has not been built: <code>npm run build</code> builds it, and then this page is there.</p>
    <p>The API is described at <a href="docs">docs</a>.</p>
  </body>
</html>
`;
