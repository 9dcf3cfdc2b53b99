import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { TestCase } from 'vitest/node';
import type { TestError, UserConsoleLog } from 'vitest';
import { maskSecretsInText } from '../../server/platform/mask-secrets.ts';
import type { LoggedHunt } from '../run-log/run-log-format.ts';
import type { ReportTest, ReportError, ConsoleText } from './report-data.ts';
import { sourceLines } from './source-lines.ts';

/** Returns a test as the report shows it. Its name is masked: titles of `test.each` may contain test data. */
export function showTest(test: TestCase, root: string): ReportTest {
  const { state, errors = [] } = test.result();
  return {
    id: test.id,
    name: maskSecretsInText(test.fullName),
    state: state === 'pending' ? 'running' : state,
    durationMs: Math.round(test.diagnostic()?.duration ?? 0),
    errors: showErrors(errors, root),
    console: [],
    steps: 0,
    hunts: [],
    traces: [],
  };
}

/** Returns the test that stands for entries outside tests, such as those of `beforeAll`. */
export function testOfFile(id: string): ReportTest {
  const nothing = { errors: [], console: [], steps: 0, hunts: [], traces: [] };
  return { id, name: '', state: 'passed', durationMs: 0, ...nothing };
}

/** Returns a hunt as the report shows it, masked: verdicts are sentences of the tests. */
export function showHunt({ verdict, story, warnings, ...hunt }: LoggedHunt): LoggedHunt {
  return {
    ...hunt,
    verdict: verdict === null ? null : shown(verdict, MESSAGE_CHARACTERS_MAX),
    story: story.map((line) => shown(line, MESSAGE_CHARACTERS_MAX)),
    warnings: warnings.map((warning) => shown(warning, MESSAGE_CHARACTERS_MAX)),
  };
}

const ERRORS_MAX = 3;
const MESSAGE_CHARACTERS_MAX = 600;
const DIFF_CHARACTERS_MAX = 8_000;
const FRAMES_MAX = 12;

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
      source: (frames[0] && sourceLines(frames[0].file, [frames[0].line])) ?? null,
    };
  });
}

function shown(text: string, charactersMax: number): string {
  const masked = maskSecretsInText(stripVTControlCharacters(text));
  return masked.length > charactersMax ? `${masked.slice(0, charactersMax)}…` : masked;
}

const CHARACTERS_MAX = 20_000;

/** What the tests of a run write to the console, until their result is known. */
interface ConsoleTexts {
  add(log: UserConsoleLog): void;
  /** Removes what a test wrote and returns it, masked. */
  release(testId: string): ConsoleText[];
}

export function createConsoleTexts(): ConsoleTexts {
  const texts = new Map<string, { written: ConsoleText[]; characters: number }>();
  return {
    add({ taskId, type, content }) {
      if (taskId === undefined) return;
      const known = texts.get(taskId) ?? { written: [], characters: 0 };
      texts.set(taskId, known);
      if (known.characters >= CHARACTERS_MAX) return;
      const text = maskSecretsInText(stripVTControlCharacters(content)).slice(0, CHARACTERS_MAX);
      known.characters += text.length;
      known.written.push({ stream: type, text });
    },
    release(testId) {
      const { written = [] } = texts.get(testId) ?? {};
      texts.delete(testId);
      return written;
    },
  };
}
