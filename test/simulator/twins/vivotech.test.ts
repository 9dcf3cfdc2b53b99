import { expect, test } from 'vitest';
import { acceptTestCards } from '../../../agent/readers/card-policy.ts';
import type { DriverParts, CheckResult } from '../../../agent/readers/driver.ts';
import type { ReaderChip, ReaderEvent } from '../../../agent/readers/reader.ts';
import { driver } from '../../../agent/readers/vivotech/vivotech.driver.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { findTlv } from '../../../protocol/emv/tlv.ts';
import type { MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { createTwin } from '../../../simulator/twins/vivotech.twin.ts';
import type { Twin } from '../../../simulator/twins/twin.ts';
import {
  issuerAnswer,
  createKernelFixture,
  type KernelFixtureOptions,
} from '../../agent/readers/kernel-fixture.ts';
import { twinLine } from '../../agent/readers/twin-line.ts';

const LINE = { baudRate: 115_200 };
const LOW_MINOR = 1_500;
const HIGH_MINOR = 20_000;

interface Options extends Pick<KernelFixtureOptions, 'pins' | 'cards'> {
  card?: string;
  badLine?: string;
}

/** The bench of the kernel reader, with this driver and its twin in its place. */
function vivotechBench({ card, badLine, ...options }: Options = {}) {
  let twin: Twin | undefined;
  const line = twinLine({
    createTwin: (parts) => (twin = createTwin(parts)),
    line: LINE,
    ...(card && { card: createChipCard(card)! }),
    ...(badLine && { faults: { seed: badLine } }),
  });
  let parts: DriverParts | undefined;
  const fixture = createKernelFixture({
    ...options,
    clock: line.clock,
    createReader: (given) => driver.createReader((parts = { ...given, open: line.open })),
  });
  return {
    ...fixture,
    line,
    parts: parts!,
    control: (name: string, value?: string) => twin!.controls[name]!.run(value),
  };
}

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

function cardOf(facts: ReaderEvent[]): MaskedCard {
  return facts.find((fact) => fact.type === 'card.read')!.card;
}

function lastChip(facts: ReaderEvent[]): ReaderChip {
  return facts.flatMap((fact) => ('chip' in fact && fact.chip ? [fact.chip] : [])).at(-1)!;
}

const ONLINE_PIN = 'card presented; read, pin; pin entered; OnlinePin accepted';
const NO_PIN = 'card presented; read, none';

test.each([
  ['visa-contactless', LOW_MINOR, NO_PIN, 'Contactless'],
  ['visa-contactless', HIGH_MINOR, ONLINE_PIN, 'Contactless'],
  ['mastercard-contactless', LOW_MINOR, NO_PIN, 'Contactless'],
  ['amex-contactless', LOW_MINOR, NO_PIN, 'Contactless'],
  ['apple-pay', HIGH_MINOR, 'card presented; read, onDevice', 'Wallet'],
])(
  'ViVOtech2 driver: %s tapped for %i sends a valid cryptogram',
  async (card, amountMinor, expected, entryMode) => {
    const fixture = vivotechBench({ card, pins: ['1234'] });
    await fixture.play({ amountMinor });
    expect(story(fixture.facts)).toBe(expected);
    expect(cardOf(fixture.facts).entryMode).toBe(entryMode);
    const chip = lastChip(fixture.facts);
    expect(chip.awaitsAnswer).toBe(false);
    expect(chip.request.pin !== undefined).toBe(expected === ONLINE_PIN);
    expect(issuerAnswer(chip, cardOf(fixture.facts).scheme).valid).toBe(true);
  },
);

test.each([
  ['visa-contact-pin', 'card presented; read, pin; pin entered; OfflinePin accepted; card completed'],
  ['mastercard-contact-pin', `${ONLINE_PIN}; card completed`],
  ['visa-blocked-pin', `${NO_PIN}; card completed`],
])(
  'ViVOtech2 driver: %s in the slot is verified, and completed with the issuer response',
  async (card, expected) => {
    const fixture = vivotechBench({ card, pins: ['1234'] });
    await fixture.play();
    expect(story(fixture.facts)).toBe(expected);
    const chip = lastChip(fixture.facts);
    expect(chip.awaitsAnswer).toBe(true);
    expect(issuerAnswer(chip, cardOf(fixture.facts).scheme).valid).toBe(true);
    expect(toHex(findTlv(fromHex(chip.request.emv), '9F02')!)).toBe('000000001500');
  },
);

test('ViVOtech2 driver: asks again after a wrong PIN, and reports a blocked PIN to the issuer', async () => {
  const fixture = vivotechBench({ card: 'visa-contact-pin', pins: ['9999', '1234'] });
  await fixture.play();
  expect(story(fixture.facts)).toContain('PIN rejected, 1 left; pin entered; OfflinePin accepted');

  const wrong = vivotechBench({ card: 'visa-contact-pin', pins: ['1111', '2222', '3333'] });
  await wrong.play();
  const blocked = wrong.facts.find((fact) => fact.type === 'pin.rejected' && fact.triesLeft === 0);
  expect(blocked).toMatchObject({ chip: { awaitsAnswer: true } });
});

test('ViVOtech2 driver: cancel during PIN entry ends the action', async () => {
  const fixture = vivotechBench({ card: 'visa-contact-pin', pins: ['cancelled'] });
  fixture.begin();
  await fixture.until('card.read');
  fixture.reader.awaitPin();
  await fixture.until('cancel.pressed');
  fixture.reader.end();
  await fixture.clock.advance(5_000);
  expect(story(fixture.facts)).toBe('card presented; read, pin; cancel pressed');
});

test('ViVOtech2 driver: a swiped card has no cryptogram', async () => {
  const fixture = vivotechBench();
  fixture.begin();
  await fixture.clock.advance(1_000);
  fixture.control('swipe', 'visa-swipe');
  await fixture.until('card.read');
  expect(cardOf(fixture.facts)).toMatchObject({ entryMode: 'Swipe', scheme: 'Visa' });
  expect(lastChip(fixture.facts)).toMatchObject({ awaitsAnswer: false, request: { emv: '' } });
});

test('ViVOtech2 driver: keeps looking for a card after a timeout of the reader', async () => {
  const fixture = vivotechBench();
  fixture.begin();
  await fixture.clock.advance(70_000);
  expect(fixture.facts, 'reported once').toEqual([{ type: 'card.missing' }]);
  fixture.line.tray.insert(createChipCard('visa-contactless')!);
  await fixture.until('card.read');
});

test('ViVOtech2 driver: end stops looking for a card, and the next action finds it', async () => {
  const fixture = vivotechBench();
  fixture.begin();
  await fixture.clock.advance(5_000);
  fixture.reader.end();
  await fixture.clock.advance(1_000);
  fixture.line.tray.insert(createChipCard('visa-contactless')!);
  await fixture.clock.advance(5_000);
  expect(fixture.facts).toEqual([]);
  fixture.begin();
  await fixture.until('card.read');
});

test('ViVOtech2 driver: a card removed between two commands is unreadable', async () => {
  const fixture = vivotechBench({ card: 'visa-torn' });
  fixture.begin();
  await fixture.until('card.unreadable');
  expect(story(fixture.facts)).toMatch(/card unreadable$/);
});

test('ViVOtech2 driver: an AAC declines a payment, and is enough for a refund', async () => {
  const payment = vivotechBench({ card: 'mastercard-offline-declines' });
  await payment.play();
  expect(payment.facts).toEqual([{ type: 'card.declined', reason: 'the card declined' }]);

  const refund = vivotechBench({ card: 'mastercard-offline-declines' });
  await refund.play({ type: 'Refund' });
  expect(story(refund.facts)).toBe(NO_PIN);
  expect(cardOf(refund.facts).entryMode).toBe('Contactless');
});

test('ViVOtech2 driver: declines a card number outside the test ranges', async () => {
  const fixture = vivotechBench({ card: 'visa-contactless', cards: () => false });
  fixture.begin();
  await fixture.until('card.declined');
  expect(acceptTestCards('4111111111111112')).toBe(false);
});

test('ViVOtech2 driver: unplugged while it waits for a card, the action fails and the next one works', async () => {
  const fixture = vivotechBench();
  fixture.begin();
  await fixture.clock.advance(5_000);
  fixture.line.unplug();
  await fixture.until('reader.failed');
  fixture.reader.end();
  fixture.line.plugIn();
  fixture.line.tray.insert(createChipCard('visa-contactless')!);
  fixture.begin();
  await fixture.until('card.read');
});

test('ViVOtech2 driver: unplugged before the card is completed, the card counts as refused', async () => {
  const fixture = vivotechBench({ card: 'visa-blocked-pin' });
  fixture.begin();
  await fixture.until('card.read');
  fixture.line.unplug();
  await fixture.clock.advance(100);
  fixture.reader.completeCard!(issuerAnswer(lastChip(fixture.facts), 'Visa').answer);
  await fixture.until('card.refused');
});

test('ViVOtech2 driver: card number and PIN do not leave in the clear', async () => {
  const fixture = vivotechBench({ card: 'visa-contact-pin', pins: ['1234'] });
  await fixture.play();
  const chip = lastChip(fixture.facts);
  const told = JSON.stringify({
    ...chip.request,
    cardData: undefined,
    facts: fixture.facts.map(({ type }) => type),
  });
  expect(told).not.toMatch(/4012000000060085|476173[0-9]{10}/);
});

for (const seed of ['1', '2', '3', '4', '5', '6', '7', '8']) {
  test(`ViVOtech2 driver: on a bad line each action ends once (seed ${seed})`, async () => {
    const fixture = vivotechBench({ card: 'visa-contactless', badLine: seed });
    for (let turn = 0; turn < 3; turn += 1) {
      fixture.facts.length = 0;
      fixture.begin();
      await fixture.clock.advance(120_000);
      const ends = fixture.facts.filter(({ type }) => !['card.missing', 'card.presented'].includes(type));
      expect(ends).toHaveLength(1);
      if (ends[0]?.type === 'card.read') {
        expect(issuerAnswer(lastChip(fixture.facts), 'Visa').valid).toBe(true);
      } else {
        expect(['card.unreadable', 'reader.failed']).toContain(ends[0]?.type);
      }
      fixture.reader.end();
      await fixture.clock.advance(30_000);
    }
  });
}

test('ViVOtech2 driver: diagnose pings, reads version and configuration', async () => {
  const fixture = vivotechBench();
  const findings: CheckResult[] = [];
  const examined = (async () => {
    for await (const finding of driver.diagnose(fixture.parts)) findings.push(finding);
  })();
  await fixture.line.within(30_000, examined);
  expect(findings.map(({ step, ok }) => `${step}: ${ok}`)).toEqual([
    'open the port: true',
    'ping (18-01): true',
    'firmware version (29-00): true',
    'configuration (03-02): true',
  ]);
});

test('ViVOtech2 driver: explains why a port does not open', async () => {
  const fixture = vivotechBench();
  fixture.line.unplug();
  fixture.begin();
  await fixture.until('reader.failed');
  expect(fixture.facts.at(-1)).toMatchObject({ reason: expect.stringContaining('USB-HID') });
});
