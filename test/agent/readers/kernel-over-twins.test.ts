import { expect, test } from 'vitest';
import { CCID_LINE, createCcidSlot } from '../../../agent/readers/ccid/slot.ts';
import { createPn532Slot, PN532_LINE } from '../../../agent/readers/pn532/slot.ts';
import { silentLog } from '../../../protocol/log.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { createTwin as createCcidTwin } from '../../../simulator/twins/ccid.twin.ts';
import { createTwin as createPn532Twin } from '../../../simulator/twins/pn532.twin.ts';
import { issuerAnswer, kernelBench, type BenchOptions } from './kernel-bench.ts';
import { twinLine } from './twin-line.ts';

const READERS = {
  CCID: { createTwin: createCcidTwin, line: CCID_LINE, createSlot: createCcidSlot },
  PN532: { createTwin: createPn532Twin, line: PN532_LINE, createSlot: createPn532Slot },
};

/** The kernel above a real driver, its line, the twin at the other end and a card in that. */
function over(reader: keyof typeof READERS, card: string | undefined, options: BenchOptions = {}) {
  const { createTwin, line, createSlot } = READERS[reader];
  const twin = twinLine({ createTwin, line });
  if (card !== undefined) twin.tray.insert(createChipCard(card, { clock: twin.clock })!);
  const slot = createSlot({ ...twin, log: silentLog });
  const { clock } = twin;
  const bench = kernelBench({ ...options, slot, clock });
  return { ...twin, bench, close: () => twin.within(10_000, bench.reader.close()) };
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
  const { bench, close } = over(reader, card, { pins: ['1234'] });
  const last = await bench.play();
  expect(last.type).toBe(expected);
  for (const fact of bench.facts) {
    const chip = 'chip' in fact ? fact.chip : undefined;
    const scheme = bench.facts.find(({ type }) => type === 'card.read') as { card: { scheme: 'Visa' } };
    if (chip) expect(issuerAnswer(chip, scheme.card.scheme).valid).toBe(true);
  }
  await close();
});

test('kernel reader: finds a card that comes later, and the next card in the next action', async () => {
  const { bench, tray, close } = over('PN532', undefined);
  bench.begin();
  await bench.clock.advance(3_000);
  expect(bench.facts).toEqual([]);
  tray.insert(createChipCard('visa-contactless')!);
  await bench.until('card.read');
  bench.reader.end();
  tray.remove();
  bench.facts.length = 0;
  bench.begin();
  tray.insert(createChipCard('mastercard-contactless')!);
  expect(await bench.until('card.read')).toMatchObject({ card: { scheme: 'Mastercard' } });
  await close();
});

test('kernel reader: unplugged during PIN entry it fails, and works again once plugged in', async () => {
  const { bench, unplug, plugIn, close } = over('CCID', 'visa-contact-pin', { pins: ['1234', '1234'] });
  bench.begin();
  await bench.until('card.read');
  unplug();
  bench.reader.awaitPin();
  await bench.until('pin.entered');
  bench.reader.verifyPin();
  await bench.until('reader.failed');
  bench.reader.end();
  plugIn();
  await bench.clock.advance(10_000);
  expect((await bench.play()).type).toBe('card.completed');
  await close();
});
