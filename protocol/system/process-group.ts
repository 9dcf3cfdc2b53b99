import { spawnSync } from 'node:child_process';
import { THIS_SYSTEM, type System } from './this-system.ts';

/**
 * Options of `spawn` for a process that goes on when the one that starts it ends, and that a Control-C does not reach.
 *
 * - Linux and macOS: it leads a group and a session of its own.
 * - Windows: it has a console of its own, which is hidden.
 */
export const OWN_GROUP = { detached: true, windowsHide: true } as const;

interface GroupCalls {
  system: System;
  kill(pid: number, signal: 'SIGKILL'): unknown;
  /** Runs a program to its end. */
  run(program: string, words: string[]): unknown;
}

const CALLS: GroupCalls = {
  system: THIS_SYSTEM,
  kill: (pid, signal) => process.kill(pid, signal),
  run: (program, words) => spawnSync(program, words, { stdio: 'ignore', windowsHide: true }),
};

/**
 * Ends a process that was started with `OWN_GROUP` at once, and the processes that it has started. Does nothing when it has ended.
 *
 * - Linux and macOS: SIGKILL to its group. A process that has left the group goes on.
 * - Windows: `taskkill` with the tree of the process. The child of a child that has ended goes on.
 */
export function killGroup(pid: number, { system, kill, run }: GroupCalls = CALLS): void {
  if (system === 'win32') {
    run('taskkill', ['/pid', String(pid), '/t', '/f']);
    return;
  }
  try {
    kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/**
 * Ends this process as the end of its power would: nothing more runs. By SIGKILL, which Windows does not have: there Node
 * terminates the process, with the same effect.
 */
export function killOwnProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}
