import { expect, test } from 'vitest';
import { KEY, refusal, createCliFixture, terminal, type CliFixture } from '../cli-fixture.ts';

const TERMINALS = 'GET /v1/in-person/terminals';
const TERMINAL = '/v1/in-person/terminals/tml_1';
const ok = (body: unknown) => ({ status: 200, body });

function shop(): CliFixture {
  const on = createCliFixture();
  on.answer(TERMINALS, ok({ items: [terminal(null)], paginationToken: null }));
  return on;
}

test('pay: takes a payment on the only terminal', async () => {
  const on = shop();
  on.answer(`POST ${TERMINAL}/payment`, ok(terminal({})));
  expect(await on.run('pay', '1742')).toBe(0);
  expect(on.requests.at(-1)).toMatchObject({
    authorization: KEY,
    body: { amounts: { requested: 1742 }, currency: 'GBP' },
  });
  expect(on.out).toBe('Payment  17.42 GBP  InProgress  ps_1  tml_1\n');
});

test('pay: finds a terminal by id or serial number', async () => {
  const on = shop();
  on.answer(`POST ${TERMINAL}/payment`, ok(terminal({})));
  expect(await on.run('pay', 'SIM-0001', '1742')).toBe(0);
  expect(await on.run('pay', 'tml_1', '1742')).toBe(0);
  expect(await on.run('pay', 'SIM-0009', '1742')).toBe(1);
  expect(on.err).toBe("tapbench: no terminal has the id or serial number 'SIM-0009'\n");
});

test('pay: requires TERMINAL when there are several', async () => {
  const on = createCliFixture();
  const more = [terminal(null), { ...terminal(null), id: 'tml_2' }];
  on.answer(TERMINALS, ok({ items: more, paginationToken: null }));
  expect(await on.run('pay', '1742')).toBe(1);
  expect(on.err).toContain('TERMINAL is required, there are 2: SIM-0001, SIM-0001');
});

test.each([
  [{ status: 'Succeeded' }, 0, 'Succeeded'],
  [{ status: 'Failed', code: 'insufficient_funds' }, 2, 'Failed insufficient_funds'],
  [{ status: 'Cancelled' }, 2, 'Cancelled'],
])('pay: --wait waits for the end: %j exits with %i', async (end, code, words) => {
  const on = shop();
  on.answer(`POST ${TERMINAL}/payment`, ok(terminal({})));
  on.answer(`GET ${TERMINAL}`, ok(terminal({})), ok(terminal({})), ok(terminal(end)));
  expect(await on.run('pay', '1742', '--wait')).toBe(code);
  expect(on.out).toBe(`Payment  17.42 GBP  ${words}  ps_1  tml_1\n`);
});

test('pay: --wait shows progress on standard error after a second', async () => {
  const on = shop();
  on.answer(`POST ${TERMINAL}/payment`, ok(terminal({})));
  const waiting = Array.from({ length: 50 }, () => ok(terminal({ merchant: 'Required' })));
  on.answer(`GET ${TERMINAL}`, ...waiting, ok(terminal({ status: 'Succeeded' })));
  expect(await on.run('pay', '1742', '--wait', '--pos-receipts')).toBe(0);
  expect(on.requests[1]?.body).toMatchObject({ settings: { receiptPrintingSource: 'PointOfSale' } });
  expect(on.err).toContain("waiting for 'tapbench confirm-receipt' of the merchant copy (1 s)\n");
});

test('pay: --wait fails when another action has started', async () => {
  const on = shop();
  on.answer(`POST ${TERMINAL}/payment`, ok(terminal({})));
  on.answer(`GET ${TERMINAL}`, ok(terminal({ id: 'tmlact_2', status: 'Succeeded' })));
  expect(await on.run('pay', '1742', '--wait')).toBe(1);
  expect(on.err).toContain('another action started on the terminal: fetch ps_1');
});

test('pay: --json prints the reply of the API', async () => {
  const on = shop();
  on.answer(`POST ${TERMINAL}/payment`, ok(terminal({})));
  expect(await on.run('pay', '1742', '--json')).toBe(0);
  expect(JSON.parse(on.out)).toEqual(terminal({}));
});

test('refund: refunds a part, or the amount not yet refunded', async () => {
  const on = shop();
  on.answer(`POST ${TERMINAL}/refund`, ok(terminal({})));
  expect(await on.run('refund', 'ps_1', '--amount', '500', '--refund-platform-fee')).toBe(0);
  expect(on.requests.at(-1)?.body).toEqual({
    paymentSession: { id: 'ps_1' },
    amount: 500,
    refundPlatformFee: true,
  });
  expect(await on.run('refund', 'SIM-0001', 'ps_1')).toBe(0);
  expect(on.requests.at(-1)?.body).toEqual({ paymentSession: { id: 'ps_1' }, refundPlatformFee: false });
});

test('cancel: prints how the action ended', async () => {
  const on = shop();
  on.answer(`POST ${TERMINAL}/cancel-action`, ok(terminal({ status: 'Cancelled' })));
  expect(await on.run('cancel')).toBe(0);
  expect(on.out).toContain('Cancelled');
});

test('confirm-receipt: confirms the required copy', async () => {
  const on = shop();
  on.answer(`GET ${TERMINAL}`, ok(terminal({ merchant: 'Succeeded', customer: 'Required' })));
  on.answer(`POST ${TERMINAL}/confirm-receipt`, ok(terminal({ status: 'Succeeded' })));
  expect(await on.run('confirm-receipt')).toBe(0);
  expect(on.requests.at(-1)?.body).toEqual({ customerCopy: { status: 'Succeeded' } });
});

test('confirm-receipt: confirms the given copies', async () => {
  const on = shop();
  on.answer(`POST ${TERMINAL}/confirm-receipt`, ok(terminal({})));
  expect(await on.run('confirm-receipt', '--merchant', 'Succeeded', '--customer', 'Failed')).toBe(0);
  expect(on.requests.at(-1)?.body).toEqual({
    merchantCopy: { status: 'Succeeded' },
    customerCopy: { status: 'Failed' },
  });
});

test('confirm-receipt: fails without a request when no copy is required', async () => {
  const on = shop();
  on.answer(`GET ${TERMINAL}`, ok(terminal({})));
  expect(await on.run('confirm-receipt')).toBe(1);
  expect(on.err).toBe('tapbench: no receipt copy requires a confirmation\n');
});

test('present-card: presents a card to the terminal', async () => {
  const on = shop();
  on.answer('GET /sandbox/terminals/tml_1', ok({ id: 'tml_1', online: true }));
  on.answer('POST /sandbox/terminals/tml_1/present-card', ok({ id: 'tml_1' }));
  expect(await on.run('present-card', '--card', 'visa-contact-pin', '--entry-mode', 'Contact')).toBe(0);
  expect(on.requests.at(-1)?.body).toEqual({ card: 'visa-contact-pin', entryMode: 'Contact' });
  expect(await on.run('present-card')).toBe(0);
  expect(on.requests.at(-1)?.body).toEqual({ card: 'visa-contactless' });
});

test('present-card: exits with 1 when the terminal is offline', async () => {
  const on = shop();
  on.answer('GET /sandbox/terminals/tml_1', ok({ id: 'tml_1', online: false }));
  expect(await on.run('present-card', '--json')).toBe(1);
  expect([on.out, on.err]).toEqual(['', 'tapbench: tml_1 is offline: no card was presented\n']);
  expect(on.requests.some(({ method }) => method === 'POST')).toBe(false);
});

test('connectApi: prints the message of a refusal', async () => {
  const on = shop();
  on.answer(
    `POST ${TERMINAL}/payment`,
    refusal(409, 'the terminal has an action in progress: cancel it, or wait for it to end'),
  );
  expect(await on.run('pay', '1742')).toBe(1);
  expect(on.err).toBe(
    'tapbench: the terminal has an action in progress: cancel it, or wait for it to end (409)\n',
  );
});

test('connectApi: an unknown key prints where the key came from', async () => {
  const on = createCliFixture();
  on.answer(TERMINALS, refusal(403, 'the API key is unknown: use a key of this server'));
  expect(await on.run('pay', '1742')).toBe(1);
  expect(on.err).toContain(
    'the API key is unknown: use a key of this server (403); the key comes from SECRET_KEY, else from DATA_DIR',
  );
  expect(on.err).not.toContain(KEY);
});

test('connectApi: waits for Retry-After on 429', async () => {
  const on = shop();
  on.answer(`POST ${TERMINAL}/payment`, { ...refusal(429, 'slow down'), retryAfter: '3' }, ok(terminal({})));
  const startMs = on.clock.nowMs();
  expect(await on.run('pay', '1742')).toBe(0);
  expect(on.clock.nowMs() - startMs).toBe(3000);
});

test('connectApi: distinguishes no server from a server that is not Tapbench', async () => {
  const nobody = createCliFixture();
  expect(await nobody.run('pay', '1742')).toBe(1);
  expect(nobody.err).toMatch(
    /no server at http:\/\/127\.0\.0\.1:8080, the default, as \S+server\.json is not there: start one with 'tapbench up'/,
  );

  const other = createCliFixture();
  other.answer(TERMINALS, { status: 200 });
  expect(await other.run('pay', '1742')).toBe(1);
  expect(other.err).toContain('is that a Tapbench server?');
});

test('connectApi: --account sends the Account header', async () => {
  const on = shop();
  on.answer(`POST ${TERMINAL}/payment`, ok(terminal({})));
  expect(await on.run('pay', '1742', '--account', 'ac_1')).toBe(0);
  expect(on.requests.map(({ account }) => account)).toEqual(['ac_1', 'ac_1']);
});

test('connectApi: without a key prints where it is looked up', async () => {
  const on = createCliFixture({ DATA_DIR: '/nonexistent' });
  expect(await on.run('pay', '1742')).toBe(1);
  expect(on.err).toContain('SECRET_KEY is not set and /nonexistent/keys.json has none');
});
