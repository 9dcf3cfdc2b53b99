import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { deviceCases } from '../../../cli/certify/device/device-cases.ts';
import { encode, type Envelope } from '../../../protocol/message.ts';
import { ActionInquired } from '../../../protocol/messages/action.messages.ts';
import type { Connector } from '../../../protocol/link.ts';
import { startMosquitto } from '../brokers/mosquitto-server.ts';
import { writtenAcl } from '../brokers/written-acl.ts';
import type { Json } from '../kit/http-call.ts';
import { startOwnFirmware } from '../kit/own-firmware.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

const ALL = deviceCases(true).map(({ id }) => id);
/** One of each kind; `npm run prove:certify` tries all. */
const SAMPLE = [
  'payment',
  'masked',
  'receipt',
  'receipt.point-of-sale',
  'start.expired',
  'clock',
  'twice.decision',
  'order.confirmed',
  'cut-message',
  'presence.request',
  'gap',
  'start.replaces',
  'cancel.card',
  'pin',
  'pin.wrong',
  'card.unreadable',
  'will',
  'report-request.card',
  'reconnect.decision',
  'power-cut.completed',
].map((name) => `device.${name}`);
const TRIED = process.env['CERTIFY'] === 'all' ? ALL : SAMPLE;
const TIMEOUT_MS = process.env['CERTIFY'] === 'all' ? 3_600_000 : 120_000;
const PAYMENTS = process.env['PAYMENTS'] ?? '20';

/** Certifies a terminal, and reads what came of it. */
async function certify(tapbench: Tapbench, terminal: string, cases: readonly string[], ...flags: string[]) {
  const folder = fixture.folder();
  const { url, secretKey } = tapbench;
  const line = ['certify', 'device', terminal, '--only', cases.join(','), '--payments', PAYMENTS, ...flags];
  const child = fixture.command(line, { cwd: folder, env: { TAPBENCH_URL: url, SECRET_KEY: secretKey } });
  const read = (): Json => JSON.parse(readFileSync(join(folder, 'certificate', 'certificate.json'), 'utf8'));
  const withoutPass = (): string[] =>
    read()
      .results.filter(({ verdict }: Json) => verdict !== 'passed')
      .map(({ id, verdict, reason }: Json) => `${id} ${verdict}: ${reason}`);
  return { folder, child, read, withoutPass };
}

test(
  'certify device: our firmware keeps the rules, with a page and a trace for each case',
  async () => {
    const tapbench = await fixture.tapbench({ args: ['--ephemeral'] });
    const { child, read, withoutPass, folder } = await certify(tapbench, 'SIM-0001', TRIED);
    const { code, stderr } = await child.ended;
    expect([withoutPass(), code, stderr]).toEqual([[], 0, '']);
    expect(read().results).toHaveLength(TRIED.length);
    for (const { trace } of read().results) expect(existsSync(join(folder, 'certificate', trace))).toBe(true);
    const page = readFileSync(join(folder, 'certificate', 'certificate.html'), 'utf8');
    expect(page).toContain('protocol.card.authorise');
  },
  TIMEOUT_MS,
);

test(
  'certify device: our firmware keeps the rules over mosquitto',
  async () => {
    const dataDir = fixture.folder();
    // Once with its own broker, so that the terminal is there and paired.
    const first = await fixture.tapbench({ dataDir });
    await waitFor('the terminal to be paired', async () => {
      const { body } = await first.api('GET', `/sandbox/terminals/${first.terminals[0]!.id}`);
      return body.online === true;
    });
    await first.kill('SIGINT');
    const { files } = await writtenAcl(fixture, { DATA_DIR: dataDir });
    const mosquitto = await startMosquitto(files);
    fixture.onCleanUp(() => mosquitto.stop());
    const tapbench = await fixture.tapbench({ dataDir, env: { MQTT_URL: mosquitto.url } });
    const { child, withoutPass } = await certify(tapbench, 'SIM-0001', TRIED);
    const { code, stderr } = await child.ended;
    expect([withoutPass(), code, stderr]).toEqual([[], 0, '']);
  },
  TIMEOUT_MS,
);

/** Connects a terminal whose messages are changed before they are sent. */
function changing(connect: Connector, change: (sent: Envelope, terminalId: string) => Envelope): Connector {
  return (plan) => {
    const link = connect(plan);
    return {
      publish: (sent) => link.publish(change(sent, plan.credentials.username)),
      get online() {
        return link.online;
      },
      open: () => link.open(),
      close: () => link.close(),
      drop: () => link.drop(),
    };
  };
}

/** Connects a terminal that never says which action it has. */
function forgetful(connect: Connector): Connector {
  return changing(connect, (sent, terminalId) => {
    const inquiry = encode(ActionInquired, terminalId, { seq: 1 });
    return sent.topic === inquiry.topic ? inquiry : sent;
  });
}

/** Connects a terminal that has the number of the card on its receipts. */
function indiscreet(connect: Connector): Connector {
  return changing(connect, (sent) => {
    if (!sent.topic.endsWith('receipt-ready')) return sent;
    const text = Buffer.from(sent.payload).toString();
    const shown = text.replace('"fields":{', '"fields":{"number":"4761739001010119",');
    return { ...sent, payload: Buffer.from(shown) };
  });
}

/** Connects a terminal that retains what it says of an action. */
function retaining(connect: Connector): Connector {
  return changing(connect, (sent) => ({ ...sent, retain: sent.retain || sent.topic.endsWith('accepted') }));
}

test.each([
  ['reconnect.card', forgetful, 'its action.inquired names no action'],
  ['masked', indiscreet, 'its receipt.ready contains a card number'],
  ['reports', retaining, expect.stringContaining('was refused: this message is not retained')],
])(
  'certify device: %s names the rule that a device of another process breaks',
  async (name, alter, reason) => {
    const tapbench = await fixture.tapbench({ args: ['--ephemeral'] });
    const { terminalId } = await startOwnFirmware(fixture, tapbench, { connect: alter });
    const cases = [`device.${name}`];
    const { child, read } = await certify(tapbench, terminalId, cases, '--junit', 'junit.xml');
    const { code } = await child.ended;
    const found = read().results.find(({ id }: Json) => id === cases[0]);
    expect([found, code]).toEqual([expect.objectContaining({ verdict: 'failed', reason }), 1]);
  },
);

test('certify device: a program operates our firmware, and pairs it again', async () => {
  const tapbench = await fixture.tapbench({ args: ['--ephemeral'] });
  const { terminalId, fleet } = await startOwnFirmware(fixture, tapbench);
  const lab = await fixture.receiver();
  lab.reply = async ({ event: { act } }) => {
    if (act === 'tap') fleet.terminal(terminalId)!.perform({ act: 'present-card', card: 'visa-contactless' });
    if (act !== 'pair-again') return act === 'tap' ? 200 : 500;
    await fleet.remove(terminalId);
    await fleet.add({ terminalId });
    return 200;
  };
  const folder = fixture.folder();
  const reply = `await fetch('${lab.url}', { method: 'POST', body: JSON.stringify({ act: process.argv[2] }) })`;
  writeFileSync(join(folder, 'lab.mjs'), `process.exit((${reply}).ok ? 0 : 1);`);
  const operate = ['--operate', `node ${join(folder, 'lab.mjs')}`];
  const { child, withoutPass } = await certify(
    tapbench,
    terminalId,
    ['device.pair-again', 'device.pin'],
    ...operate,
  );
  const { code } = await child.ended;
  expect([withoutPass(), code]).toEqual([
    ['device.pin not shown: the program of --operate ended with 1 at insert'],
    2,
  ]);
});

test('certify device: what cannot be done at the device is not shown, and the result is not green', async () => {
  const tapbench = await fixture.tapbench({ args: ['--ephemeral'] });
  const { child, withoutPass } = await certify(tapbench, 'SIM-0001', ['device.pin'], '--without', 'pin');
  const { code } = await child.ended;
  expect([withoutPass(), code]).toEqual([['device.pin not shown: the device is without pin'], 2]);
  const typo = await certify(tapbench, 'SIM-0001', ['device.pin'], '--without', 'pinn');
  expect(await typo.child.ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--without must be one of'),
  });
});

test('certify device: an interrupt gives a simulated terminal its network back', async () => {
  const tapbench = await fixture.tapbench({ args: ['--ephemeral'] });
  const path = `/sandbox/terminals/${tapbench.terminals[0]!.id}`;
  const isOnline = async () => (await tapbench.api('GET', path)).body.online === true;
  const { child } = await certify(tapbench, 'SIM-0001', ['device.no-queue']);
  await waitFor('the network to be cut', async () => !(await isOnline()));
  expect((await child.kill('SIGINT')).code).toBe(130);
  await waitFor('the terminal to be online', isOnline);
  expect((await tapbench.api('GET', '/sandbox/faults')).body.items).toEqual([]);
});

test('certify device: goes on after SIGKILL, without the faults and the recording that it left', async () => {
  const tapbench = await fixture.tapbench({ args: ['--ephemeral'] });
  const listOf = async (path: string): Promise<Json[]> => (await tapbench.api('GET', path)).body.items;
  const cases = ['device.payment', 'device.start.expired'];
  const { child, folder, read } = await certify(tapbench, 'SIM-0001', cases);
  await waitFor('its fault', async () => (await listOf('/sandbox/faults')).length === 1);
  await child.kill('SIGKILL');
  expect(await listOf('/sandbox/recordings')).toHaveLength(1);
  const { url, secretKey } = tapbench;
  const again = await fixture.run(['certify', 'device', 'SIM-0001', '--only', cases.join(','), '--resume'], {
    cwd: folder,
    env: { TAPBENCH_URL: url, SECRET_KEY: secretKey },
  });
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^passed +device\.start\.expired: /)]);
  expect(read().results).toHaveLength(2);
  expect([await listOf('/sandbox/recordings'), await listOf('/sandbox/faults')]).toEqual([[], []]);
});
