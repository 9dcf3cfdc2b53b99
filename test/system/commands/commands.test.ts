import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ended } from '../kit/child-command.ts';
import type { Json } from '../kit/http-call.ts';
import { waitFor } from '../kit/wait-for.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

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

test('wait: gives up after its timeout, and says what is missing', async () => {
  const missing = await run('wait', '--terminals', '2', '--timeout', '1');
  expect([missing.code, missing.stdout]).toEqual([1, '']);
  expect(missing.stderr).toMatch(/^tapbench: .*not ready after 1 s: 1 of 2 terminals online$/m);
});

test('refund: refunds what is left after a part, and no more', async () => {
  const [session] = /ps_\w+/.exec((await run('pay', '1742', '--wait')).stdout)!;
  await run('refund', session, '--amount', '742', '--wait');
  const rest = await run('refund', session, '--wait');
  expect([rest.code, rest.stdout]).toEqual([0, expect.stringMatching(/^Refund {2}10\.00 GBP {2}Succeeded /)]);
  expect(await run('refund', session)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^tapbench: .*already fully refunded.*\n$/),
  });
});

test('faults add: a name that does not exist is refused with the nearest one', async () => {
  const added = await run('faults', 'add', 'terminal.state', 'network-down', '--state', 'authorizing');
  expect([added.code, added.stdout]).toEqual([1, '']);
  expect(added.stderr).toContain('must be a state of the machine of a terminal, such as authorising');
  expect(await runJson('faults')).toEqual([]);
});

test('cancel: is refused without an action in progress', async () => {
  expect(await run('cancel')).toMatchObject({ code: 1, stderr: expect.stringContaining('no action') });
});

test('present-card: refuses a card that does not exist', async () => {
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

test('confirm-receipt: ends the payment with the customer copy, and then fails', async () => {
  await cardholder('tap');
  await run('pay', '700', '--pos-receipts');
  await waitFor('the merchant copy', async () => {
    const { action } = (await runJson('terminals'))[0];
    return action.transaction.receiptDetail.merchantCopy.status === 'Required';
  });
  await run('confirm-receipt');
  expect((await run('confirm-receipt')).stdout).toContain('Succeeded');
  expect(await run('confirm-receipt')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no receipt'),
  });
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
    // What was not accepted is delivered again meanwhile, so the number of lines does not tell.
    await waitFor(`delivery ${sent}`, () => listening.stdout.includes(`ana-${sent}@corner.example`));
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
