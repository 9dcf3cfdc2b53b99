import { expect, test } from 'vitest';
import type { ReaderChip, ReaderEvent } from '../../../agent/readers/reader.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv, findTlv } from '../../../protocol/emv/tlv.ts';
import { CHIP_CARD_NAMES } from '../../../simulator/cards/chip-card-registry.ts';
import { scriptMac } from '../../../simulator/cards/chip/issuer-scripts.ts';
import { parseIssuedChip } from '../../../simulator/cards/issued-chip.ts';
import { ISSUED_CHIPS } from '../../../simulator/cards/issued-chips.ts';
import { issuerAnswer, kernelBench } from '../../agent/readers/kernel-bench.ts';
import { chipSlot } from '../../kit/chip-slot.ts';
import { newCard, PlainTerminal, profileNamed } from './chip-fixture.ts';

/** A card in the slot of our own kernel, up to the moment at which its issuer is asked. */
async function asked(name: string) {
  const card = newCard(name);
  const bench = kernelBench({ slot: chipSlot('Contact', card), pins: ['1234'] });
  bench.begin();
  if (profileNamed(name).pin?.tries) {
    await bench.until('card.read');
    bench.reader.awaitPin();
    await bench.until('pin.entered');
    bench.reader.verifyPin();
    await bench.until('pin.accepted');
  } else {
    await bench.until('card.read');
  }
  const chip = bench.facts.flatMap((fact) => ('chip' in fact && fact.chip ? [fact.chip] : [])).at(-1)!;
  /** What the card says of itself afterwards, to another terminal. */
  const lastOnline = async () => {
    const terminal = new PlainTerminal(card, 'Contact');
    await terminal.select(profileNamed(name).aid!);
    return (await terminal.send('80CA9F1300')).data.slice(6);
  };
  return { card, bench, chip, lastOnline };
}

const tagOf = ({ request }: ReaderChip, tag: string) => toHex(findTlv(fromHex(request.emv), tag)!);

const COMPLETE = CHIP_CARD_NAMES.filter((name) => {
  const { chip } = profileNamed(name);
  const { answersOnly, applicationBlocked, declinesOffline, issuedWith } = chip!.behaviour ?? {};
  return chip!.contact && answersOnly === undefined && !applicationBlocked && !declinesOffline && !issuedWith;
});

test.each(COMPLETE)('the kernel finds the signatures of %s good, and both end agreed', async (name) => {
  const { bench, chip, lastOnline } = await asked(name);
  const authentication = fromHex(tagOf(chip, '95'))[0]!;
  // TVR byte 1 (EMV 4.4 Book 3 Annex C5): nothing failed, nothing was left out; bit 2 says that SDA was chosen.
  expect(authentication).toBe(profileNamed(name).chip!.contact!.staticSignature ? 0x02 : 0x00);
  expect(await lastOnline()).toBe('0000');

  bench.reader.completeCard!(issuerAnswer(chip, profileNamed(name).scheme).answer);
  await bench.until('card.completed');
  expect(await lastOnline()).toBe(tagOf(chip, '9F36'));
});

test.each(COMPLETE)('%s hears from its issuer that it is declined', async (name) => {
  const { bench, chip, lastOnline } = await asked(name);

  bench.reader.completeCard!(issuerAnswer(chip, profileNamed(name).scheme, 'declined').answer);
  await bench.until('card.completed');
  expect(await lastOnline()).toBe('0000');
});

test.each(COMPLETE)('%s refuses an approval that is not its issuer’s', async (name) => {
  const { bench, chip, lastOnline } = await asked(name);
  const { answer } = issuerAnswer(chip, profileNamed(name).scheme, 'declined');
  // Somebody between issuer and card turns a no into a yes.
  const forged = answer.chip!.emv.replace(/^8A023035/, '8A023030').replace(/3035$/, '3030');

  bench.reader.completeCard!({ outcome: 'approved', chip: { emv: forged } });
  expect(await bench.until('card.refused', 'card.completed')).toMatchObject({ type: 'card.refused' });
  expect(await lastOnline()).toBe('0000');
});

test('an approval without a word to the card is not enough for it', async () => {
  const { bench } = await asked('visa-contact-pin');

  bench.reader.completeCard!({ outcome: 'approved' });
  expect(await bench.until('card.refused', 'card.completed')).toMatchObject({ type: 'card.refused' });
});

test('an order of the issuer reaches the card: the application is blocked', async () => {
  const { card, bench, chip } = await asked('visa-contact-pin');
  const { answer } = issuerAnswer(chip, 'Visa');
  const mac = scriptMac(fromHex(parseIssuedChip(card.name, ISSUED_CHIPS[card.name]).cardKey), {
    header: fromHex('841E000008'),
    counter: fromHex(tagOf(chip, '9F36')),
    arqc: fromHex(tagOf(chip, '9F26')),
    data: new Uint8Array(0),
  });
  const order = encodeTlv('72', encodeTlv('86', concat(fromHex('841E000008'), mac)));

  bench.reader.completeCard!({ ...answer, chip: { emv: answer.chip!.emv + toHex(order) } });
  await bench.until('card.completed');
  expect(await new PlainTerminal(card, 'Contact').select('A0000000031010')).toMatchObject({ sw: '6283' });
});

test('a card that declines by itself is not taken to the issuer, by either way', async () => {
  for (const technology of ['Contact', 'Contactless'] as const) {
    const slot = chipSlot(technology, newCard('mastercard-offline-declines'));
    const bench = kernelBench({ slot, technology, pins: ['1234'] });
    const last = await bench.play();
    expect(last.type).toBe('card.declined');
    const asksIssuer = (fact: ReaderEvent) => 'chip' in fact && fact.chip !== undefined;
    expect(bench.facts.some(asksIssuer)).toBe(false);
  }
});
