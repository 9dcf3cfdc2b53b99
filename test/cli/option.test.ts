import { expect, test } from 'vitest';
import {
  urlOption,
  optionKey,
  enumOption,
  readOptions,
  stringOption,
  booleanOption,
  integerOption,
} from '../../cli/option.ts';

const options = {
  port: integerOption(
    { min: 0, max: 65_535 },
    { flag: '--port <number>', env: 'PORT', description: 'A port', defaultValue: '8080' },
  ),
  colour: enumOption(['red', 'blue'], { flag: '--colour <name>', env: 'COLOUR', description: 'A colour' }),
  url: urlOption(['http', 'https'], { env: 'URL', description: 'An address', secret: true }),
  name: stringOption({ flag: '--first-name <text>', description: 'A name' }),
  wait: booleanOption('--wait', 'Wait'),
};

test('a flag wins over the environment, the environment over the fallback', () => {
  expect(readOptions(options, {}, {}).port).toBe(8080);
  expect(readOptions(options, {}, { PORT: '81' }).port).toBe(81);
  expect(readOptions(options, { port: '82' }, { PORT: '81' }).port).toBe(82);
});

test('a variable that is set to nothing counts as not set', () => {
  expect(readOptions(options, {}, { PORT: '', COLOUR: '' })).toMatchObject({ port: 8080, colour: undefined });
});

test('an option without a value is on or off', () => {
  expect(readOptions(options, {}, {}).wait).toBe(false);
  expect(readOptions(options, { wait: true }, {}).wait).toBe(true);
});

test('flags of two words are found by the name that commander gives them', () => {
  expect(optionKey('--first-name <text>')).toBe('firstName');
  expect(readOptions(options, { firstName: 'Ana' }, {}).name).toBe('Ana');
});

test.each(['abc', '-1', '65536', '1.5', '0x10', '1e3', ' 80'])(
  '%j is no port, and the variable is named',
  (value) => {
    expect(() => readOptions(options, {}, { PORT: value })).toThrow(
      `PORT must be a whole number from 0 to 65535, not '${value}'`,
    );
  },
);

test('the flag is named when it was the flag that was wrong', () => {
  expect(() => readOptions(options, { colour: 'green' }, { COLOUR: 'red' })).toThrow(
    "--colour must be one of: red, blue, not 'green'",
  );
});

test('a secret that is wrong is named and not shown', () => {
  const secret = 'ftp://user:hunter2@host';
  expect(() => readOptions(options, {}, { URL: secret })).toThrow(/^URL must be an address/);
  expect(() => readOptions(options, {}, { URL: secret })).not.toThrow(/hunter2/);
});

test('an address loses the slash at its end, so that paths can follow it', () => {
  expect(readOptions(options, {}, { URL: 'http://localhost:8080/' }).url).toBe('http://localhost:8080');
});
