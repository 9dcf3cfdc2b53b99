import { expect, test } from 'vitest';
import { toHex } from '../../../protocol/emv/hex.ts';
import type { CardSlot } from '../../../agent/readers/card-slot.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { createKernelFixture } from '../readers/kernel-fixture.ts';

/** A card between whose answers and the terminal somebody changes a data object, given by its tag. */
function wedge(name: string, technology: 'Contact' | 'Contactless', tag: string) {
  const commands: number[] = [];
  const slot: CardSlot = {
    name: 'wedge',
    async waitForCard() {
      const chip = createChipCard(name)!.powerOn(technology);
      return {
        technology,
        async transceive(command) {
          commands.push(command[1]!);
          const answer = Uint8Array.from((await chip.transceive(command))!);
          const at = toHex(answer).indexOf(tag);
          if (at < 0 || at % 2 !== 0 || answer.length < 8) return answer;
          // The last byte of the object, which is short or has its length in the form 81.
          const start = at / 2 + tag.length / 2;
          const [length, from] =
            answer[start] === 0x81 ? [answer[start + 1]!, start + 2] : [answer[start]!, start + 1];
          answer[from + length - 1]! ^= 0x01;
          return answer;
        },
        async release() {},
      };
    },
    async close() {},
  };
  return {
    commands,
    fixture: createKernelFixture({ slot, pins: ['1234'] }),
  };
}

const GENERATE_AC = 0xae;

test.each([
  ['mastercard-contactless', '9F36', 'the counter'],
  ['mastercard-contactless', '9F10', 'what the issuer is told'],
  ['mastercard-contactless', '5F34', 'a record'],
  ['amex-contactless', '9F36', 'the counter'],
])('CDA of %s: detects a changed %s (%s)', async (card, tag) => {
  const { fixture, commands } = wedge(card, 'Contactless', tag);
  const last = await fixture.play();
  // A record that does not match its certificate leaves the card without a key: nothing is signed, and the
  // issuer hears of it; a changed answer is refused here.
  const expected = tag === '5F34' ? 'card.read' : 'card.declined';
  expect(last.type).toBe(expected);
  expect(commands).toContain(GENERATE_AC);
});

test('contact kernel: requests an AAC and declines when the CDA signature is wrong (Book 2 §6.6.2)', async () => {
  const { fixture, commands } = wedge('mastercard-contact-pin', 'Contact', '9F36');
  const last = await fixture.play();
  expect(last).toMatchObject({ type: 'card.declined', reason: 'the signature of the card is wrong' });
  expect(commands.filter((instruction) => instruction === GENERATE_AC)).toHaveLength(2);
});

test('fDDA of a contactless Visa card: detects a changed signature', async () => {
  const { fixture } = wedge('visa-contactless', 'Contactless', '9F4B');
  expect(await fixture.play()).toMatchObject({
    type: 'card.declined',
    reason: 'the signature of the card is wrong',
  });
});
