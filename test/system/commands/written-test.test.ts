import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

/** Makes a project in which `tapbench` and `vitest` are installed. */
function newProject(): string {
  const folder = fixture.folder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/tapbench'));
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}

function runTests(folder: string) {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const env = { VITEST: '', NO_COLOR: '1' };
  // The five seconds of vitest are short for a machine that does other work as well.
  const words = [vitest, 'run', '--root', folder, '--testTimeout=60000', '--hookTimeout=60000'];
  return fixture.program(process.execPath, words, { env }).ended;
}

/** Takes a payment at the terminal, whose cardholder taps, and polls it until it has ended, as a shop does. */
async function payAtTerminal({ api, terminals }: Tapbench, requested: number): Promise<string> {
  const path = `/v1/in-person/terminals/${terminals[0]!.id}`;
  const { body } = await api('POST', `${path}/payment`, { amounts: { requested }, currency: 'GBP' });
  await waitFor('the action ends', async () => {
    const { action } = (await api('GET', path)).body;
    return action.status !== 'InProgress' && action;
  });
  return body.action.transaction.paymentSessionId;
}

test('trace --to vitest: the test of a recorded server passes, and fails once an expectation is changed', async () => {
  const tapbench = await fixture.tapbench();
  const { api, url, secretKey } = tapbench;
  const receiver = await fixture.receiver();
  const eventTypes = ['PaymentSession.captured', 'Terminal.action_updated'];
  await api('POST', '/v1/webhooks', { url: receiver.url, active: true, eventTypes });
  await payAtTerminal(tapbench, 500);
  const { body: recording } = await api('POST', '/sandbox/recordings', { title: 'a morning' });
  const paid = await payAtTerminal(tapbench, 1742);
  await payAtTerminal(tapbench, 1901);
  await api('POST', '/v1/customers', { email: 'sam@example.com', name: 'Sam Reid' });
  await api('POST', '/sandbox/clock/advance', { seconds: 86_400 });
  await api('POST', `/v1/payment-sessions/${paid}/refunds`, { amount: 242 });
  await waitFor('the webhooks arrive', () => receiver.deliveries.length >= 8);

  const project = newProject();
  const file = join(project, 'morning.tapbench');
  const env = { TAPBENCH_URL: url, SECRET_KEY: secretKey };
  expect((await fixture.run(['recordings', 'save', recording.id, file], { env })).code).toBe(0);
  const written = await fixture.run(['trace', file, '--to', 'vitest']);
  const testFile = join(project, 'morning.test.ts');
  expect([written.code, written.stdout]).toEqual([0, `${testFile}\n`]);
  const code = readFileSync(testFile, 'utf8');
  expect(code).toContain('{ amounts: { requested: 1742 }, currency: ');
  expect(code).toContain('await world.advance({ minutes: 1440 });');

  const passed = await runTests(project);
  expect([passed.stdout, passed.code]).toEqual([expect.stringMatching(/Tests +1 passed/), 0]);

  // A test that was edited is not written over.
  const again = await fixture.run(['trace', file, '--to', 'vitest']);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('file already exists')]);

  writeFileSync(testFile, code.replace('refundedAmount: 242', 'refundedAmount: 243'));
  const failed = await runTests(project);
  expect([failed.stdout + failed.stderr, failed.code]).toEqual([
    expect.stringContaining('"refundedAmount": 243'),
    1,
  ]);
});
