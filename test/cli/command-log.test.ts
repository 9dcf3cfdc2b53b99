import { expect, test } from 'vitest';
import { commandLog, LOG_OPTIONS, serverLog } from '../../cli/command-log.ts';
import { readOptions } from '../../cli/option.ts';

function capture(isTerminal: boolean) {
  const lines: string[] = [];
  const write = (text: string) => void lines.push(text);
  return { lines, err: { write, isTerminal, colours: false } };
}

const options = (env: Record<string, string> = {}) => readOptions(LOG_OPTIONS, {}, env);

test('commandLog: a line for people has time, level, message and members, and no secret', () => {
  const { err, lines } = capture(false);
  const log = commandLog({ err }, options()).child({ terminalId: 'tml_1' });
  log.warn(
    { pauseMs: 250, reason: 'connection refused', password: 'hunter2' },
    'no connection to the broker',
  );
  log.info('below the level');
  log.error({ err: new Error('broken') }, 'a report could not be handled');
  expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d/, 'TIME'))).toEqual([
    'TIME  warn      no connection to the broker  terminalId=tml_1  pauseMs=250  reason=connection refused  password=[secret]\n',
    'TIME  error     a report could not be handled  terminalId=tml_1  broken\n',
  ]);
});

test('commandLog: in a terminal a line replaces the progress that stands there', () => {
  const { err, lines } = capture(true);
  commandLog({ err }, options()).warn('late');
  expect(lines[0]!.startsWith('\r\x1b[K')).toBe(true);
  expect(lines[0]!.replace('\r\x1b[K', '')).toMatch(/^\d\d:\d\d:\d\d {2}warn {6}late\n$/);
});

test('commandLog: at debug a fault has its stack', () => {
  const { err, lines } = capture(false);
  commandLog({ err }, options({ LOG_LEVEL: 'debug' })).error({ err: new Error('broken') });
  expect(lines[0]).toMatch(/Error: broken\n +at /);
});

test('serverLog: writes for people in a terminal', () => {
  const { err, lines } = capture(true);
  serverLog({ err }, options()).warn('late');
  expect(lines).toHaveLength(1);
});
