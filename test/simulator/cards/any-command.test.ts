import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromHex } from '../../../protocol/emv/hex.ts';
import { CHIP_CARD_NAMES } from '../../../simulator/cards/chip-card-registry.ts';
import { newCard, profileNamed } from './chip-fixture.ts';

const READABLE = CHIP_CARD_NAMES.filter(
  (name) => profileNamed(name).chip!.behaviour?.answersOnly === undefined,
);

/** Valid commands, so that random bytes reach a card in every state. */
const VALID = [
  '00A404000E315041592E5359532E444446303100',
  '00A404000E325041592E5359532E444446303100',
  '00A4040007A000000003101000',
  '00A4040207A000000004101000',
  '00A4040006A0000000250100',
  '80A8000002830000',
  '80A80000078305000000000000',
  `80A8000023832127C04000${'00'.repeat(29)}00`,
  '00B2010C00',
  '00B2011400',
  '00B2031C00',
  '0084000000',
  '0084000008',
  '00C0000000',
  '0020008008241234FFFFFFFFFF',
  `0020008880${'5A'.repeat(128)}`,
  '008800000452BF458500',
  '008200000A00112233445566773030',
  `80AE90001D${'00'.repeat(29)}00`,
  `80AE50001F${'00'.repeat(31)}00`,
  `80AE90002B${'00'.repeat(43)}00`,
  `80AE40001B${'00'.repeat(27)}00`,
  '80CA9F3600',
  '841E0000080011223344556677',
].map(fromHex);

const command = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...VALID) },
  fc.uint8Array({ maxLength: 300 }),
  // A valid command with one byte of it changed, or cut short.
  fc
    .tuple(fc.constantFrom(...VALID), fc.nat(), fc.nat(255))
    .map(([bytes, at, value]) => bytes.with(at % bytes.length, value)),
  fc.tuple(fc.constantFrom(...VALID), fc.nat()).map(([bytes, end]) => bytes.slice(0, end % bytes.length)),
);

test('chip: answers any bytes with a well-formed response', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...READABLE),
      fc.constantFrom('Contact' as const, 'Contactless' as const),
      fc.array(command, { minLength: 1, maxLength: 25 }),
      async (name, technology, commands) => {
        const card = newCard(name);
        if (!card.technologies.includes(technology)) return;
        const session = card.powerOn(technology);
        for (const bytes of commands) {
          const before = bytes.slice();
          const answer = (await session.transceive(bytes))!;
          expect(answer.length).toBeGreaterThanOrEqual(2);
          expect(answer.length).toBeLessThanOrEqual(258);
          expect([0x61, 0x62, 0x63, 0x67, 0x69, 0x6a, 0x6c, 0x6d, 0x6e, 0x90]).toContain(answer.at(-2));
          expect(bytes, 'the command is not changed').toEqual(before);
        }
      },
    ),
    { numRuns: 300 },
  );
});
