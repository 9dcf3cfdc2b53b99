import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../../../cli/program.ts';
import { callerOf } from '../../system/kit/tapbench.ts';
import { createCliFixture } from '../cli-fixture.ts';

/** `tapbench up` in this process. Its clock stands still, so that nothing ends by its time. */
async function startedUp() {
  const fixture = createCliFixture({ PORT: '0', MQTT_PORT: '0', RATE_LIMIT: 'off', LOG_LEVEL: 'silent' });
  const ended = runProgram(['up', '--ephemeral', '--json'], fixture.context, '1.2.3');
  onTestFinished(async () => {
    fixture.interrupt();
    await ended;
  });
  while (!fixture.out.includes('\n')) await new Promise((resolve) => setImmediate(resolve));
  const startup = JSON.parse(fixture.out) as { url: string; secretKey: string; terminals: { id: string }[] };
  return { ...startup, api: callerOf(startup) };
}

const LIVE_KEYS = {
  SECRET_KEY: 'sk_live_4f1c9a7e2b8d4c6f9e3a',
  PUBLIC_KEY: 'pk_live_8b2d6e4a1c9f4b7d8e5c',
  PAIRING_SECRET: 'c2a7e9d14b6f48a3b5e0d7c81f9263ae45',
};

test.each([
  [{ SIM_AUTOSTART: 'off' }, '--twin adds simulated terminals: leave out SIM_AUTOSTART=off'],
  [LIVE_KEYS, '--twin needs sandbox keys: with live keys nothing is simulated'],
])('up: --twin is refused where no terminal is simulated: %o', async (settings, problem) => {
  const fixture = createCliFixture({ PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'silent', ...settings });
  const ended = fixture.run('up', '--ephemeral', '--json', '--twin', 'nexo');
  // Not until it is stopped, where it starts.
  while (!fixture.out.includes('\n') && fixture.err === '') await new Promise((next) => setImmediate(next));
  fixture.interrupt();

  expect([await ended, fixture.err]).toEqual([1, `tapbench: ${problem}\n`]);
});

test.each(['power', 'network'])(
  'up: the first request of a fork waits for no terminal whose %s is off, also when it switches it on',
  async (what) => {
    const { api, terminals } = await startedUp();
    const path = `/sandbox/terminals/${terminals[0]!.id}`;
    const off = await api('POST', `${path}/${what}`, { state: 'off' });
    const askFork = async (method: string, url: string, asked?: object) => {
      const { body } = await api('POST', '/sandboxes', { from: 'default' });
      return api(method, url, asked, { authorization: body.secretKey });
    };
    const looked = await askFork('GET', path);
    const on = await askFork('POST', `${path}/${what}`, { state: 'on' });
    expect([off.status, looked.status, looked.body.online, on.status]).toEqual([200, 200, false, 200]);
  },
);

test('up: the first request of a fork waits for no terminal whose network a fault takes away as it connects', async () => {
  const { api, terminals } = await startedUp();
  const down = { at: 'message.report', what: 'network-down', delayMs: 3_600_000 };
  const plan = { faults: [{ ...down, when: { message: 'presence' } }] };
  const begun = await api('POST', '/sandbox/faults', plan);
  const { body } = await api('POST', '/sandboxes', { from: 'default' });
  const path = `/sandbox/terminals/${terminals[0]!.id}`;
  const looked = await api('GET', path, undefined, { authorization: body.secretKey });
  expect([begun.status, looked.status, looked.body.online]).toEqual([200, 200, false]);
});
