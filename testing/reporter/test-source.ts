import { readFileSync } from 'node:fs';
import { maskSecretsInText } from '../../server/platform/mask-secrets.ts';
import type { TestCall } from '../recording/test-calls.ts';
import type { TestSource } from './report-data.ts';

// Lines before the first call and after the last one.
const LINES_AROUND = 4;

/**
 * Returns the lines of a test file from its first call to a world to its last one, masked; undefined without calls, and for
 * a file that cannot be read.
 * @param name of the file in the report
 */
export function sourceOfCalls(
  path: string,
  name: string,
  calls: readonly TestCall[],
): TestSource | undefined {
  if (calls.length === 0) return undefined;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  const called = calls.map(({ line }) => line);
  const firstLine = Math.max(1, Math.min(...called) - LINES_AROUND);
  const lines = text.split('\n').slice(firstLine - 1, Math.max(...called) + LINES_AROUND);
  return { file: name, firstLine, lines: lines.map((line) => maskSecretsInText(line)), calls: [...calls] };
}
