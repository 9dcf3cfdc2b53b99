import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DEVICE_CASES } from '../../../cli/certify/device/device-cases.ts';
import type { Json } from '../kit/http-call.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';

// Debian's, which has its package for MQTT.
const PYTHON = '/usr/bin/python3';
const EXAMPLE = join(import.meta.dirname, '../../../examples/terminal-python');
const LAB = join(EXAMPLE, 'lab.py');
const ALL = process.env['CERTIFY'] === 'all';
/** One of each kind; `npm run prove:certify` tries all. */
const SAMPLE = [
  'payment',
  'report-request.ended',
  'masked',
  'twice.decision',
  'gap',
  'pin.wrong',
  'reconnect.decision',
  'power-cut.receipt',
];
const TIMEOUT_MS = ALL ? 1_800_000 : 120_000;

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

/** Starts a server and the terminal, certifies it, and returns the exit code, and what failed and what was not shown. */
async function certify(cases: readonly string[], ...options: string[]) {
  const { api, url, mqttUrl, secretKey, locationId } = await fixture.tapbench({ args: ['--ephemeral'] });
  const folder = fixture.folder();
  const { body } = await api('POST', '/v1/in-person/terminals', { serialNumber: '1853012345', locationId });
  const { body: credentials } = await api('POST', `/pairing/terminals/${body.id}`);
  writeFileSync(join(folder, 'credentials.json'), JSON.stringify(credentials));
  const env = { PYTHONDONTWRITEBYTECODE: '1', TAPBENCH_URL: url, SECRET_KEY: secretKey };
  const lab = (...words: string[]) => fixture.program(PYTHON, [LAB, folder, ...words], { env }).ended;
  fixture.onCleanUp(() => lab('power-cut'));
  expect(await lab('power-on', '--url', mqttUrl, ...options)).toMatchObject({ code: 0, stderr: '' });
  await waitFor('the terminal to be online', async () => {
    return (await api('GET', `/sandbox/terminals/${body.id}`)).body.online === true;
  });
  const only = cases.length > 0 ? ['--only', cases.map((name) => `device.${name}`).join(',')] : [];
  const line = ['certify', 'device', body.id, '--operate', `${PYTHON} ${LAB} ${folder}`, ...only];
  const { code, stderr } = await fixture.run(line, { cwd: folder, env });
  expect(stderr).toBe('');
  const { results }: Json = JSON.parse(readFileSync(join(folder, 'certificate', 'certificate.json'), 'utf8'));
  const of = (wanted: string): string[] =>
    results
      .filter(({ verdict }: Json) => verdict === wanted)
      .map(({ id, reason }: Json) => `${id}: ${reason}`);
  return { code, tried: results.length, failed: of('failed'), notShown: of('not shown') };
}

test('the terminal in Python: its types are checked strictly', async () => {
  const line = ['-m', 'mypy', '--strict', '--ignore-missing-imports', '--cache-dir=/dev/null', '.'];
  expect(await fixture.program(PYTHON, line, { cwd: EXAMPLE }).ended).toMatchObject({ code: 0, stderr: '' });
});

test(
  'the terminal in Python: keeps the rules',
  async () => {
    const cases = ALL ? [] : SAMPLE;
    const { tried, ...found } = await certify(cases);
    expect(found).toEqual({ code: 0, failed: [], notShown: [] });
    if (ALL) expect(tried).toBe(DEVICE_CASES.length);
  },
  TIMEOUT_MS,
);

test.concurrent.each([
  ['inquiry', ['payment', 'ended.lost'], 'device.ended.lost: it did not send action.inquired within 20 s'],
  [
    'card-timeout',
    ['payment', 'card.deadline'],
    'device.card.deadline: it did not send action.abandoned within 10 s',
  ],
  [
    'give-up',
    ['payment', 'decision.never'],
    'device.decision.never: it did not send action.abandoned within 45 s',
  ],
  [
    'pin',
    ['payment', 'pin'],
    'device.pin: it asked for the authorisation of a card that needs a PIN, without one',
  ],
  [
    'pin-timeout',
    ['payment', 'pin.deadline'],
    'device.pin.deadline: it did not send action.abandoned within 10 s',
  ],
  [
    'removed-card',
    ['payment', 'card.removed.thrice'],
    'device.card.removed.thrice: it did not send action.abandoned within 10 s',
  ],
])(
  'the terminal in Python: without %s it fails the case of that rule and no other',
  async (gap, cases, reason) => {
    const { code, failed, notShown } = await certify(ALL ? [] : cases, '--without', gap);
    expect([code, failed]).toEqual([1, [reason]]);
    // Without a PIN there is nothing to cancel, or to cut off, while it waits for one.
    const why = gap === 'pin' ? /: it needs device\.pin,|: the device did not ask for the PIN$/ : /^$/;
    expect(notShown.filter((one) => !why.test(one))).toEqual([]);
  },
  TIMEOUT_MS,
);
