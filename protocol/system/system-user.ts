import { execFileSync } from 'node:child_process';
import { Fault } from '../failures.ts';
import { THIS_SYSTEM, type System } from './this-system.ts';

interface SystemUser {
  uid: number;
  gid: number;
}

interface UserCalls {
  system: System;
  /** Returns what a program prints. @throws when it fails */
  run(program: string, words: string[]): string;
}

const CALLS: UserCalls = {
  system: THIS_SYSTEM,
  run: (program, words) =>
    execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
};

/**
 * Returns a user of this system by name, with the main group.
 *
 * - Linux and macOS: from `id`, a command of POSIX; Node has no function for it.
 * - Windows: it has no numbers of users, so files cannot be given to one.
 *
 * @throws Fault `bad_setting` when there is no such user
 */
export function userNamed(name: string, { system, run }: UserCalls = CALLS): SystemUser {
  if (system === 'win32') throw new Fault('bad_setting', 'on Windows files cannot be given to another user');
  const numberOf = (flag: string) => Number(run('id', [flag, '--', name]));
  try {
    return { uid: numberOf('-u'), gid: numberOf('-g') };
  } catch (error) {
    throw new Fault('bad_setting', `this system has no user '${name}'`, { cause: error });
  }
}
