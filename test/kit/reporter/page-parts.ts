import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PageParts } from './report-file.ts';

/** Folders of the built page: beside the compiled reporter, or in `dist` when run from source. */
const FOLDERS = ['./page', '../../../dist/test/kit/reporter/page'];

let read: PageParts | undefined;

/** Reads the built page, once. @throws Error when it is not built */
export function readPage(): PageParts {
  if (read) return read;
  const folders = FOLDERS.map((folder) => fileURLToPath(new URL(`${folder}/`, import.meta.url)));
  const folder = folders.find((one) => existsSync(`${one}report.js`));
  if (folder === undefined) throw new Error('the page of the report is not built: run npm run build');
  read = {
    script: readFileSync(`${folder}report.js`, 'utf8'),
    style: readFileSync(`${folder}report.css`, 'utf8'),
  };
  return read;
}
