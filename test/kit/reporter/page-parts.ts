import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PageParts } from './report-file.ts';

/** Where the page is built to, beside the compiled reporter; the sources find that of the last build. */
const PLACES = ['./page', '../../../dist/test/kit/reporter/page'];

let read: PageParts | undefined;

/** @throws Error when the page was never built. */
export function readPage(): PageParts {
  if (read) return read;
  const places = PLACES.map((place) => fileURLToPath(new URL(`${place}/`, import.meta.url)));
  const place = places.find((folder) => existsSync(`${folder}report.js`));
  if (place === undefined) throw new Error('the page of the report is not built: run npm run build');
  read = {
    script: readFileSync(`${place}report.js`, 'utf8'),
    style: readFileSync(`${place}report.css`, 'utf8'),
  };
  return read;
}
