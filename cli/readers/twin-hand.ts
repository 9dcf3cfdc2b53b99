import { resolve } from 'node:path';
import { messageOf } from '../../protocol/failures.ts';
import { isKeyOf } from '../../protocol/tables.ts';
import type { Twin } from '../../simulator/twins/twin.ts';
import type { Sink } from '../command-line/command-context.ts';
import { printLine } from '../command-line/output.ts';
import { acquireLock } from '../data-folder/data-folder.ts';

/** Locks the link's name for this twin, also while the cable is unplugged and the link does not exist. */
export function holdLink(link: string): Promise<() => void> {
  return acquireLock(
    `${resolve(link)}.lock`,
    `another twin is running at ${link}: stop it, or choose another name with --link`,
  );
}

/** Runs what a person typed, and prints why it cannot. Returns false when the device has no such control. */
export function runControl(
  controls: Twin['controls'],
  { word, argument, out }: { word: string; argument: string | undefined; out: Sink },
): boolean {
  if (!isKeyOf(controls, word)) return false;
  try {
    const answer = controls[word]?.run(argument);
    if (answer !== undefined) for (const text of answer.split('\n')) printLine(out, text);
  } catch (error) {
    printLine(out, messageOf(error));
  }
  return true;
}

/** Returns the controls with their arguments, as `help` prints them. */
export function controlNames(controls: Twin['controls']): string[] {
  return Object.entries(controls).map(([name, { argument }]) => [name, argument].filter(Boolean).join(' '));
}
