import { beforeEach, describe, expect, test } from 'vitest';
import { deriveCardKey, sessionKeyOf } from '../../../../../protocol/cryptography/card-keys.ts';
import { arpcMethod1, arpcMethod2 } from '../../../../../protocol/cryptography/cryptogram-versions.ts';
import { fromHex, toHex } from '../../../../../protocol/emv/hex.ts';
import { findTlv } from '../../../../../protocol/emv/tlv.ts';
import {
  ActionAccepted,
  ActionCompleted,
  AuthoriseAction,
} from '../../../../../protocol/messages/action.messages.ts';
import type { ChipRequest, MaskedCard } from '../../../../../protocol/messages/card-data.schema.ts';
import type { BodyOf } from '../../../../../protocol/message.ts';
import { shopServer, VISA, type ShopServer } from '../shop-server.ts';
import {
  AMEX,
  answerOf,
  MASTERCARD,
  readerByHand,
  VISA_10,
  VISA_18,
  type HandMadeChip,
} from './chip-by-hand.ts';

type Ask = Partial<Omit<BodyOf<typeof AuthoriseAction>, 'actionId' | 'seq'>> & { card: MaskedCard };

let shop: ShopServer;
let id: string;
let reader: ReturnType<typeof readerByHand>;
beforeEach(async () => {
  shop = await shopServer();
  id = await shop.terminal();
  reader = await paired(id);
});

async function paired(terminalId: string, keyScheme = 'AES') {
  const { body } = await shop.call(`POST /pairing/terminals/${terminalId}`, { body: { keyScheme } });
  return readerByHand(body.keys);
}

/** A payment that comes as far as `ask`; answers what was decided, and how action and session stand. */
async function payWith(ask: Ask, body: object = {}, terminalId = id) {
  const { actionId, sessionId } = await shop.pay(terminalId, body);
  await shop.report(ActionAccepted, terminalId, { actionId, seq: 1 });
  return { actionId, sessionId, ...(await decided(terminalId, actionId, sessionId, ask)) };
}

async function decided(terminalId: string, actionId: string, sessionId: string, ask: Ask, seq = 2) {
  shop.gateway.sent.length = 0;
  await shop.report(AuthoriseAction, terminalId, { actionId, seq, verification: 'None', ...ask });
  const decision = shop.gateway.sent.find(({ message }) => message === 'action.decision')?.body as
    { outcome: string; code?: string; authorisationCode?: string; chip?: { emv: string } } | undefined;
  const session = (await shop.call(`GET /v1/payment-sessions/${sessionId}`)).body;
  return { decision, status: session.status as string, lastError: session.lastError as string | null };
}

/** The terminal has printed: it is free for the next. */
const finish = (actionId: string) => shop.report(ActionCompleted, id, { actionId, seq: 3, failedCopies: [] });

/** The decline of a card that is not what it says. */
function refused(code: string) {
  return { decision: { outcome: 'declined', code }, status: 'PendingPayment', lastError: code };
}

const inserted = (of: HandMadeChip, chip: ChipRequest): Ask => ({ card: of.card, chip });

describe('chip authorisation: a cryptogram that the issuer can verify', () => {
  const masterKey = fromHex('0123456789ABCDEFFEDCBA9876543210');
  const keysOf = ({ number, sequenceNumber }: HandMadeChip, atc: Uint8Array) => {
    const card = deriveCardKey(masterKey, number, sequenceNumber);
    return { card, session: sessionKeyOf(card, atc) };
  };
  const approved = fromHex('3030');

  test.each([
    { name: 'visa-10', of: VISA_10, key: 'card', method: 1 },
    { name: 'visa-18', of: VISA_18, key: 'session', method: 2 },
    { name: 'mastercard-14', of: MASTERCARD, key: 'session', method: 1 },
    { name: 'amex-01', of: AMEX, key: 'card', method: 1 },
  ] as const)(
    "of $name is approved, and answered with the issuer's response",
    async ({ of, key, method }) => {
      const chip = reader.insert(of);
      const { decision, status } = await payWith(inserted(of, chip));
      expect([decision!.outcome, status]).toEqual(['approved', 'Approved']);
      const arqc = findTlv(fromHex(chip.emv), '9F26')!;
      const signing = keysOf(of, fromHex('0065'))[key];
      const csu = fromHex('00800000');
      const expected =
        method === 1
          ? `${toHex(arpcMethod1(signing, arqc, approved))}3030`
          : `${toHex(arpcMethod2(signing, arqc, csu))}00800000`;
      expect(answerOf(decision!.chip)).toEqual({ code: '3030', data: expected });
    },
  );

  test('is declined for other reasons too, and then answered with 05', async () => {
    const expired = { ...VISA_10, card: { ...VISA_10.card, expiryYear: '2020' } };
    const chip = reader.insert(VISA_10);
    const { decision } = await payWith(inserted(expired, chip));
    const arqc = findTlv(fromHex(chip.emv), '9F26')!;
    const { card } = keysOf(VISA_10, fromHex('0065'));
    expect(decision).toMatchObject({ outcome: 'declined', code: 'expired_card' });
    expect(answerOf(decision!.chip)).toEqual({
      code: '3035',
      data: `${toHex(arpcMethod1(card, arqc, fromHex('3035')))}3035`,
    });
  });

  test('can be encrypted under TDES keys', async () => {
    reader = await paired(id, 'TDES');
    const chip = reader.insert(VISA_18, { pin: '1234' });
    const ask = { ...inserted(VISA_18, chip), verification: 'OnlinePin' as const };
    expect((await payWith(ask)).status).toBe('Approved');
  });

  test('is accepted for a refund, whether the card went online or declined', async () => {
    for (const kind of ['80', '00']) {
      const { sessionId } = await shop.captured(id);
      const { body } = await shop.at(id, 'refund', { paymentSession: { id: sessionId } });
      await shop.report(ActionAccepted, id, { actionId: body.action.id, seq: 1 });
      const chip = reader.insert(VISA_18, { objects: { '9C': '20', '9F27': kind, '9F37': `000000${kind}` } });
      const { decision } = await decided(id, body.action.id, sessionId, inserted(VISA_18, chip));
      expect(decision!.outcome).toBe('approved');
      await finish(body.action.id);
    }
  });

  test('returns the same decision when repeated, using no further key', async () => {
    const ask = inserted(VISA_18, reader.insert(VISA_18));
    const first = await payWith(ask);
    const again = await decided(id, first.actionId, first.sessionId, ask, 3);
    expect(first.decision!.chip).toBeDefined();
    expect(again.decision).toEqual({ ...first.decision, seq: expect.any(Number) as number });
  });
});

describe('chip authorisation: a mismatch is declined', () => {
  const wrong = { code: '3035', data: undefined };

  test('a cardholder who was not verified, or a blocked PIN', async () => {
    for (const results of ['0000808000', '0000208000']) {
      const chip = reader.insert(VISA_18, { objects: { '95': results, '9F37': results.slice(2) } });
      const outcome = await payWith(inserted(VISA_18, chip));
      expect(outcome).toMatchObject({ decision: { outcome: 'declined', code: 'security_violation' } });
      expect(answerOf(outcome.decision!.chip).code).toBe('3035');
    }
  });

  test('a wrong cryptogram', async () => {
    const chip = reader.insert(VISA_18, { cryptogram: '0102030405060708' });
    const outcome = await payWith(inserted(VISA_18, chip));
    expect(outcome).toMatchObject(refused('suspected_fraud'));
    expect(answerOf(outcome.decision!.chip)).toEqual(wrong);
  });

  test('a cryptogram of an unknown version', async () => {
    const chip = reader.insert(VISA_18, { objects: { '9F10': '06011203A0A000' } });
    const emv = chip.emv.replace('06011203A0A000', '06012203A0A000');
    expect(await payWith(inserted(VISA_18, { ...chip, emv }))).toMatchObject(refused('suspected_fraud'));
  });

  test('a cryptogram that was used before', async () => {
    await payWith(inserted(VISA_18, reader.insert(VISA_18)));
    const other = await shop.terminal();
    const again = (await paired(other)).insert(VISA_18);
    expect(await payWith(inserted(VISA_18, again), {}, other)).toMatchObject(refused('suspected_fraud'));
  });

  test.each([
    ['amount', { '9F02': '000000000100' }],
    ['currency', { '5F2A': '0978' }],
    ['type of transaction', { '9C': '20' }],
    ['kind, by which the card does not ask its issuer', { '9F27': '40' }],
  ])('a valid cryptogram of another %s', async (_, objects) => {
    const outcome = await payWith(inserted(VISA_18, reader.insert(VISA_18, { objects })));
    expect(outcome).toMatchObject(refused('suspected_fraud'));
    expect(answerOf(outcome.decision!.chip).data).toBeDefined();
  });

  test('card data of another card than the masked one', async () => {
    const chip = reader.insert(VISA_18);
    expect(await payWith({ card: VISA, chip })).toMatchObject(refused('suspected_fraud'));
    const amex = { ...VISA_18.card, scheme: 'Amex' } as const;
    const again = await payWith({ card: amex, chip: reader.insert(VISA_18) });
    expect(again).toMatchObject(refused('suspected_fraud'));
  });

  test.each([
    ['no BER-TLV', '9F26'],
    ['no data that a cryptogram is made of', '9F2608000000000000000082020000'],
    ['part of them', '9F260800000000000000009F360200019F100706011203A0A000'],
  ])('a chip with %s', async (_, emv) => {
    const chip = { ...reader.insert(VISA_18), emv };
    const { decision, status } = await payWith(inserted(VISA_18, chip));
    expect([decision!.outcome, status]).toEqual(['declined', 'PendingPayment']);
  });
});

describe('chip authorisation: keys', () => {
  test('of another terminal do not decrypt the card data', async () => {
    const other = await paired(await shop.terminal());
    expect(await payWith(inserted(VISA_18, other.insert(VISA_18)))).toMatchObject(
      refused('security_violation'),
    );
  });

  test('of an earlier pairing or another scheme do not decrypt it', async () => {
    const before = reader;
    reader = await paired(id, 'TDES');
    expect(await payWith(inserted(VISA_18, before.insert(VISA_18)))).toMatchObject(
      refused('security_violation'),
    );
    expect((await payWith(inserted(VISA_18, reader.insert(VISA_18)))).status).toBe('Approved');
  });

  test('are missing for a terminal that has none', async () => {
    const unpaired = await shop.terminal();
    const chip = reader.insert(VISA_18);
    expect(await payWith(inserted(VISA_18, chip), {}, unpaired)).toMatchObject(refused('security_violation'));
  });

  test('are used for one transaction each', async () => {
    const first = reader.insert(VISA_18);
    const second = reader.insert(VISA_18, { objects: { '9F36': '0066' } });
    const third = reader.insert(VISA_18, { objects: { '9F36': '0067' } });
    const paid = await payWith(inserted(VISA_18, second));
    expect(paid.status).toBe('Approved');
    await finish(paid.actionId);
    for (const used of [first, second]) {
      const { cardData } = used;
      const outcome = await payWith(inserted(VISA_18, { ...third, cardData }));
      expect(outcome).toMatchObject(refused('security_violation'));
    }
    expect((await payWith(inserted(VISA_18, third))).status).toBe('Approved');
  });

  test('data sealed with other keys are declined, and logged without their content', async () => {
    const chip = reader.insert(VISA_18);
    const cipherText = '00'.repeat(32);
    const outcome = await payWith(inserted(VISA_18, { ...chip, cardData: { ...chip.cardData, cipherText } }));
    expect(outcome).toMatchObject(refused('security_violation'));
    expect(shop.logged.join()).toContain('the padding is wrong');
    expect(shop.logged.join()).not.toContain(cipherText);
  });
});

describe('chip authorisation: an online PIN', () => {
  const withPin = (pin: string | undefined, of = VISA_18): Ask => ({
    ...inserted(of, reader.insert(of, pin === undefined ? {} : { pin })),
    verification: 'OnlinePin',
  });

  test('that is right is approved', async () => {
    expect((await payWith(withPin('1234'))).status).toBe('Approved');
  });

  test('that is wrong or missing is declined', async () => {
    expect(await payWith(withPin('1235'))).toMatchObject(refused('security_violation'));
    expect(await payWith({ ...withPin(undefined), card: VISA_18.card })).toMatchObject(
      refused('security_violation'),
    );
  });

  test('cannot be tried again with the same cryptogram', async () => {
    await payWith(withPin('1111'));
    expect(await payWith(withPin('1234'))).toMatchObject(refused('suspected_fraud'));
  });

  test('of another transaction is declined', async () => {
    const { chip, ...ask } = withPin('1234');
    const { pin } = reader.insert(VISA_18, { pin: '1234' });
    expect(await payWith({ ...ask, chip: { ...chip!, pin: pin! } })).toMatchObject(
      refused('security_violation'),
    );
  });
});

describe('chip authorisation: a magnetic stripe', () => {
  test('has no cryptogram and gets no issuer response', async () => {
    const card = { ...VISA_18.card, entryMode: 'Swipe' } as const;
    const { decision, status } = await payWith({ card, chip: reader.swipe(VISA_18) });
    expect([decision!.outcome, decision!.chip, status]).toEqual(['approved', undefined, 'Approved']);
  });

  test('with another expiry than the terminal reports is declined', async () => {
    const card = { ...VISA_18.card, expiryYear: '2059', entryMode: 'Swipe' } as const;
    expect(await payWith({ card, chip: reader.swipe(VISA_18) })).toMatchObject(refused('suspected_fraud'));
  });

  test('of another card is declined', async () => {
    expect(await payWith({ card: VISA, chip: reader.swipe(VISA_18) })).toMatchObject(
      refused('suspected_fraud'),
    );
  });
});

describe('chip authorisation: a device that authorised at its own bank', () => {
  const device = { authorisationCode: 'A1B2C3', reference: '0042' };

  test('reports the decision with the request', async () => {
    const { decision, status } = await payWith({ card: VISA, device });
    expect(decision).toMatchObject({ outcome: 'approved', authorisationCode: 'A1B2C3' });
    expect(status).toBe('Approved');
  });

  test('is asked to reverse it when the merchant does not accept the scheme', async () => {
    const paymentSettings = { paymentMethodOptions: { disabled: ['Visa'] } };
    const outcome = await payWith({ card: VISA, device }, { paymentSession: { paymentSettings } });
    expect(outcome).toMatchObject(refused('payment_method_option_visa_disabled'));
  });

  test('is sent the end of the action when it reports too late', async () => {
    const { actionId } = await shop.pay(id);
    await shop.at(id, 'cancel-action');
    shop.gateway.sent.length = 0;
    await shop.report(AuthoriseAction, id, { actionId, seq: 1, card: VISA, verification: 'None', device });
    expect(shop.sentTo(id)).toEqual(['action.ended']);
  });
});

test('chip authorisation: card data and PIN are neither stored nor logged', async () => {
  const chip = reader.insert(VISA_18, { pin: '1234' });
  const paid = await payWith({ ...inserted(VISA_18, chip), verification: 'OnlinePin' });
  await finish(paid.actionId);
  const wrong = reader.insert(VISA_18, { pin: '9999', objects: { '9F36': '0066' } });
  await payWith({ ...inserted(VISA_18, wrong), verification: 'OnlinePin' });
  const tables = ['actions', 'seen_cryptograms', 'events', 'payment_transactions', 'terminals', 'jobs'];
  const rows = await Promise.all(tables.map((table) => shop.services.store.all(`SELECT * FROM ${table}`)));
  const kept = JSON.stringify(rows) + shop.logged.join();
  for (const secret of [VISA_18.number, chip.cardData.cipherText, chip.pin!.pinBlock, chip.emv]) {
    expect(kept).not.toContain(secret);
  }
  expect(rows[1]).toHaveLength(2);
});
