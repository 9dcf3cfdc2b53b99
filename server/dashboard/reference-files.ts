import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { PlainRoute } from '../platform/http/pages/plain-route.ts';
import { pageFile } from './page-files.ts';

const { resolve } = createRequire(import.meta.url);

/** Routes of what the API reference shows operations with: files of swagger-ui-dist, read at their first request. */
export const REFERENCE_FILE_ROUTES: readonly PlainRoute[] = [
  packageFile('swagger-ui-bundle.js', (content) => content),
  // Styles in a layer yield to those of the page, whatever their selectors.
  packageFile('swagger-ui.css', (content) => Buffer.from(`@layer swagger {\n${content.toString()}\n}\n`)),
];

function packageFile(name: string, change: (content: Buffer) => Buffer): PlainRoute {
  let content: Promise<Buffer> | undefined;
  return {
    method: 'GET',
    path: `/docs/${name}`,
    async handle() {
      content ??= readFile(resolve(`swagger-ui-dist/${name}`)).then(change);
      return pageFile(name, await content, 'no-cache');
    },
  };
}
