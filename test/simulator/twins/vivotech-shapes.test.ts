import { expect, test } from 'vitest';
import type { ReaderChip } from '../../../agent/readers/reader.ts';
import { driver } from '../../../agent/readers/vivotech/vivotech.driver.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { createTwinWithShape } from '../../../simulator/twins/vivotech.twin.ts';
import type { Twin } from '../../../simulator/twins/twin.ts';
import type { ResultShape } from '../../../simulator/twins/vivotech/result-style.ts';
import { createKernelFixture, issuerAnswer } from '../../agent/readers/kernel-fixture.ts';
import { twinLine } from '../../agent/readers/twin-line.ts';

/** The driver at a twin whose firmware writes its results in this way. */
function readerWith(shape: Partial<ResultShape>, card?: string) {
  let twin: Twin | undefined;
  const line = twinLine({
    createTwin: (parts) => (twin = createTwinWithShape(parts, shape)),
    line: { baudRate: 115_200 },
    card: card === undefined ? undefined : createChipCard(card)!,
  });
  const fixture = createKernelFixture({
    pins: ['1234'],
    clock: line.clock,
    createReader: (given) => driver.createReader({ ...given, open: line.open }),
  });
  const chip = (): ReaderChip =>
    fixture.facts.flatMap((fact) => ('chip' in fact && fact.chip ? [fact.chip] : [])).at(-1)!;
  const cardRead = () => fixture.facts.find((fact) => fact.type === 'card.read')!.card;
  return {
    ...fixture,
    line,
    chip,
    cardRead,
    swipe: (name: string) => twin!.controls['swipe']!.run(name),
  };
}

const SHAPES: [string, Partial<ResultShape>][] = [
  ['short attribution', { attribution: 'short' }],
  ['long attribution', { attribution: 'long' }],
  ['few objects', { objects: 'few' }],
];

for (const [name, shape] of SHAPES) {
  test.each([
    ['visa-contactless', 'Contactless'],
    ['mastercard-contactless', 'Contactless'],
    ['amex-contactless', 'Contactless'],
    ['visa-contact-pin', 'Contact'],
    ['mastercard-contact-pin', 'Contact'],
  ])(
    `ViVOtech2 driver and twin: %s goes online with a valid cryptogram (${name})`,
    async (card, entryMode) => {
      const fixture = readerWith(shape, card);
      await fixture.play();
      expect(fixture.cardRead()).toMatchObject({ entryMode });
      expect(issuerAnswer(fixture.chip(), fixture.cardRead().scheme).valid).toBe(true);
    },
  );
}

test.each<[string, Partial<ResultShape>]>([
  ['formatted tracks', { tracks: 'formatted' }],
  ['both', { tracks: 'both' }],
  ['long attribution', { tracks: 'formatted', attribution: 'long' }],
])('ViVOtech2 driver and twin: a swipe is read (%s)', async (_name, shape) => {
  const fixture = readerWith(shape);
  fixture.begin();
  await fixture.clock.advance(1_000);
  fixture.swipe('visa-swipe');
  await fixture.until('card.read');
  expect(fixture.cardRead()).toMatchObject({ entryMode: 'Swipe', bin: '401200', last4: '0085' });
});

test.each<[string, Partial<ResultShape>]>([
  ['object', { failure: 'object' }],
  ['object, long attribution', { failure: 'object', attribution: 'long' }],
  ['bytes', { failure: 'bytes' }],
])(
  'ViVOtech2 driver and twin: a tap that the card declines is a decline (failure as %s)',
  async (_name, shape) => {
    const fixture = readerWith(shape, 'mastercard-offline-declines');
    fixture.begin();
    await fixture.until('card.declined');
  },
);

test('ViVOtech2 driver and twin: a failure without data is an unreadable card, which may be presented again', async () => {
  const fixture = readerWith({ failure: 'empty' }, 'visa-unreadable');
  fixture.begin();
  await fixture.until('card.unreadable');
  fixture.line.tray.remove();
  fixture.line.tray.insert(createChipCard('visa-contactless')!);
  fixture.reader.end();
  await fixture.clock.advance(1_000);
  fixture.begin();
  await fixture.until('card.read');
});

test.each(['visa-contactless', 'visa-contact-pin'])(
  'ViVOtech2 driver and twin: an encrypted %s is never read as a card',
  async (card) => {
    const fixture = readerWith({ encrypted: true }, card);
    fixture.begin();
    await fixture.clock.advance(120_000);
    expect(fixture.facts.map(({ type }) => type)).not.toContain('card.read');
    expect(fixture.facts.length).toBeGreaterThan(0);
  },
);

test('ViVOtech2 driver and twin: no card is presented, and the reader goes on looking (long attribution)', async () => {
  const fixture = readerWith({ attribution: 'long' });
  fixture.begin();
  await fixture.clock.advance(70_000);
  expect(fixture.facts, 'reported once').toEqual([{ type: 'card.missing' }]);
  fixture.line.tray.insert(createChipCard('visa-contactless')!);
  await fixture.until('card.read');
});
