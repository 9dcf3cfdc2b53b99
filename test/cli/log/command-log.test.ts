import { expect, test } from 'vitest';
import { commandLog, LOG_OPTIONS, serverLog } from '../../../cli/log/command-log.ts';
import { readOptions } from '../../../cli/command-line/option.ts';

function capture(isTerminal: boolean) {
  const lines: string[] = [];
  const write = (text: string) => void lines.push(text);
  return { lines, err: { write, isTerminal, colours: false } };
}

const options = (env: Record<string, string> = {}) => readOptions(LOG_OPTIONS, {}, env);

test('commandLog: a text line has time, level, message and fields, and no secret', () => {
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

test('commandLog: in a terminal a line replaces the progress text', () => {
  const { err, lines } = capture(true);
  commandLog({ err }, options()).warn('late');
  expect(lines[0]!.startsWith('\r\x1b[K')).toBe(true);
  expect(lines[0]!.replace('\r\x1b[K', '')).toMatch(/^\d\d:\d\d:\d\d {2}warn {6}late\n$/);
});

test('commandLog: at debug an error has its stack', () => {
  const { err, lines } = capture(false);
  commandLog({ err }, options({ LOG_LEVEL: 'debug' })).error({ err: new Error('broken') });
  expect(lines[0]).toMatch(/Error: broken\n +at /);
});

test('commandLog: replaces control characters', () => {
  const { err, lines } = capture(true);
  const log = commandLog({ err }, options({ LOG_LEVEL: 'debug' }));
  log.warn({ topic: 'a\x1b]0;title\x07', 'na\nme': 'b\n12:00:00  error     forged' }, 'c\u009b2J');
  log.error({ err: Object.assign(new Error('d\x1b[2J'), { stack: 'd\x1b[2J\n    at e' }) });
  const shown = lines.map((line) => line.replace('\r\x1b[K', ''));
  expect(shown[0]).toMatch(
    / {2}warn {6}c·2J {2}topic=a·\]0;title· {2}na·me=b·12:00:00 {2}error {5}forged\n$/,
  );
  expect(shown[1]).toMatch(/ {2}error {5}d·\[2J {2}d·\[2J\n {4}at e\n$/);
});

test('serverLog: writes text in a terminal', () => {
  const { err, lines } = capture(true);
  serverLog({ err }, options()).warn('late');
  expect(lines).toHaveLength(1);
});
