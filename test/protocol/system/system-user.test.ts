import { expect, test } from 'vitest';
import { userNamed } from '../../../protocol/system/system-user.ts';

const refusal = (message: string) => expect.objectContaining({ code: 'bad_setting', message });

test.each(['linux', 'darwin'] as const)('userNamed: on %s asks `id` for user and group', (system) => {
  const asked: string[][] = [];
  const run = (program: string, words: string[]) => {
    asked.push([program, ...words]);
    return words[0] === '-u' ? '501\n' : '20\n';
  };
  expect(userNamed('mosquitto', { system, run })).toEqual({ uid: 501, gid: 20 });
  expect(asked).toEqual([
    ['id', '-u', '--', 'mosquitto'],
    ['id', '-g', '--', 'mosquitto'],
  ]);
});

test('userNamed: refuses a user that the system does not have', () => {
  expect(() => userNamed('no-such-user')).toThrow(refusal("this system has no user 'no-such-user'"));
});

test('userNamed: refuses every user on Windows', () => {
  const run = () => expect.unreachable();
  expect(() => userNamed('mosquitto', { system: 'win32', run })).toThrow(
    refusal('on Windows files cannot be given to another user'),
  );
});
