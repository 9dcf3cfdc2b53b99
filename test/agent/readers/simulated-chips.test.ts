import { expect, test } from 'vitest';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { findTlv } from '../../../protocol/emv/tlv.ts';
import type { ReaderChip, ReaderEvent } from '../../../agent/readers/reader.ts';
import type { MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import { createChipCard, CHIP_CARD_NAMES } from '../../../simulator/cards/chip-card-registry.ts';
import { issuerAnswer, createKernelFixture } from './kernel-fixture.ts';

const LOW_MINOR = 1_500;
const HIGH_MINOR = 20_000;

function cardOf(facts: ReaderEvent[]): MaskedCard {
  return facts.find((fact) => fact.type === 'card.read')!.card;
}

function lastChip(facts: ReaderEvent[]): ReaderChip {
  return facts.flatMap((fact) => ('chip' in fact && fact.chip ? [fact.chip] : [])).at(-1)!;
}

function tagOf(chip: ReaderChip, tag: string): string {
  return toHex(findTlv(fromHex(chip.request.emv), tag) ?? new Uint8Array(0));
}

/** Every fact but the card's own data, in a line that can be read. */
function story(facts: ReaderEvent[]): string {
  return facts
    .map((fact) => {
      if (fact.type === 'card.read') return `read, ${fact.pin}`;
      if (fact.type === 'pin.accepted') return `${fact.method} accepted`;
      if (fact.type === 'pin.rejected') return `PIN rejected, ${fact.triesLeft} left`;
      return fact.type.replace('.', ' ');
    })
    .join('; ');
}

const OFFLINE_PIN = 'card presented; read, pin; pin entered; OfflinePin accepted; card completed';
const ONLINE_PIN = 'card presented; read, pin; pin entered; OnlinePin accepted';
const NO_PIN = 'card presented; read, none';
const UNREADABLE = 'card presented; card unreadable';
const DECLINED = 'card presented; card declined';

test.each([
  ['visa-contact-pin', LOW_MINOR, OFFLINE_PIN, '440302'],
  ['visa-expired', LOW_MINOR, OFFLINE_PIN, '440302'],
  ['visa-slow', LOW_MINOR, OFFLINE_PIN, '440302'],
  ['visa-declined', LOW_MINOR, OFFLINE_PIN, '410302'],
  ['amex-contact-pin', LOW_MINOR, OFFLINE_PIN, '410302'],
  ['mastercard-contact-pin', LOW_MINOR, `${ONLINE_PIN}; card completed`, '420300'],
  ['visa-blocked-pin', LOW_MINOR, `${NO_PIN}; card completed`, '010301'],
])(
  'kernel reader: %s in the slot: %i is verified and completed',
  async (card, amountMinor, expected, cvmResults) => {
    const fixture = createKernelFixture({ card, pins: ['1234'] });
    await fixture.play({ amountMinor });
    expect(story(fixture.facts)).toBe(expected);
    const chip = lastChip(fixture.facts);
    expect(chip.awaitsAnswer).toBe(true);
    expect(tagOf(chip, '9F34')).toBe(cvmResults);
    expect(issuerAnswer(chip, cardOf(fixture.facts).scheme).valid).toBe(true);
    expect(fixture.slot.powered).toBe(0);
  },
);

test.each([
  ['visa-contactless', LOW_MINOR, NO_PIN, 'Contactless'],
  ['visa-contactless', HIGH_MINOR, ONLINE_PIN, 'Contactless'],
  ['mastercard-contactless', LOW_MINOR, NO_PIN, 'Contactless'],
  ['mastercard-contactless', HIGH_MINOR, ONLINE_PIN, 'Contactless'],
  ['amex-contactless', LOW_MINOR, NO_PIN, 'Contactless'],
  ['amex-contactless', HIGH_MINOR, 'card presented; read, signature', 'Contactless'],
  ['apple-pay', HIGH_MINOR, 'card presented; read, onDevice', 'Wallet'],
  ['google-pay', HIGH_MINOR, 'card presented; read, onDevice', 'Wallet'],
])(
  'kernel reader: %s contactless: %i is read with one tap',
  async (card, amountMinor, expected, entryMode) => {
    const fixture = createKernelFixture({ card, technology: 'Contactless', pins: ['1234'] });
    await fixture.play({ amountMinor });
    expect(story(fixture.facts)).toBe(expected);
    expect(cardOf(fixture.facts).entryMode).toBe(entryMode);
    const chip = lastChip(fixture.facts);
    expect(chip.awaitsAnswer).toBe(false);
    expect(chip.request.pin !== undefined).toBe(expected === ONLINE_PIN);
    expect(issuerAnswer(chip, cardOf(fixture.facts).scheme).valid).toBe(true);
    expect(fixture.slot.powered).toBe(0);
  },
);

test.each([
  ['visa-unreadable', 'Contact', UNREADABLE],
  ['visa-unreadable', 'Contactless', UNREADABLE],
  ['visa-torn', 'Contact', UNREADABLE],
  ['visa-torn', 'Contactless', UNREADABLE],
  ['visa-blocked-application', 'Contact', UNREADABLE],
  ['visa-broken-signature', 'Contact', 'card presented; read, pin; pin entered; card declined'],
  ['visa-broken-signature', 'Contactless', DECLINED],
] as const)('kernel reader: %s by %s is not authorised', async (card, technology, expected) => {
  const fixture = createKernelFixture({ card, technology, pins: ['1234'] });
  await fixture.play();
  expect(story(fixture.facts)).toBe(expected);
  expect(fixture.slot.powered).toBe(0);
});

test('kernel reader: a card with a wrong key is read, and its issuer finds the cryptogram invalid', async () => {
  const fixture = createKernelFixture({ card: 'visa-wrong-cryptogram', pins: ['1234'] });
  await fixture.play();
  expect(issuerAnswer(lastChip(fixture.facts), 'Visa').valid).toBe(false);
});

test('kernel reader: a refund requests no PIN and has transaction type 20', async () => {
  const fixture = createKernelFixture({ card: 'visa-contact-pin' });
  await fixture.play({ type: 'Refund', amountMinor: HIGH_MINOR });
  expect(story(fixture.facts)).toBe(`${NO_PIN}; card completed`);
  expect(tagOf(lastChip(fixture.facts), '9C')).toBe('20');
});

test('kernel reader: the last wrong PIN sets the TVR, and the issuer decides', async () => {
  const fixture = createKernelFixture({ card: 'visa-contact-pin', pins: ['9999', '8888', '7777'] });
  await fixture.play();
  expect(story(fixture.facts)).toBe(
    'card presented; read, pin; pin entered; PIN rejected, 2 left; pin entered; PIN rejected, 1 left; ' +
      'pin entered; PIN rejected, 0 left; card completed',
  );
  // Byte 3: the PIN try limit is exceeded (bit 6); after that a signature was left for the holder.
  expect(tagOf(lastChip(fixture.facts), '95').slice(4, 6)).toBe('20');
  expect(tagOf(lastChip(fixture.facts), '9F34')).toBe('1E0300');
});

test('kernel reader: every simulated chip ends every transaction, by each of its interfaces', async () => {
  for (const name of CHIP_CARD_NAMES) {
    for (const technology of createChipCard(name)!.technologies) {
      const fixture = createKernelFixture({ card: name, technology, pins: ['0000', '1234'] });
      const last = await fixture.play({ amountMinor: HIGH_MINOR });
      expect(last.type, name).not.toBe('reader.failed');
    }
  }
});
