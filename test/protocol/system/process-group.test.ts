import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { killGroup, OWN_GROUP } from '../../../protocol/system/process-group.ts';

/** Calls that note themselves. @param trouble what `kill` throws */
function notedCalls(trouble?: Error) {
  const made: unknown[] = [];
  return {
    made,
    kill(pid: number, signal: string) {
      made.push([pid, signal]);
      if (trouble) throw trouble;
    },
    run: (program: string, words: string[]) => made.push([program, ...words]),
  };
}

test.each(['linux', 'darwin'] as const)('killGroup: on %s sends SIGKILL to the group', (system) => {
  const calls = notedCalls();
  killGroup(42, { system, ...calls });
  expect(calls.made).toEqual([[-42, 'SIGKILL']]);
});

test.each(['linux', 'darwin'] as const)('killGroup: on %s a group that has ended is no error', (system) => {
  const calls = notedCalls(new Error('ESRCH'));
  killGroup(42, { system, ...calls });
  expect(calls.made).toHaveLength(1);
});

test('killGroup: on Windows ends the tree of the process by taskkill', () => {
  const calls = notedCalls();
  killGroup(42, { system: 'win32', ...calls });
  expect(calls.made).toEqual([['taskkill', '/pid', '42', '/t', '/f']]);
});

test('killGroup: ends a process of this system with the one that it has started', async () => {
  const child = spawn('sleep 600 & echo $!; wait', {
    ...OWN_GROUP,
    shell: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  expect(Number(printed)).toBeGreaterThan(1);
  killGroup(child.pid!);
  // Its output ends when both have ended.
  const [code, signal] = (await once(child, 'close')) as [number | null, string];
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' });
});
