import { execFileSync } from 'node:child_process';
import { Fault } from '../../protocol/failures.ts';

export interface SystemUser {
  uid: number;
  gid: number;
}

/**
 * Returns a user of this system by name, with the main group. Node has no function for it, `id` is a command of POSIX.
 * @throws Fault `bad_setting` when there is no such user
 */
export function userNamed(name: string): SystemUser {
  const numberOf = (flag: string) =>
    Number(execFileSync('id', [flag, '--', name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: numberOf('-u'), gid: numberOf('-g') };
  } catch (error) {
    throw new Fault('bad_setting', `this system has no user '${name}'`, { cause: error });
  }
}
