import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../protocol/failures.ts';
import { resultReader, writeResult } from '../command-line/result-folder.ts';
import { comparisonPage } from './comparison-page.ts';
import { judgeComparison, StoredComparison, type JudgedComparison } from './result.ts';

const NAME = 'comparison';

/** Reads what a comparison has stored. */
export const readComparison = resultReader(StoredComparison);

/** Returns the path of the page in a folder. */
export const pageIn = (folder: string): string => join(folder, `${NAME}.html`);

/** Writes a comparison and its page into a folder, and returns what it says. @throws Fault `bad_setting` when it cannot */
export function writeComparison(folder: string, stored: StoredComparison): JudgedComparison {
  const judged = judgeComparison(stored);
  writeResult(folder, { name: NAME, value: judged, page: comparisonPage(judged) });
  return judged;
}

/**
 * Returns the comparison that a run which was broken off has left.
 * @throws Fault `bad_setting` when there is none, or it is with another server or of another version
 */
export function readUnfinished(
  folder: string,
  now: Pick<StoredComparison, 'to' | 'version'>,
): StoredComparison {
  const path = join(folder, `${NAME}.json`);
  if (!existsSync(path)) throw new Fault('bad_setting', `--resume: there is no ${path}`);
  const stored = readComparison(path, '--resume');
  const other = (['to', 'version'] as const).find((name) => stored[name] !== now[name]);
  if (other === undefined) return stored;
  const what = other === 'to' ? 'server' : 'version of Tapbench';
  throw new Fault('bad_setting', `--resume: ${path} is of another ${what}: run it without --resume`);
}
