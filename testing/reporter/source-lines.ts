import { readFileSync } from 'node:fs';
import { maskSecretsInText } from '../../server/platform/mask-secrets.ts';

// Before the first line that is asked for and after the last one.
const LINES_AROUND = 4;

/**
 * Returns lines of a source file with those around them, masked and without their ends, which Git writes as CR LF on Windows;
 * undefined for a file that cannot be read.
 * @param lines numbers of lines, from 1
 */
export function sourceLines(
  path: string,
  lines: readonly number[],
): { firstLine: number; lines: string[] } | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  const firstLine = Math.max(1, Math.min(...lines) - LINES_AROUND);
  const shown = text.split(/\r?\n/).slice(firstLine - 1, Math.max(...lines) + LINES_AROUND);
  return { firstLine, lines: shown.map((line) => maskSecretsInText(line)) };
}
