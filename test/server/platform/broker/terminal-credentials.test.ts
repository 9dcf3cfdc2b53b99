import { expect, test } from 'vitest';
import { createIds, seededRandom } from '../../../../protocol/ids.ts';
import {
  credentialsCheck,
  mayUseClientId,
  parsePrincipal,
  serverCredentials,
  simulatorCredentials,
  terminalCredentials,
} from '../../../../server/platform/broker/terminal-credentials.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';

const SECRET = 'the pairing secret';
const ids = createIds(new VirtualClock(1_700_000_000_000), seededRandom('credentials'));
const till = ids.make('terminal');

function checkWith(generation: number | undefined) {
  return credentialsCheck(async () => ({ pairingSecret: SECRET, generationOf: async () => generation }));
}

test('terminal credentials: a paired terminal connects with its password', async () => {
  const { username, password } = terminalCredentials(SECRET, till, 1);
  expect(password).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(await checkWith(1)(username, password)).toEqual({ kind: 'terminal', terminalId: till });
});

test('terminal credentials: pairing again revokes the earlier password', async () => {
  const first = terminalCredentials(SECRET, till, 1);
  const second = terminalCredentials(SECRET, till, 2);
  const check = checkWith(2);
  expect(await check(till, first.password)).toBeUndefined();
  expect(await check(till, second.password)).toEqual({ kind: 'terminal', terminalId: till });
});

test('terminal credentials: an unpaired or unknown terminal connects with no password', async () => {
  for (const generation of [0, undefined]) {
    const derived = terminalCredentials(SECRET, till, 0).password;
    expect(await checkWith(generation)(till, derived)).toBeUndefined();
    expect(await checkWith(generation)(till, '')).toBeUndefined();
  }
});

test('terminal credentials: a password belongs to one terminal and one pairing secret', async () => {
  const { password } = terminalCredentials(SECRET, ids.make('terminal'), 1);
  expect(await checkWith(1)(till, password)).toBeUndefined();
  expect(await checkWith(1)(till, terminalCredentials('another secret', till, 1).password)).toBeUndefined();
});

test('terminal credentials: any number of simulators connect without being stored', async () => {
  const check = credentialsCheck(async () => ({
    pairingSecret: SECRET,
    generationOf: () => Promise.reject(new Error('simulators are not looked up')),
  }));
  for (let count = 0; count < 10; count++) {
    const { username, password } = simulatorCredentials(SECRET, ids);
    expect(await check(username, password)).toEqual({ kind: 'simulator', simulatorId: username });
    expect(await check(simulatorCredentials(SECRET, ids).username, password)).toBeUndefined();
  }
});

test('terminal credentials: the server does not connect as a terminal', async () => {
  const { username, password } = serverCredentials(SECRET, '1');
  expect(parsePrincipal(username)).toEqual({ kind: 'server' });
  expect(await checkWith(1)(username, password)).toBeUndefined();
});

test("terminal credentials: the server's user at an external broker comes from the URL, in whole or in part", () => {
  const derived = serverCredentials(SECRET, '1');
  expect(derived).toMatchObject({ clientId: 'server-1', username: 'server' });
  expect(serverCredentials(SECRET, '1', { username: 'tapbench', password: 'x' })).toEqual({
    clientId: 'tapbench-1',
    username: 'tapbench',
    password: 'x',
  });
  expect(serverCredentials(SECRET, '1', { username: 'server', password: '' })).toEqual(derived);
});

test('terminal credentials: a server with its own user name has its own password', () => {
  const second = serverCredentials(SECRET, '1', { username: 'server-2', password: '' });
  expect(second.password).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(second.password).not.toBe(serverCredentials(SECRET, '1').password);
});

test('terminal credentials: a user connects with its own name as client id only', () => {
  const { username, clientId } = terminalCredentials(SECRET, till, 1);
  expect(mayUseClientId(username, clientId)).toBe(true);
  for (const other of ['', ids.make('terminal'), `${till}-2`, till.toLowerCase()]) {
    expect(mayUseClientId(username, other)).toBe(false);
  }
});

test.each(['', 'Server', 'tml_', `${till}/x`, 'sim_', 'sim_+', '$SYS', 'tml_#', `${till}\n`])(
  'terminal credentials: %j is no user name',
  (username) => expect(parsePrincipal(username)).toBeUndefined(),
);
