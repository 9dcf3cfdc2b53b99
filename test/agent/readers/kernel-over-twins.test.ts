import { expect, test } from 'vitest';
import { CCID_LINE, createCcidSlot } from '../../../agent/readers/ccid/slot.ts';
import { createPn532Slot, PN532_LINE } from '../../../agent/readers/pn532/slot.ts';
import { silentLog } from '../../../protocol/log.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { createTwin as createCcidTwin } from '../../../simulator/twins/ccid.twin.ts';
import { createTwin as createPn532Twin } from '../../../simulator/twins/pn532.twin.ts';
import { issuerAnswer, createKernelFixture, type KernelFixtureOptions } from './kernel-fixture.ts';
import { twinLine } from './twin-line.ts';

const READERS = {
  CCID: { createTwin: createCcidTwin, line: CCID_LINE, createSlot: createCcidSlot },
  PN532: { createTwin: createPn532Twin, line: PN532_LINE, createSlot: createPn532Slot },
};

/** The kernel above a real driver, its line, the twin at the other end and a card in that. */
function over(reader: keyof typeof READERS, card: string | undefined, options: KernelFixtureOptions = {}) {
  const { createTwin, line, createSlot } = READERS[reader];
  const twin = twinLine({ createTwin, line });
  if (card !== undefined) twin.tray.insert(createChipCard(card, { clock: twin.clock })!);
  const slot = createSlot({ ...twin, log: silentLog });
  const { clock } = twin;
  const fixture = createKernelFixture({ ...options, slot, clock });
  return { ...twin, fixture, close: () => twin.within(10_000, fixture.reader.close()) };
}

test.each([
  ['CCID', 'visa-contact-pin', 'card.completed'],
  ['CCID', 'mastercard-contact-pin', 'card.completed'],
  ['CCID', 'amex-contact-pin', 'card.completed'],
  ['CCID', 'visa-slow', 'card.completed'],
  ['CCID', 'visa-broken-signature', 'card.declined'],
  ['CCID', 'visa-torn', 'card.unreadable'],
  ['CCID', 'visa-unreadable', 'card.unreadable'],
  ['PN532', 'visa-contactless', 'card.read'],
  ['PN532', 'mastercard-contactless', 'card.read'],
  ['PN532', 'amex-contactless', 'card.read'],
  ['PN532', 'apple-pay', 'card.read'],
  ['PN532', 'visa-broken-signature', 'card.declined'],
  ['PN532', 'visa-torn', 'card.unreadable'],
  ['PN532', 'visa-unreadable', 'card.unreadable'],
] as const)('kernel reader: a payment over %s with %s ends in %s', async (reader, card, expected) => {
  const { fixture, close } = over(reader, card, { pins: ['1234'] });
  const last = await fixture.play();
  expect(last.type).toBe(expected);
  for (const fact of fixture.facts) {
    const chip = 'chip' in fact ? fact.chip : undefined;
    const scheme = fixture.facts.find(({ type }) => type === 'card.read') as { card: { scheme: 'Visa' } };
    if (chip) expect(issuerAnswer(chip, scheme.card.scheme).valid).toBe(true);
  }
  await close();
});

test('kernel reader: finds a card that comes later, and the next card in the next action', async () => {
  const { fixture, tray, close } = over('PN532', undefined);
  fixture.begin();
  await fixture.clock.advance(3_000);
  expect(fixture.facts).toEqual([]);
  tray.insert(createChipCard('visa-contactless')!);
  await fixture.until('card.read');
  fixture.reader.end();
  tray.remove();
  fixture.facts.length = 0;
  fixture.begin();
  tray.insert(createChipCard('mastercard-contactless')!);
  expect(await fixture.until('card.read')).toMatchObject({ card: { scheme: 'Mastercard' } });
  await close();
});

test('kernel reader: unplugged during PIN entry it fails, and works again once plugged in', async () => {
  const { fixture, unplug, plugIn, close } = over('CCID', 'visa-contact-pin', { pins: ['1234', '1234'] });
  fixture.begin();
  await fixture.until('card.read');
  unplug();
  fixture.reader.awaitPin();
  await fixture.until('pin.entered');
  fixture.reader.verifyPin();
  await fixture.until('reader.failed');
  fixture.reader.end();
  plugIn();
  await fixture.clock.advance(10_000);
  expect((await fixture.play()).type).toBe('card.completed');
  await close();
});
