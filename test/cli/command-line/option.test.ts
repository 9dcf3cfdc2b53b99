import { expect, test } from 'vitest';
import {
  urlOption,
  optionKey,
  enumOption,
  readOptions,
  stringOption,
  timestampOption,
  booleanOption,
  integerOption,
  listOption,
} from '../../../cli/command-line/option.ts';

const options = {
  port: integerOption(
    { min: 0, max: 65_535 },
    { flag: '--port <number>', env: 'PORT', description: 'A port', defaultValue: '8080' },
  ),
  colour: enumOption(['red', 'blue'], { flag: '--colour <name>', env: 'COLOUR', description: 'A colour' }),
  url: urlOption(['http', 'https'], { env: 'URL', description: 'An address', secret: true }),
  name: stringOption({ flag: '--first-name <text>', description: 'A name' }),
  wait: booleanOption('--wait', 'Wait'),
  set: listOption('--set <text>', 'Set'),
};

test('readOptions: a flag overrides the environment, the environment the default', () => {
  expect(readOptions(options, {}, {}).port).toBe(8080);
  expect(readOptions(options, {}, { PORT: '81' }).port).toBe(81);
  expect(readOptions(options, { port: '82' }, { PORT: '81' }).port).toBe(82);
});

test('readOptions: an empty variable counts as not set', () => {
  expect(readOptions(options, {}, { PORT: '', COLOUR: '' })).toMatchObject({ port: 8080, colour: undefined });
});

test('booleanOption: is on when the flag is present', () => {
  expect(readOptions(options, {}, {}).wait).toBe(false);
  expect(readOptions(options, { wait: true }, {}).wait).toBe(true);
});

test('booleanOption: is on when a flag that begins with no- is present', () => {
  const negated = { noWebhooks: booleanOption('--no-webhooks', 'No webhooks') };
  expect(readOptions(negated, { webhooks: true }, {}).noWebhooks).toBe(false);
  expect(readOptions(negated, { webhooks: false }, {}).noWebhooks).toBe(true);
});

const clock = timestampOption({ flag: '--clock <time>', description: 'A time' });

test.each([
  ['1767603600', 1767603600],
  ['2026-01-05', 1767571200],
  ['2026-01-05T09:00Z', 1767603600],
  ['2026-01-05T10:00:00+01:00', 1767603600],
])('timestampOption: %s is %d seconds', (text, seconds) => {
  expect(readOptions({ clock }, { clock: text }, {}).clock).toBe(seconds);
});

test.each(['tomorrow', '-1', '1.5', '2026-13-01', '2026-01-05T09:00', '2026-01-05T25:00Z'])(
  'timestampOption: %s is rejected',
  (text) => {
    expect(() => readOptions({ clock }, { clock: text }, {})).toThrow('--clock must be a Unix timestamp');
  },
);

test('listOption: has every value that was given, in order', () => {
  expect(readOptions(options, {}, {}).set).toEqual([]);
  expect(readOptions(options, { set: ['b', 'a'] }, {}).set).toEqual(['b', 'a']);
});

test('optionKey: converts a flag to the camel case key of commander', () => {
  expect(optionKey('--first-name <text>')).toBe('firstName');
  expect(readOptions(options, { firstName: 'Ana' }, {}).name).toBe('Ana');
});

test.each(['abc', '-1', '65536', '1.5', '0x10', '1e3', ' 80'])(
  'integerOption: %j is rejected as a port, naming the variable',
  (value) => {
    expect(() => readOptions(options, {}, { PORT: value })).toThrow(
      `PORT must be a whole number from 0 to 65535, not '${value}'`,
    );
  },
);

test('readOptions: names the flag when its value is invalid', () => {
  expect(() => readOptions(options, { colour: 'green' }, { COLOUR: 'red' })).toThrow(
    "--colour must be one of: red, blue, not 'green'",
  );
});

test('readOptions: never shows the value of a secret', () => {
  const secret = 'ftp://user:hunter2@host';
  expect(() => readOptions(options, {}, { URL: secret })).toThrow(/^URL must be an address/);
  expect(() => readOptions(options, {}, { URL: secret })).not.toThrow(/hunter2/);
});

test('urlOption: removes a trailing slash', () => {
  expect(readOptions(options, {}, { URL: 'http://localhost:8080/' }).url).toBe('http://localhost:8080');
});
