import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
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

/** Starts a server and the terminal, certifies it, and returns the exit code and what did not pass. */
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
  const others = results.filter(({ verdict }: Json) => verdict !== 'passed');
  return { code, others: others.map(({ id, verdict, reason }: Json) => `${id} ${verdict}: ${reason}`) };
}

test('the terminal in Python: its types are checked strictly', async () => {
  const line = ['-m', 'mypy', '--strict', '--ignore-missing-imports', '--cache-dir=/dev/null', '.'];
  expect(await fixture.program(PYTHON, line, { cwd: EXAMPLE }).ended).toMatchObject({ code: 0, stderr: '' });
});

test(
  'the terminal in Python: keeps the rules',
  async () => {
    expect(await certify(ALL ? [] : SAMPLE)).toEqual({ code: 0, others: [] });
  },
  TIMEOUT_MS,
);

test.each([
  [
    'inquiry',
    ['payment', 'ended.lost'],
    'device.ended.lost failed: it did not send action.inquired within 20 s',
  ],
  [
    'card-timeout',
    ['payment', 'card.deadline'],
    'device.card.deadline failed: it did not send action.abandoned within 10 s',
  ],
  [
    'give-up',
    ['payment', 'decision.never'],
    'device.decision.never failed: it did not send action.abandoned within 45 s',
  ],
  [
    'pin',
    ['payment', 'pin'],
    'device.pin failed: it asked for the authorisation of a card that needs a PIN, without one',
  ],
  [
    'pin-timeout',
    ['payment', 'pin.deadline'],
    'device.pin.deadline failed: it did not send action.abandoned within 10 s',
  ],
  [
    'removed-card',
    ['payment', 'card.removed.thrice'],
    'device.card.removed.thrice failed: it did not send action.abandoned within 10 s',
  ],
])(
  'the terminal in Python: without %s it fails the case of that rule and no other',
  async (gap, cases, reason) => {
    expect(await certify(cases, '--without', gap)).toEqual({ code: 1, others: [reason] });
  },
  TIMEOUT_MS,
);
