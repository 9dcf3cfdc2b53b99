import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../protocol/package-root.ts';
import { plainRoute, type PlainResponse, type PlainRoute } from '../platform/http/pages/plain-route.ts';
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

/** The pages by their paths: files that the build writes. */
const PAGES: Record<string, string> = {
  '/': 'index.html',
  '/docs': 'reference.html',
  '/recordings': 'recordings.html',
};

interface BuiltPages {
  /** HTML by the name of the file. */
  html: Map<string, string>;
  assets: Map<string, Buffer>;
}

/** Routes of the dashboard's page at `/`, the API reference at `/docs`, the viewer of recordings, and their assets. Files are read at the first request, then cached. */
export function pageRoutes(folder = PAGE_FOLDER): PlainRoute[] {
  let pages: Promise<BuiltPages | undefined> | undefined;
  const read = () => {
    pages ??= readPages(folder);
    // Pages that were not built yet are read again at the next request.
    void pages.then((found) => (pages = found && pages));
    return pages;
  };
  return [
    ...Object.entries(PAGES).map(([path, name]): PlainRoute => ({
      method: 'GET',
      path,
      async handle() {
        const found = await read();
        return pageFile(name, found?.html.get(name) ?? NOT_BUILT, 'no-cache');
      },
    })),
    plainRoute({
      method: 'GET',
      path: '/dashboard/assets/{name}',
      async handle({ params: { name } }) {
        const content = (await read())?.assets.get(name);
        if (!content || !typeOf(name)) throw new Refusal('unknown_path', { path: '/dashboard/assets' });
        // The name changes with the content.
        return pageFile(name, content, 'public, max-age=31536000, immutable');
      },
    }),
  ];
}

function typeOf(name: string): string | undefined {
  return TYPES[name.split('.').at(-1)!];
}

/** Returns the response with a file that a page is made of. Its policy lets the page load files of this origin only. */
export function pageFile(name: string, body: string | Buffer, cacheControl: string): PlainResponse {
  return { headers: { ...HEADERS, 'content-type': typeOf(name)!, 'cache-control': cacheControl }, body };
}

async function readPages(folder: string): Promise<BuiltPages | undefined> {
  try {
    const names = await readdir(join(folder, 'assets'));
    const contents = await Promise.all(names.map((name) => readFile(join(folder, 'assets', name))));
    const html = Object.values(PAGES).map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      // The page refers to its assets by relative path; they are served under a path of their own.
      return [name, text.replaceAll('"./assets/', '"dashboard/assets/')] as const;
    });
    return {
      html: new Map(await Promise.all(html)),
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
    <p>The server runs. Its pages have not been built: <code>npm run build</code> builds them, and then this page is there.</p>
    <p>The API is described in <a href="openapi.json">openapi.json</a>.</p>
  </body>
</html>
`;
