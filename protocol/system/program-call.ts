import { existsSync } from 'node:fs';
import { win32 } from 'node:path';
import { Fault } from '../failures.ts';
import { THIS_SYSTEM, type System } from './this-system.ts';

/** What `spawn` of Node takes to run a program. */
interface ProgramCall {
  file: string;
  words: string[];
  options: { windowsVerbatimArguments?: boolean };
}

interface ProgramParts {
  env: Record<string, string | undefined>;
  system?: System;
  exists?(path: string): boolean;
}

/**
 * Returns how a program is run that the user names as in a shell, such as `npm`.
 *
 * - Linux and macOS: as it is; the system looks for it in PATH.
 * - Windows: `npm` and other commands of packages are batch files, which only `cmd.exe` runs; Node refuses to. It cannot be told a
 *   quotation mark, a percent sign or a line break.
 *
 * @throws Fault `bad_setting` for words that a batch file cannot be given
 */
export function programCall(
  program: string,
  words: string[],
  { env, system = THIS_SYSTEM, exists = existsSync }: ProgramParts,
): ProgramCall {
  const plain = { file: program, words, options: {} };
  if (system !== 'win32') return plain;
  const found = findProgram(program, env, exists);
  if (!found || !/\.(cmd|bat)$/i.test(found)) return plain;
  const line = [found, ...words].map((word) => quoted(word, program)).join(' ');
  return {
    file: valueOf(env, 'ComSpec') ?? 'cmd.exe',
    // With /s, cmd.exe takes away the outer quotation marks alone.
    words: ['/d', '/s', '/c', `"${line}"`],
    options: { windowsVerbatimArguments: true },
  };
}

/** Returns the path of a program as `cmd.exe` finds it; undefined when there is none. */
function findProgram(
  program: string,
  env: ProgramParts['env'],
  exists: (path: string) => boolean,
): string | undefined {
  const endings = win32.extname(program) === '' ? endingsIn(env) : [''];
  const folders = /[\\/]/.test(program) ? [''] : (valueOf(env, 'PATH') ?? '').split(';').filter(Boolean);
  return folders
    .flatMap((folder) => endings.map((ending) => win32.join(folder, program + ending)))
    .find((path) => exists(path));
}

function endingsIn(env: ProgramParts['env']): string[] {
  return (valueOf(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
}

/** Returns a variable; Windows does not tell capitals in their names apart. */
function valueOf(env: ProgramParts['env'], name: string): string | undefined {
  const found = Object.keys(env).find((each) => each.toUpperCase() === name.toUpperCase());
  return found === undefined ? undefined : env[found];
}

function quoted(word: string, program: string): string {
  if (/["%\r\n]/.test(word)) {
    throw new Fault('bad_setting', `${program} is a batch file and cannot be given '${word}'`);
  }
  // A backslash before a quotation mark would make it part of the word.
  return `"${word.replace(/\\+$/, '$&$&')}"`;
}
