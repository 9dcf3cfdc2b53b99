import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../protocol/package-root.ts';
import type { PageParts } from './report-file.ts';

let read: PageParts | undefined;

/** Reads the built page, once. @throws Error when it is not built */
export function readPage(): PageParts {
  if (read) return read;
  const folder = join(packageRoot(), 'dist/test/kit/reporter/page');
  const script = join(folder, 'report.js');
  if (!existsSync(script)) throw new Error('the page of the report is not built: run npm run build');
  read = { script: readFileSync(script, 'utf8'), style: readFileSync(join(folder, 'report.css'), 'utf8') };
  return read;
}
