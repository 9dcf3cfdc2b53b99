import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Child } from '../kit/child-command.ts';
import type { Json } from '../kit/http-call.ts';
import { waitFor } from '../kit/wait-for.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
let server: Tapbench;
let plugged = 0;
beforeAll(async () => {
  server = await fixture.tapbench();
});
afterAll(() => fixture.cleanUp());

/** A twin at a pty, and a terminal that takes cards with it: two commands, as a person types them. */
async function plugIn(
  driver: string,
  card: string,
  ...more: string[]
): Promise<{ agent: Child; id: string; twin: Child }> {
  // The end of its name is that of the terminal: each reader has one of its own.
  const link = join(fixture.folder(), `ttyReader${++plugged}`);
  const twin = fixture.command(['twin', driver, '--link', link, '--card', card]);
  await twin.prints(/Ctrl-C/);
  return { ...(await startAgent(driver, link, ...more)), twin };
}

/** A terminal with its reader at a port. */
async function startAgent(
  driver: string,
  port: string,
  ...more: string[]
): Promise<{ agent: Child; id: string }> {
  const env = { SECRET_KEY: server.secretKey, TAPBENCH_URL: server.url, DATA_DIR: fixture.folder() };
  const agent = fixture.command(['agent', '--driver', driver, '--port', port, ...more], { env });
  const [, id] = await waitFor(
    'the terminal to say who it is',
    () => /terminal (tml_\w+), /.exec(agent.stderr) ?? failed(agent),
  );
  await agent.prints(/Ready/);
  return { agent, id: id! };
}

function failed(agent: Child): undefined {
  if (!agent.running) throw new Error(agent.stderr);
  return undefined;
}

async function pay(id: string, amount: number, more: object = {}): Promise<Json> {
  const body = { amounts: { requested: amount }, currency: 'GBP', ...more };
  return (await server.api('POST', `/v1/in-person/terminals/${id}/payment`, body)).body;
}

const actionOf = async (id: string): Promise<Json> =>
  (await server.api('GET', `/v1/in-person/terminals/${id}`)).body.action;

function endOf(id: string): Promise<Json> {
  return waitFor('the end of the action', async () => {
    const action = await actionOf(id);
    return action.status === 'InProgress' ? undefined : action;
  });
}

async function expectCaptured(started: Json, amount: number): Promise<void> {
  const sessionId = started.action.transaction.paymentSessionId;
  const { body } = await server.api('GET', `/v1/payment-sessions/${sessionId}`);
  expect(body).toMatchObject({ status: 'Captured', amount });
}

test.each(['pn532', 'vivotech'])(
  '%s: a contactless card pays, and its cryptogram is verified',
  async (driver) => {
    const { id, agent } = await plugIn(driver, 'visa-contactless');
    const started = await pay(id, 1742);
    expect(await endOf(id)).toMatchObject({ status: 'Succeeded', error: null });
    await expectCaptured(started, 1742);
    await agent.prints(/CUSTOMER COPY/);
  },
);

test('pn532: a card with a wrong cryptogram is declined', async () => {
  const { id } = await plugIn('pn532', 'visa-wrong-cryptogram');
  await pay(id, 1742);
  expect(await endOf(id)).toMatchObject({ status: 'Failed', error: { code: 'suspected_fraud' } });
});

test('pn532: the API, the sandbox and the command line have the reason when the reader is unplugged', async () => {
  const { id, twin } = await plugIn('pn532', 'none');
  const started = await pay(id, 1742);
  await waitFor('the terminal to look for a card', async () => {
    const { body } = await server.api('GET', `/sandbox/terminals/${id}`);
    return body.state === 'awaitingCard' || undefined;
  });
  await twin.kill();
  const { error } = await endOf(id);
  expect(error).toMatchObject({ code: 'unexpected_error', reason: expect.stringMatching(/\w/) });
  const { reason } = error;
  const { body } = await server.api('GET', `/sandbox/actions/${started.action.id}`);
  expect(body.error).toMatchObject({ reason });
  const env = { SECRET_KEY: server.secretKey, TAPBENCH_URL: server.url };
  const printed = await fixture.run(['action', '--action', started.action.id], { env });
  expect(printed.stdout).toContain(`Failed unexpected_error (${reason})`);
});

test('ccid: a card in the slot pays with its PIN, entered through the sandbox', async () => {
  const { id } = await plugIn('ccid', 'visa-contact-pin');
  const started = await pay(id, 1742);
  await waitFor('the PIN to be asked for', async () => {
    const keys = ['1', '2', '3', '4', 'enter'];
    return (await server.api('POST', `/sandbox/terminals/${id}/press-keys`, { keys })).status === 200;
  });
  expect(await endOf(id)).toMatchObject({ status: 'Succeeded' });
  await expectCaptured(started, 1742);
});

test('zvt: a payment terminal authorises at its own bank, and the point of sale prints its receipts', async () => {
  const { id } = await plugIn('zvt', 'visa-contactless');
  const settings = { receiptPrintingSource: 'PointOfSale' };
  const started = await pay(id, 1742, { settings });
  const receipt = await waitFor('the receipt', async () => {
    const answer = await server.api('GET', `/sandbox/actions/${started.action.id}/receipt`);
    return answer.status === 200 ? answer.body : undefined;
  });
  expect(receipt.merchantCopy).toMatch(/H Ä N D L E R B E L E G/);
  const confirm = (copies: object) =>
    server.api('POST', `/v1/in-person/terminals/${id}/confirm-receipt`, copies);
  await confirm({ merchantCopy: { status: 'Succeeded' } });
  await confirm({ customerCopy: { status: 'Succeeded' } });
  expect(await endOf(id)).toMatchObject({ status: 'Succeeded' });
  await expectCaptured(started, 1742);
});

test('zvt: what the terminal reversed is shown by the sandbox and the command line', async () => {
  const { id } = await plugIn('zvt', 'visa-contactless');
  const settings = { receiptPrintingSource: 'PointOfSale' };
  const started = await pay(id, 1742, { settings });
  await waitFor('the merchant copy', async () => {
    const { receiptDetail } = (await actionOf(id)).transaction;
    return receiptDetail.merchantCopy.status === 'Required' || undefined;
  });
  const copies = { merchantCopy: { status: 'Failed' } };
  await server.api('POST', `/v1/in-person/terminals/${id}/confirm-receipt`, copies);
  const path = `/sandbox/actions/${started.action.id}`;
  const shown = await waitFor('the report of the reversal', async () => {
    const { body } = await server.api('GET', path);
    return body.deviceReversals.length > 0 ? body : undefined;
  });
  expect(shown).toMatchObject({
    status: 'Failed',
    error: { code: 'receipt_failed' },
    deviceReversals: [
      { reference: '0001/52500041', outcome: 'Reversed', amount: 1742, currency: 'GBP', reason: null },
    ],
  });
  const env = { SECRET_KEY: server.secretKey, TAPBENCH_URL: server.url };
  const printed = await fixture.run(['action', '--action', started.action.id], { env });
  expect(printed.stdout).toContain('reversed at the terminal 17.42 GBP receipt 0001/52500041');
});

test('zvt: a terminal in the network is found by doctor and takes a payment', async () => {
  const twin = fixture.command(['twin', 'zvt', '--tcp', '0', '--card', 'visa-contactless']);
  await twin.prints(/Ctrl-C/);
  const [address] = /tcp:\/\/127\.0\.0\.1:\d+/.exec(twin.stdout)!;
  const found = await fixture.run(['doctor', address, '--driver', 'zvt']);
  expect(found.stdout).toContain('TAPBENCH TWIN, terminal 52500041, our twin');
  expect(found.code).toBe(0);
  const { id } = await startAgent('zvt', address);
  const started = await pay(id, 1742);
  expect(await endOf(id)).toMatchObject({ status: 'Succeeded' });
  await expectCaptured(started, 1742);
});

test('doctor: reports a healthy twin, and the reason for an invalid port', async () => {
  const link = join(fixture.folder(), 'ttyReader');
  const twin = fixture.command(['twin', 'pn532', '--link', link, '--card', 'none']);
  await twin.prints(/Ctrl-C/);
  const healthy = await fixture.run(['doctor', link, '--driver', 'pn532']);
  expect(healthy.stdout).not.toContain('FAIL');
  expect(healthy.code).toBe(0);

  const missing = await fixture.run(['doctor', '/dev/ttyNOTHING', '--driver', 'pn532']);
  expect(missing.stdout).toContain('FAIL');
  expect(missing.code).toBe(1);
});
