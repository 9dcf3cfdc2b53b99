import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ended } from './child-command.ts';
import type { Json } from './http-call.ts';
import { waitFor } from './wait-for.ts';
import type { Tapbench } from './tapbench.ts';
import { createSystemFixture } from './system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let tapbench: Tapbench;
beforeAll(async () => {
  tapbench = await fixture.tapbench();
});

/** Runs a command as somebody on the same machine would, who has the key from the data folder. */
const run = (...words: string[]): Promise<Ended> =>
  fixture.run(words, { env: { TAPBENCH_URL: tapbench.url, DATA_DIR: tapbench.dataDir! } });

const runJson = async (...words: string[]): Promise<Json> =>
  JSON.parse((await run(...words, '--json')).stdout);

const cardholder = (script: string) =>
  tapbench.api('POST', `/sandbox/terminals/${tapbench.terminals[0]!.id}/cardholder`, { script });

test('wait: ends when the server and its terminal are there, and says what is missing otherwise', async () => {
  expect(await run('wait')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  const missing = await run('wait', '--terminals', '2', '--timeout', '1');
  expect([missing.code, missing.stdout]).toEqual([1, '']);
  expect(missing.stderr).toMatch(/^tapbench: .*not ready after 1 s: 1 of 2 terminals online$/m);
});

test('terminals: lists the registered terminals', async () => {
  const { code, stdout } = await run('terminals');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^tml_\w+ +SIM-0001 .* online +-$/m);
});

test('pay, refund: refunds in part, then the rest, and no more', async () => {
  const paid = await run('pay', '1742', '--wait');
  expect(paid).toMatchObject({ code: 0, stderr: expect.not.stringContaining('tapbench:') });
  expect(paid.stdout).toMatch(/^Payment {2}17\.42 GBP {2}Succeeded /);
  const [session] = /ps_\w+/.exec(paid.stdout)!;
  expect((await run('refund', session, '--amount', '742', '--wait')).stdout).toMatch(/^Refund {2}7\.42 GBP/);
  expect(await run('refund', session, '--wait')).toMatchObject({ code: 0 });
  expect(await run('refund', session)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^tapbench: .*already fully refunded.*\n$/),
  });
});

test('pay: a declined payment ends with its own exit code', async () => {
  const declined = await run('pay', 'SIM-0001', '1901', '--wait');
  expect(declined.code).toBe(2);
  expect(declined.stdout).toContain('Failed insufficient_funds');
});

test('faults add: a name that does not exist is refused with the nearest one', async () => {
  const added = await run('faults', 'add', 'terminal.state', 'network-down', '--state', 'authorizing');
  expect([added.code, added.stdout]).toEqual([1, '']);
  expect(added.stderr).toContain('must be a state of the machine of a terminal, such as authorising');
  expect(await runJson('faults')).toEqual([]);
});

test('cancel: ends the current action, and is refused without one', async () => {
  await cardholder('none');
  expect((await runJson('pay', '500')).action.status).toBe('InProgress');
  expect((await runJson('cancel')).action.status).toBe('Cancelled');
  expect(await run('cancel')).toMatchObject({ code: 1, stderr: expect.stringContaining('no action') });
});

test('present-card: presents a card', async () => {
  await cardholder('none');
  const paying = fixture.command(['pay', '600', '--wait', '--json'], {
    env: { TAPBENCH_URL: tapbench.url, DATA_DIR: tapbench.dataDir! },
  });
  await waitFor('the terminal to ask for a card', async () => {
    const presented = await run('present-card', '--card', 'mastercard-contactless');
    return presented.code === 0;
  });
  expect((await paying.ended).code).toBe(0);
  expect(await run('present-card', '--card', 'no-such-card')).toMatchObject({ code: 1, stdout: '' });
});

test('present-card: fails when the terminal is offline, and presents nothing', async () => {
  const network = `/sandbox/terminals/${tapbench.terminals[0]!.id}/network`;
  await tapbench.api('POST', network, { state: 'off' });
  await waitFor('the server to notice', async () => !(await runJson('terminals'))[0].online);
  expect(await run('present-card', 'SIM-0001')).toEqual({
    code: 1,
    signal: null,
    stdout: '',
    stderr: `tapbench: ${tapbench.terminals[0]!.id} is offline: no card was presented\n`,
  });
  await tapbench.api('POST', network, { state: 'on' });
  await waitFor('it to come back', async () => (await runJson('terminals'))[0].online);
  expect((await run('present-card', 'SIM-0001')).code).toBe(0);
  await tapbench.api('POST', `/sandbox/terminals/${tapbench.terminals[0]!.id}/remove-card`);
});

test('confirm-receipt: confirms the merchant copy, then the customer copy, and then fails', async () => {
  await cardholder('tap');
  await run('pay', '700', '--pos-receipts');
  await waitFor('the merchant copy', async () => {
    const { action } = (await runJson('terminals'))[0];
    return action.transaction.receiptDetail.merchantCopy.status === 'Required';
  });
  expect((await run('confirm-receipt')).stdout).toContain('customerCopy Required');
  expect((await run('confirm-receipt')).stdout).toContain('Succeeded');
  expect(await run('confirm-receipt')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no receipt'),
  });
});

test('listen: prints each webhook, its signature checked, and deletes its endpoint', async () => {
  const listening = fixture.command(['listen', '--json'], {
    env: { TAPBENCH_URL: tapbench.url, DATA_DIR: tapbench.dataDir! },
  });
  await waitFor('to listen', () => listening.stderr.includes('listening'));
  await run('pay', '800', '--wait');
  await listening.prints(/PaymentSession\.captured/);
  const lines: Json[] = listening.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ signed }) => signed)).not.toContain(false);
  expect(await listening.kill('SIGINT')).toMatchObject({ code: 0 });
  expect((await tapbench.api('GET', '/v1/webhooks')).body.items).toEqual([]);
});

test('trigger: a webhook of another window receives the event', async () => {
  const listening = fixture.command(['listen', '--events', 'Payout.status_updated'], {
    env: { TAPBENCH_URL: tapbench.url, DATA_DIR: tapbench.dataDir! },
  });
  await waitFor('to listen', () => listening.stderr.includes('listening'));
  const triggered = await run('trigger', 'Payout.status_updated', '--set', 'amount=1742', '--json');
  expect(triggered.code).toBe(0);
  expect(JSON.parse(triggered.stdout).data).toMatchObject({ amount: 1742, status: 'Completed' });
  await listening.prints(/✓ signed +Payout\.status_updated +po_\w+ {2}Completed/);
  await listening.kill('SIGINT');
});

test('simulated terminal: a payment by PIN, without a cardholder, and its receipt', async () => {
  expect((await run('cardholder', 'none')).stdout).toMatch(
    /^tml_\w+ {2}power on {2}network on {2}\d+ sheets$/m,
  );
  await run('pay', '2599');
  await waitFor('the terminal to ask for a card', async () => {
    return (await run('present-card', '--card', 'visa-contact-pin')).code === 0;
  });
  await waitFor(
    'the terminal to ask for a PIN',
    async () => (await run('press-keys', '1234,enter')).code === 0,
  );
  await waitFor('the receipt', async () => (await run('receipt')).code === 0);
  const { stdout } = await run('receipt', '--copy', 'customer');
  expect(stdout).toMatch(/PIN VERIFIED/);
  expect(stdout).not.toContain('MERCHANT COPY');
  await cardholder('tap');
});

test('power, network, paper: change the simulated terminal', async () => {
  expect((await run('paper', '7')).stdout).toContain('power on  network on  7 sheets');
  expect((await run('network', 'off')).stdout).toContain('network off');
  expect((await run('network', 'on')).stdout).toContain('network on');
  expect((await run('power', 'off')).stdout).toContain('power off');
  expect((await run('power', 'on')).stdout).toContain('power on');
  expect((await run('paper', '100')).code).toBe(0);
});

test('clock, events, webhooks, locations, keys, reset: do what they say', async () => {
  const before = await runJson('clock');
  expect((await runJson('clock', 'advance', '2d')).nowTimestamp - before.nowTimestamp).toBeGreaterThanOrEqual(
    2 * 86_400,
  );
  const { id } = await runJson('webhooks', 'add', 'http://127.0.0.1:9/hook', '--events', 'Customer.created');
  const event = await runJson('trigger', 'Customer.created');
  expect((await run('events', 'deliver', event.id)).stdout).toBe(`${event.id} is sent to 1 webhook\n`);
  expect((await run('events')).stdout).toContain(event.id);
  expect((await run('webhooks')).stdout).toContain(id);
  expect((await run('webhooks', 'delete', id)).code).toBe(0);
  const location = await runJson('locations', 'add', 'South Hall');
  expect((await run('locations')).stdout).toContain(`${location.id}  South Hall `);
  expect((await run('locations', 'delete', location.id)).code).toBe(0);
  expect((await run('keys', 'secretKey')).stdout).toBe(`${tapbench.secretKey}\n`);
  expect(await run('reset')).toMatchObject({ code: 0, stdout: 'all data deleted\n' });
  expect(await runJson('events', '--limit', '1')).toEqual([]);
});

test('commands: without a server each prints one line', async () => {
  const env = { TAPBENCH_URL: 'http://127.0.0.1:9', SECRET_KEY: 'sk_sandbox_nobody' };
  const lines = [
    ['terminals'],
    ['pay', '100'],
    ['refund', 'ps_1'],
    ['cancel'],
    ['confirm-receipt'],
    ['present-card'],
    ['listen'],
    ['trigger', 'Customer.created'],
    ['clock'],
    ['clock', 'advance', '1'],
    ['reset'],
    ['events'],
    ['webhooks'],
    ['locations'],
    ['receipt'],
    ['power', 'off'],
    ['wait', '--timeout', '1'],
  ];
  for (const words of lines) {
    const { code, stdout, stderr } = await fixture.run(words, { env });
    expect([words, code, stdout]).toEqual([words, 1, '']);
    expect(stderr.split('\n').filter((line) => line.startsWith('tapbench: '))).toHaveLength(1);
    expect(stderr).toContain('127.0.0.1:9');
  }
});

test('record: records until Ctrl-C, writes the file and leaves no recording', async () => {
  const file = join(fixture.folder(), 'session.tapbench');
  const recording = fixture.command(['record', file], {
    env: { TAPBENCH_URL: tapbench.url, DATA_DIR: tapbench.dataDir! },
  });
  await waitFor('the recording to begin', () => recording.stderr.includes('Ctrl-C to stop'));
  const customer = await tapbench.api('POST', '/v1/customers', { email: 'ana@corner.example' });
  // Longer than a process runs that has nothing to wait for.
  await run('terminals');
  expect(recording.running).toBe(true);
  expect(await recording.kill('SIGINT')).toMatchObject({ code: 0, stdout: `recorded in ${file}\n` });
  expect((await run('trace', file, '--json')).stdout).toContain(customer.body.id);
  expect(await runJson('recordings')).toEqual([]);
});

test('listen --forward: keeps bytes and path, follows no redirect, and reports the status', async () => {
  const statuses = [301, 307, 308, 200];
  const numberOf = (event: Json): number => Number(/ana-(\d)/.exec(event.data.email)![1]);
  const seen: { url: string; method: string; body: string; signature: unknown }[] = [];
  const shop = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url, method, headers } = request;
      const body = Buffer.concat(chunks).toString();
      seen.push({ url: url!, method: method!, body, signature: headers['signature'] });
      response.writeHead(statuses[numberOf(JSON.parse(body)) - 1]!, { location: '/elsewhere' }).end();
    });
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  fixture.onCleanUp(() => void shop.close());
  const { port } = shop.address() as AddressInfo;
  const forward = ['--forward', `http://127.0.0.1:${port}/webhook/?next=/`];
  const listening = fixture.command(['listen', '--json', '--events', 'Customer.created', ...forward], {
    env: { TAPBENCH_URL: tapbench.url, DATA_DIR: tapbench.dataDir! },
  });
  await waitFor('the webhook to be registered', () => listening.stderr.includes('Ctrl-C to stop'));
  for (let sent = 1; sent <= statuses.length; sent += 1) {
    await tapbench.api('POST', '/v1/customers', { email: `ana-${sent}@corner.example` });
    await waitFor(`delivery ${sent}`, () => listening.stdout.split('\n').length > sent);
  }
  await listening.kill('SIGINT');
  const lines = listening.stdout
    .trim()
    .split('\n')
    .map((line): Json => JSON.parse(line));
  // The server tries again what was not accepted.
  const results = lines.map(({ forwarded, signed, event }) => [numberOf(event), forwarded, signed].join(' '));
  expect([...new Set(results)].toSorted()).toEqual(
    statuses.map((status, index) => `${index + 1} ${status} true`),
  );
  const events = lines.map(({ event }) => event);
  for (const { url, method, body, signature } of seen) {
    expect([url, method]).toEqual(['/webhook/?next=/', 'POST']);
    expect(events).toContainEqual(JSON.parse(body));
    expect(signature).toMatch(/./);
  }
});
