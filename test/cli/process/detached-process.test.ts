import { expect, test } from 'vitest';
import { starterOf } from '../../../cli/process/detached-process.ts';

/** A process with a channel to the one that started it. */
function childProcess(env: Record<string, string>, connected = true) {
  const sent: unknown[] = [];
  const send = (message: unknown) => sent.push(message) > 0;
  return { env, connected, send: send as NodeJS.Process['send'], sent };
}

test('starterOf: passes on errors until the process is ready, and what it prints then', () => {
  const child = childProcess({ TAPBENCH_DETACHED: '1', HOME: '/home/me' });
  const starter = starterOf(child)!;
  starter.error('slow\n');
  starter.ready('ready\n');
  starter.error('later\n');
  expect(child.sent).toEqual([{ error: 'slow\n' }, { ready: 'ready\n' }]);
  expect(child.env).toEqual({ HOME: '/home/me' });
});

test('starterOf: another program with a channel is sent nothing', () => {
  expect(starterOf(childProcess({}))).toBeUndefined();
});

test('starterOf: a process that was started otherwise has none, whatever it inherits', () => {
  expect(starterOf({ env: { TAPBENCH_DETACHED: '1' }, connected: false })).toBeUndefined();
});

test('starterOf: sends nothing when the command has ended', () => {
  const child = childProcess({ TAPBENCH_DETACHED: '1' }, false);
  starterOf(child)!.ready('ready\n');
  expect(child.sent).toEqual([]);
});
