import { afterEach, expect, test } from 'vitest';
import type { BytePort } from '../../../agent/readers/byte-port.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';
import { openReaderFixture, type ReaderFixture } from '../../kit/reader-fixture.ts';

let shop: ReaderFixture;
afterEach(() => shop.close());

/** A Caisse-AP terminal that takes requests and answers when the test says so. */
async function openShop() {
  const heard: string[] = [];
  let device: BytePort | undefined;
  shop = await openReaderFixture({
    driver: 'caisse-ap',
    async open() {
      const [ours, theirs] = bytePipe({ clock: shop.world.clock, latencyMs: 1, path: 'tcp://127.0.0.1' });
      device = theirs;
      theirs.onData((bytes) => heard.push(Buffer.from(bytes).toString()));
      return { ...ours, isLocal: true };
    },
  });
  return { heard, answer: (text: string) => device!.write(Buffer.from(text)), hangUp: () => device!.close() };
}

const APPROVED = 'CZ0040300CA00201CB0041742CD0010CE003826AE00210CI0012AC006614027AA016497010######0154';

test('payment terminal that cannot be cancelled: its approval captures the payment', async () => {
  const device = await openShop();
  const { body } = await shop.till.pay(1742);
  await shop.is('atDevice');
  expect((await shop.till.cancel()).status).toBe(409);
  await device.answer(APPROVED);
  expect(await shop.ended()).toMatchObject({ status: 'Succeeded' });
  const sessionId = body.action.transaction.paymentSessionId;
  expect(await shop.till.session(sessionId)).toMatchObject({ status: 'Captured' });
  expect(device.heard).toHaveLength(1);
});

test.each([
  ['Charged', 'Succeeded', 'Captured'],
  ['NotCharged', 'Failed', undefined],
] as const)(
  'payment terminal that hangs up: the outcome stays unknown over a restart of the server, and is settled as %s',
  async (outcome, status, sessionStatus) => {
    const device = await openShop();
    const { world, till, terminal } = shop;
    const { body } = await till.pay(1742);
    await shop.is('atDevice');
    await device.hangUp();
    await shop.is('outcomeUnknown');
    await world.restartServer();
    await world.advance({ minutes: 20 });
    expect(await till.action()).toMatchObject({ status: 'InProgress' });
    expect((await till.pay(1000)).status).toBe(409);
    expect((await till.cancel()).status).toBe(409);
    const settled = await world.api.post(`/sandbox/terminals/${terminal.terminalId}/settle`, { outcome });
    expect(settled.status).toBe(200);
    expect(await shop.ended()).toMatchObject({ status });
    const session = await till.session(body.action.transaction.paymentSessionId);
    if (sessionStatus) expect(session).toMatchObject({ status: sessionStatus });
    else expect(session.status).not.toBe('Captured');
    expect(device.heard).toHaveLength(1);
    await till.pay(1000);
    await shop.is('atDevice');
    expect(device.heard).toHaveLength(2);
  },
);
