import { expect, test } from 'vitest';
import { acceptTestCards, TEST_RANGES } from '../../../agent/readers/card-policy.ts';
import { CardLostError, type CardSlot } from '../../../agent/readers/card-slot.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { ReaderChip, ReaderEvent } from '../../../agent/readers/reader.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { TEST_CARDS } from '../../../protocol/test-cards.ts';
import { PROFILES } from '../../../simulator/cards/card-files.ts';
import { issuerAnswer, createKernelFixture } from './kernel-fixture.ts';
import type { CardConnection } from '../../../agent/emv/card-connection.ts';

function typesOf(facts: ReaderEvent[]): string[] {
  return facts.map(({ type }) => type);
}

function chipOf(fact: ReaderEvent): ReaderChip {
  return (fact as { chip: ReaderChip }).chip;
}

/** A slot with one card, of which each command passes through `change`. */
function changedSlot(
  name: string,
  technology: 'Contact' | 'Contactless',
  change: (command: Uint8Array, answer: () => Promise<Uint8Array>, count: number) => Promise<Uint8Array>,
): CardSlot & { released: number; commands: number } {
  const card = createChipCard(name)!;
  const slot = {
    name: 'changed slot',
    released: 0,
    commands: 0,
    async waitForCard(): Promise<CardConnection> {
      const chip = card.powerOn(technology);
      let released = false;
      return {
        technology,
        async transceive(command) {
          slot.commands += 1;
          return change(command, async () => (await chip.transceive(command))!, slot.commands);
        },
        async release() {
          if (!released) slot.released += 1;
          released = true;
        },
      };
    },
    async close() {},
  };
  return slot;
}

test('kernel reader: a reader without a card is ready for the next action after the end of one', async () => {
  const fixture = createKernelFixture({ technology: 'Contactless' });
  fixture.begin();
  await fixture.clock.advance(5_000);
  fixture.reader.end();
  expect(fixture.facts).toEqual([]);
  fixture.slot.insert(createChipCard('visa-contactless')!);
  fixture.begin();
  await fixture.until('card.read');
  expect(typesOf(fixture.facts)).toEqual(['card.presented', 'card.read']);
});

test('kernel reader: emits no event inside a call or after end', async () => {
  const fixture = createKernelFixture({ card: 'visa-contactless', technology: 'Contactless' });
  fixture.begin();
  expect(fixture.facts).toEqual([]);
  await fixture.until('card.presented');
  const before = fixture.facts.length;
  fixture.reader.end();
  await fixture.clock.advance(20_000);
  expect(fixture.facts.length).toBe(before);
  expect(fixture.slot.powered).toBe(0);
});

test('kernel reader: declines a card outside the test ranges, and names the option that allows it', async () => {
  const fixture = createKernelFixture({ card: 'visa-contact-pin', cards: () => false });
  const last = await fixture.play();
  expect(last).toMatchObject({ type: 'card.declined', reason: expect.stringContaining('--allow-any-card') });
  expect(JSON.stringify(fixture.facts)).not.toMatch(/[0-9]{12,19}/);
});

test('acceptTestCards: accepts every test card and no real one', () => {
  expect(TEST_CARDS.filter(({ number }) => !acceptTestCards(number))).toEqual([]);
  expect(acceptTestCards('4539578763621486')).toBe(false);
  expect(TEST_RANGES.every((prefix) => /^[0-9]{6,19}$/.test(prefix))).toBe(true);
});

test('kernel reader: cancel during PIN entry is emitted and powers the card off', async () => {
  const fixture = createKernelFixture({ card: 'visa-contact-pin', pins: ['cancelled'] });
  fixture.begin();
  await fixture.until('card.read');
  fixture.reader.awaitPin();
  await fixture.until('cancel.pressed');
  expect(fixture.slot.powered).toBe(0);
});

test('kernel reader: the cancel key works outside PIN entry, and only during an action', async () => {
  const fixture = createKernelFixture();
  fixture.pressCancel();
  fixture.begin();
  fixture.pressCancel();
  await fixture.until('cancel.pressed');
  expect(typesOf(fixture.facts)).toEqual(['cancel.pressed']);
});

test('kernel reader: emits card.removed for a card removed during PIN entry, and reads the next card', async () => {
  const fixture = createKernelFixture({ card: 'visa-contact-pin', pins: ['1234', '1234'] });
  fixture.begin();
  await fixture.until('card.read');
  fixture.slot.remove();
  fixture.reader.awaitPin();
  await fixture.until('pin.entered');
  fixture.reader.verifyPin();
  await fixture.until('card.removed');
  fixture.reader.awaitCard();
  fixture.slot.insert(createChipCard('mastercard-contact-pin')!);
  const read = await fixture.until('card.read');
  expect(read).toMatchObject({ pin: 'pin', card: { scheme: 'Mastercard' } });
});

test('kernel reader: a card removed before it received an approval counts as refused', async () => {
  const fixture = createKernelFixture({ card: 'visa-contact-pin', pins: ['1234'] });
  fixture.begin();
  await fixture.until('card.read');
  fixture.reader.awaitPin();
  await fixture.until('pin.entered');
  fixture.reader.verifyPin();
  const { answer } = issuerAnswer(chipOf(await fixture.until('pin.accepted')), 'Visa');
  fixture.slot.remove();
  fixture.reader.completeCard!(answer);
  await fixture.until('card.refused');
});

test('kernel reader: a wrong ARPC in the approval makes the card refuse', async () => {
  const fixture = createKernelFixture({ card: 'visa-contact-pin', pins: ['1234'] });
  fixture.begin();
  await fixture.until('card.read');
  fixture.reader.awaitPin();
  await fixture.until('pin.entered');
  fixture.reader.verifyPin();
  await fixture.until('pin.accepted');
  fixture.reader.completeCard!({
    outcome: 'approved',
    chip: { emv: '8A023030910A00000000000000003030' },
  });
  await fixture.until('card.refused');
});

test.each(['declined', 'none'])(
  'kernel reader: after the decision "%s" end returns at once, and the card is still completed',
  async (word) => {
    let finished = 0;
    const slot = changedSlot('mastercard-contact-pin', 'Contact', (command, answer) => {
      if (command[1] === 0xae) finished += 1;
      return answer();
    });
    const fixture = createKernelFixture({ slot, pins: ['1234'] });
    fixture.begin();
    await fixture.until('card.read');
    fixture.reader.awaitPin();
    await fixture.until('pin.entered');
    fixture.reader.verifyPin();
    const { answer } = issuerAnswer(chipOf(await fixture.until('pin.accepted')), 'Mastercard', 'declined');
    expect(finished).toBe(1);
    if (word === 'declined') fixture.reader.completeCard!(answer);
    fixture.reader.end();
    await fixture.clock.advance(1_000);
    expect(finished).toBe(2);
    expect(slot.released).toBe(1);
  },
);

test.each(['Contact', 'Contactless'] as const)(
  'kernel reader: removed before any one of its responses by %s, a card is unreadable or removed',
  async (technology) => {
    const name = technology === 'Contact' ? 'visa-contact-pin' : 'mastercard-contactless';
    const outcomes = new Set<string>();
    let intact = false;
    for (let torn = 1; !intact; torn += 1) {
      let answered = false;
      const slot = changedSlot(name, technology, (command, answer, count) => {
        if (command[1] === 0x82) answered = true;
        if (count === torn) throw new CardLostError();
        return answer();
      });
      const fixture = createKernelFixture({ slot, pins: ['1234'] });
      const last = await fixture.play();
      expect(slot.released).toBe(1);
      intact = slot.commands < torn;
      if (!intact) outcomes.add(last.type);
      if (last.type === 'card.refused') expect(answered).toBe(true);
    }
    const expected =
      technology === 'Contact' ? ['card.unreadable', 'card.removed', 'card.refused'] : ['card.unreadable'];
    expect([...outcomes]).toEqual(expected);
  },
);

test('kernel reader: a card that stops responding is unreadable after ten seconds', async () => {
  const slot = changedSlot('visa-contactless', 'Contactless', (_, answer, count) =>
    count < 3 ? answer() : new Promise(() => {}),
  );
  const fixture = createKernelFixture({ slot });
  fixture.begin();
  await fixture.until('card.presented');
  await fixture.clock.advance(9_000);
  expect(typesOf(fixture.facts)).toEqual(['card.presented']);
  await fixture.clock.advance(1_000);
  expect(fixture.facts.at(-1)).toEqual({
    type: 'card.unreadable',
    reason: 'the card does not answer (it had made no cryptogram)',
  });
  expect(slot.released).toBe(1);
});

// Visa makes it with the processing options, Mastercard with GENERATE AC.
test.each([
  ['visa-contactless', 0xa8],
  ['mastercard-contactless', 0xae],
])(
  'kernel reader: the reason for a %s that is lost says whether it had made its cryptogram',
  async (name, maker) => {
    let made = false;
    const reasons = new Set<string>();
    for (let torn = 1; torn < 20; torn += 1) {
      made = false;
      const slot = changedSlot(name, 'Contactless', async (command, answer, count) => {
        if (count === torn) throw new CardLostError('the card is gone');
        const given = await answer();
        if (command[1] === maker) made = true;
        return given;
      });
      const last = await createKernelFixture({ slot }).play();
      if (last.type !== 'card.unreadable') break;
      expect(last.reason).toBe(`the card is gone (it had made ${made ? 'its' : 'no'} cryptogram)`);
      reasons.add(last.reason);
    }
    expect(reasons.size).toBe(name === 'visa-contactless' ? 2 : 1);
  },
);

test('kernel reader: pauses for a second after an unreadable card', async () => {
  const fixture = createKernelFixture({ card: 'visa-unreadable', technology: 'Contactless' });
  fixture.begin();
  await fixture.until('card.unreadable');
  fixture.reader.awaitCard();
  await fixture.clock.advance(900);
  expect(typesOf(fixture.facts)).toEqual(['card.presented', 'card.unreadable']);
  await fixture.clock.advance(200);
  expect(typesOf(fixture.facts).filter((type) => type === 'card.presented')).toHaveLength(2);
});

test('kernel reader: emits reader.failed for a fault of the slot, and tries again in the next action', async () => {
  let broken = true;
  const working = createKernelFixture({ card: 'visa-contactless', technology: 'Contactless' }).slot;
  const slot: CardSlot = {
    name: 'loose cable',
    async waitForCard(signal) {
      if (broken) throw new Fault('reader', 'the cable is loose');
      return working.waitForCard(signal);
    },
    async close() {},
  };
  const fixture = createKernelFixture({ slot });
  fixture.begin();
  expect(await fixture.until('reader.failed')).toEqual({
    type: 'reader.failed',
    reason: 'the cable is loose',
  });
  broken = false;
  fixture.begin();
  await fixture.until('card.read');
});

test('kernel reader: used-up keys fail the reader and power the card off', async () => {
  const protection = {
    transaction() {
      throw new Fault('reader', 'the keys of this terminal are used up: pair it again');
    },
  };
  const fixture = createKernelFixture({
    card: 'visa-contactless',
    technology: 'Contactless',
    parts: { protection },
  });
  fixture.begin();
  await fixture.until('reader.failed');
  expect(fixture.slot.powered).toBe(0);
});

test('kernel reader: events have only BIN and last four of the card number', async () => {
  for (const card of ['visa-contact-pin', 'mastercard-contact-pin', 'amex-contact-pin']) {
    const fixture = createKernelFixture({ card, pins: ['9999', '1234'] });
    await fixture.play();
    for (const fact of fixture.facts) {
      const chip = 'chip' in fact ? fact.chip : undefined;
      const { cardData: _sealed, pin: _pin, ...clear } = chip?.request ?? {};
      const { pan } = PROFILES[card] as { pan: string };
      expect(JSON.stringify({ ...fact, chip: clear })).not.toContain(pan.slice(4, 14));
    }
  }
});
