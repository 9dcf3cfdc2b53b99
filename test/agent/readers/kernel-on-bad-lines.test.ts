import { expect, test } from 'vitest';
import { CCID_LINE, createCcidSlot } from '../../../agent/readers/ccid/slot.ts';
import { createPn532Slot, PN532_LINE } from '../../../agent/readers/pn532/slot.ts';
import type { ReaderEvent } from '../../../agent/readers/reader.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { findTlv } from '../../../protocol/emv/tlv.ts';
import { silentLog } from '../../../protocol/log.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { createTwin as createCcidTwin } from '../../../simulator/twins/ccid.twin.ts';
import { createTwin as createPn532Twin } from '../../../simulator/twins/pn532.twin.ts';
import { BAD_WIRE } from '../../../simulator/twins/wire-faults.ts';
import { createKernelFixture } from './kernel-fixture.ts';
import { twinLine } from './twin-line.ts';

const RUNS = [
  { reader: 'CCID', createTwin: createCcidTwin, line: CCID_LINE, createSlot: createCcidSlot },
  { reader: 'PN532', createTwin: createPn532Twin, line: PN532_LINE, createSlot: createPn532Slot },
];
const SEEDS = 60;
const CARDS = {
  CCID: ['visa-contact-pin', 'mastercard-contact-pin', 'amex-contact-pin'],
  PN532: ['visa-contactless', 'mastercard-contactless', 'amex-contactless'],
};

const LAST_WORDS = ['card.completed', 'card.refused', 'card.declined', 'reader.failed'];

test.each(RUNS)(
  'kernel reader: over $reader on a bad line every transaction ends, with its own amount',
  async ({ reader, createTwin, line, createSlot }) => {
    const ends = new Map<string, number>();
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const twin = twinLine({ createTwin, line, faults: { seed: `${reader} ${seed}`, faults: BAD_WIRE } });
      const names = CARDS[reader as keyof typeof CARDS];
      twin.tray.insert(createChipCard(names[seed % names.length]!, { clock: twin.clock })!);
      const slot = createSlot({ ...twin, log: silentLog });
      const fixture = createKernelFixture({ slot, clock: twin.clock, pins: ['1234', '1234'] });
      const last = await fixture.play({ amountMinor: 1_000 + seed });
      ends.set(last.type, (ends.get(last.type) ?? 0) + 1);
      expect([...LAST_WORDS, 'card.read', 'card.unreadable', 'card.removed']).toContain(last.type);
      expect(amountsOf(fixture.facts).every((amount) => Number(amount) === 1_000 + seed)).toBe(true);
      const presented = fixture.facts.filter(({ type }) => type === 'card.presented');
      expect(presented.length).toBeLessThanOrEqual(1);
      fixture.reader.end();
      await twin.within(120_000, fixture.reader.close());
    }
    // Some went through and some did not: the line was bad, and not dead.
    expect(ends.size).toBeGreaterThan(1);
  },
  60_000,
);

function amountsOf(facts: ReaderEvent[]): string[] {
  return facts.flatMap((fact) => {
    const chip = 'chip' in fact ? fact.chip : undefined;
    return chip ? [toHex(findTlv(fromHex(chip.request.emv), '9F02')!)] : [];
  });
}
