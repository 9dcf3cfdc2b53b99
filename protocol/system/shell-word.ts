import { THIS_SYSTEM, type System } from './this-system.ts';

/** Quotes a word for the shell of the system, where that is needed. */
export function shellWord(word: string, system: System = THIS_SYSTEM): string {
  if (/^[\w./:-]+$/.test(word)) return word;
  if (system === 'win32') return `"${word.replaceAll('"', '\\"')}"`;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
