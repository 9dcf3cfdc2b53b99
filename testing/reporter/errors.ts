import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { TestError } from 'vitest';
import { maskSecretsInText } from '../../server/platform/mask-secrets.ts';
import type { ReportError } from './report-data.ts';

const ERRORS_MAX = 3;
const MESSAGE_CHARACTERS_MAX = 600;
const DIFF_CHARACTERS_MAX = 8_000;
const FRAMES_MAX = 12;
// Lines of source before and after the one that failed.
const LINES_AROUND = 4;

type Frame = NonNullable<TestError['stacks']>[number];

/**
 * Returns the first errors of a test or file, masked: they may quote compared values.
 * @param root of the project, from which files are named
 */
export function showErrors(errors: readonly TestError[], root: string): ReportError[] {
  return errors.slice(0, ERRORS_MAX).map(({ message, diff, stacks = [] }) => {
    const frames = stacks.filter(({ file }) => !file.includes('/node_modules/')).slice(0, FRAMES_MAX);
    return {
      message: shown(message, MESSAGE_CHARACTERS_MAX),
      diff: diff === undefined ? null : shown(diff, DIFF_CHARACTERS_MAX),
      stack: frames.map(({ method, file, line, column }) => {
        return { method, file: relative(root, file), line, column };
      }),
      source: frames[0] ? sourceAround(frames[0]) : null,
    };
  });
}

function sourceAround({ file, line }: Frame): ReportError['source'] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  const firstLine = Math.max(1, line - LINES_AROUND);
  const lines = text.split('\n').slice(firstLine - 1, line + LINES_AROUND);
  return { firstLine, lines: lines.map((each) => maskSecretsInText(each)) };
}

function shown(text: string, charactersMax: number): string {
  const masked = maskSecretsInText(stripVTControlCharacters(text));
  return masked.length > charactersMax ? `${masked.slice(0, charactersMax)}…` : masked;
}
