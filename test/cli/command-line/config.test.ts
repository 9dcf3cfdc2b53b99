import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SETTINGS } from '../../../cli/command-line/config.ts';
import { checkHostKey, modeOf } from '../../../cli/data-folder/server-keys.ts';
import { readOptions } from '../../../cli/command-line/option.ts';

test('SETTINGS: the defaults are a sandbox on the loopback address', () => {
  expect(readOptions(SETTINGS, {}, {})).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    mqttPort: 1883,
    mqttHost: undefined,
    dataDir: '.tapbench',
    rateLimit: 'on',
    magicAmounts: undefined,
    simAutostart: 'on',
    logLevel: 'warn',
    url: undefined,
    databaseUrl: undefined,
    databaseConnections: 16,
    mqttUrl: undefined,
  });
});

test.each([
  ['PORT', '70000'],
  ['MQTT_PORT', 'x'],
  ['RATE_LIMIT', 'maybe'],
  ['MAGIC_AMOUNTS', 'ON'],
  ['SIM_AUTOSTART', 'no'],
  ['LOG_LEVEL', 'loud'],
  ['TAPBENCH_URL', 'localhost:8080'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['DATABASE_CONNECTIONS', '1'],
  ['MQTT_URL', 'http://localhost'],
  ['PUBLIC_URL', 'tapbench.example'],
  ['PUBLIC_URL', 'ftp://tapbench.example'],
  ['PUBLIC_URL', 'https://tapbench.example/below'],
  ['PUBLIC_URL', 'https://tapbench.example/?a=b'],
])('SETTINGS: %s=%s is rejected by name', (name, value) => {
  expect(() => readOptions(SETTINGS, {}, { [name]: value })).toThrow(new RegExp(`^${name} must be `));
});

test('SETTINGS: keys have no flags, which process lists would show', () => {
  const secrets = Object.values(SETTINGS).filter(({ secret }) => secret);
  expect(secrets.map(({ env }) => env)).toEqual([
    'MQTT_URL',
    'DATABASE_URL',
    'SECRET_KEY',
    'PUBLIC_KEY',
    'PAIRING_SECRET',
    'DASHBOARD_TOKEN',
    'HOST_KEY',
  ]);
  expect(secrets.every(({ flag }) => flag === undefined)).toBe(true);
});

test.each(['SECRET_KEY', 'PUBLIC_KEY', 'PAIRING_SECRET', 'DASHBOARD_TOKEN'] as const)(
  'modeOf: refuses the %s of deploy/example.env, which everyone knows',
  (setting) => {
    const example = readFileSync(join(import.meta.dirname, '../../../deploy/example.env'), 'utf8');
    const value = new RegExp(`^${setting}=(.*)$`, 'm').exec(example)![1]!;
    const name = {
      SECRET_KEY: 'secretKey',
      PUBLIC_KEY: 'publicKey',
      PAIRING_SECRET: 'pairingSecret',
      DASHBOARD_TOKEN: 'dashboardToken',
    }[setting];
    expect(() => modeOf({ [name]: value })).toThrow(
      `${setting} is the value of deploy/example.env: replace it by one of your own`,
    );
  },
);

test('modeOf: the prefix of the secret key decides the mode', () => {
  expect(modeOf({})).toBe('sandbox');
  expect(modeOf({ secretKey: 'sk_sandbox_a' })).toBe('sandbox');
  expect(modeOf({ secretKey: 'sk_live_a', publicKey: 'pk_live_a' })).toBe('live');
  expect(modeOf({ secretKey: 'sk_a' })).toBe('live');
});

test.each([
  [{ secretKey: 'pk_sandbox_a' }, 'SECRET_KEY'],
  [{ secretKey: 'whatever' }, 'SECRET_KEY'],
  [{ secretKey: 'sk_sandbox_a', publicKey: 'pk_live_a' }, 'PUBLIC_KEY'],
  [{ secretKey: 'sk_live_a', publicKey: 'pk_sandbox_a' }, 'PUBLIC_KEY'],
  [{ publicKey: 'sk_sandbox_a' }, 'PUBLIC_KEY'],
  [{ pairingSecret: 'short' }, 'PAIRING_SECRET'],
  [{ dashboardToken: 'dash_short' }, 'DASHBOARD_TOKEN'],
  [{ dashboardToken: `whatever${'x'.repeat(40)}` }, 'DASHBOARD_TOKEN'],
  [{ dashboardToken: `dash_short/${'x'.repeat(40)}` }, 'DASHBOARD_TOKEN'],
])('modeOf: throws for %j naming %s without the key', (keys, name) => {
  expect(() => modeOf(keys)).toThrow(new RegExp(`^${name} must `));
  expect(() => modeOf(keys)).not.toThrow(/whatever|short/);
});

test('checkHostKey: throws for a key that is short or has other characters, without the key', () => {
  expect(() => checkHostKey('k'.repeat(32))).not.toThrow();
  for (const key of ['short', `${'k'.repeat(32)} k`])
    expect(() => checkHostKey(key)).toThrow('HOST_KEY must be 32 to 200 letters, digits, - or _');
});
