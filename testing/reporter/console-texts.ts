import { stripVTControlCharacters } from 'node:util';
import type { UserConsoleLog } from 'vitest';
import { maskSecretsInText } from '../../server/platform/mask-secrets.ts';
import type { ConsoleText } from './report-data.ts';

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
