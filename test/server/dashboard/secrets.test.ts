import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../protocol/log.ts';
import type { WatchTarget } from '../../../server/dashboard/view.ts';
import { TEST_CARDS } from '../../../protocol/test-cards.ts';
import { findCardNumbers } from '../../kit/card-numbers.ts';
import { card, CARDS, openCheckout } from '../../kit/checkout.ts';
import { openReaderFixture } from '../../kit/reader-fixture.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';
import { openPage, tokenOf } from './open-page.ts';

let world: World;
let logged: string[];
beforeEach(async () => {
  logged = [];
  const destination = { write: (line: string) => void logged.push(line) };
  world = await startWorld({ log: createLog({ level: 'trace', destination }) });
});
afterEach(() => world.close());

/** Everything that a page can see of these targets, and whatever it asks for besides. */
async function everythingShown(targets: WatchTarget[]): Promise<string> {
  const pages = [];
  for (const target of targets) pages.push(await openPage(world, target));
  const api = world.api.withKey(tokenOf(world));
  const paths = [
    '/sandbox/deliveries',
    '/sandbox/webhooks',
    '/dashboard/cards',
    '/dashboard/fault-names',
    '/dashboard/machines',
  ];
  const answers = [];
  for (const path of paths) answers.push(JSON.stringify((await api.get(path)).body));
  return [...pages.map(({ text }) => text), ...answers].join('\n');
}

function expectNoKeys(text: string): void {
  const { secretKey, publicKey, pairingSecret } = world.server.services.settings;
  for (const secret of [secretKey, publicKey, pairingSecret]) expect(text).not.toContain(secret);
}

test('dashboard secrets: no page gets the card, its code or a secret of an online payment', async () => {
  const shop = await world.listen('shop', ['PaymentSession.captured', 'PaymentSession.declined']);
  const checkout = openCheckout(world.api);
  const session = await checkout.session();
  const { secretKey } = world.server.services.settings;
  await checkout.attempt(session, { cardDetails: card(CARDS.declining, { cvc: '222' }) });
  await checkout.attempt(session, { cardDetails: card(CARDS.plain, { expiryMonth: '13', cvc: '987' }) });
  await checkout.attempt(session, {
    cardDetails: card(CARDS.plain, { cvc: '987', name: `my key is ${secretKey}` }),
  });
  const text = await everythingShown([{ kind: 'object', id: session.id }]);

  expect(text).toContain('POST /payment-sessions/attempt-payment 200');
  expect(text).toContain('awaitingPayment → approved');
  expect(text).toContain('PaymentSession.captured: 200 → shop.example');
  expect(findCardNumbers(text)).toEqual([]);
  expectNoKeys(text);
  for (const secret of [session.clientSecret, '"987"', '"222"', shop.secret])
    expect(text).not.toContain(secret);
});

test('dashboard secrets: no page gets the card, the PIN or a secret of a terminal payment', async () => {
  const till = openTill(world, await world.addTerminal());
  const path = `/sandbox/terminals/${till.terminal.terminalId}`;
  const started = await till.pay(15_000);
  await till.reaches('awaitingCard');
  await world.api.post(`${path}/present-card`, { card: 'visa-contact-pin', entryMode: 'Contact' });
  await till.reaches('awaitingPin');
  await world.api.post(`${path}/press-keys`, { keys: ['1', '2', '3', '4'] });
  await world.settled();
  await world.api.post(`${path}/press-keys`, { keys: ['enter'] });
  await world.settled();
  const { id, transaction } = started.body.action;
  const text = await everythingShown([
    { kind: 'terminal', id: till.terminal.terminalId },
    { kind: 'action', id },
    { kind: 'object', id: transaction.paymentSessionId },
  ]);

  expect(text).toContain('"keys":["•","•","•","•"]');
  expect(text).toContain('Enter PIN / ****');
  expect(text).toContain('PaymentSession.captured');
  expect(findCardNumbers(text)).toEqual([]);
  expect(text).not.toContain('"1","2","3","4"');
  expectNoKeys(text);
  const { body } = await world.api.get(`/v1/payment-sessions/${transaction.paymentSessionId}`);
  expect(text).not.toContain(body.clientSecret);
});

test('dashboard secrets: a token is in no log and in no message', async () => {
  const page = await openPage(world, { kind: 'terminal', id: (await world.addTerminal()).terminalId });
  const api = world.api.withKey(tokenOf(world));
  const { body } = await api.post('/sandbox/clock/advance', { seconds: 60 });
  expect(body.offsetSeconds).toBe(60);
  expect((await api.get('/v1/customers')).status).toBe(403);
  const { secretKey: key } = world.server.services.settings;
  expect((await world.api.withKey('').post('/dashboard/session', { key })).body.token).toBe(tokenOf(world));
  await world.settled();
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.join('\n')).not.toContain('dash_');
  expect(page.text).not.toContain('dash_');
});

test.each([
  ['pn532', 'visa-contactless'],
  ['ccid', 'visa-contact-pin'],
  ['vivotech', 'visa-contactless'],
  ['zvt', 'visa-contactless'],
])(
  'dashboard secrets: frames of a %s are shown byte by byte, without the card and its PIN',
  async (driver, cardName) => {
    const shop = await openReaderFixture({ driver });
    try {
      const { body } = await shop.pays(1742, cardName);
      await shop.soon('the end, or a PIN', async () => {
        if (shop.terminal.status.state?.endsWith('awaitingPin'))
          shop.terminal.press(['1', '2', '3', '4', 'enter']);
        return (await shop.till.action()).status !== 'InProgress';
      });
      const page = await openPage(shop.world, { kind: 'action', id: body.action.id });
      const frames = page.last('timeline')!.entries.filter(({ kind }) => kind.startsWith('serial.'));
      expect(frames.filter(({ kind }) => kind === 'serial.out').length).toBeGreaterThan(2);
      expect(frames.filter(({ kind }) => kind === 'serial.in').length).toBeGreaterThan(2);
      const bytes = frames.map((frame) => frame.bytes!);
      for (const shown of bytes) expect(shown).toMatch(/^([0-9A-F]{2}|··)+$/);
      const text = bytes.join('\n');
      const packed = TEST_CARDS.flatMap(({ number }) => [number, Buffer.from(number).toString('hex')]);
      for (const number of packed) expect(text).not.toContain(number);
      expect(text).not.toContain('241234FFFFFFFFFF');
      expect(findCardNumbers(page.text.replaceAll(/"bytes":"[^"]*"/g, ''))).toEqual([]);
      if (driver !== 'zvt') expect(text).toContain('··');
    } finally {
      await shop.close();
    }
  },
);
