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
