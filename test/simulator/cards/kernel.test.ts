import { expect, test } from 'vitest';
import type { ReaderChip, ReaderEvent } from '../../../agent/readers/reader.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv, findTlv } from '../../../protocol/emv/tlv.ts';
import { CHIP_CARD_NAMES } from '../../../simulator/cards/chip-card-registry.ts';
import { scriptMac } from '../../../simulator/cards/chip/issuer-commands.ts';
import { parseIssuedChip } from '../../../simulator/cards/issued-chip.ts';
import { ISSUED_CHIPS } from '../../../simulator/cards/card-files.ts';
import { issuerAnswer, createKernelFixture } from '../../agent/readers/kernel-fixture.ts';
import { chipSlot } from '../../kit/chip-slot.ts';
import { newCard, PlainTerminal, profileNamed } from './chip-fixture.ts';

/** A card in the slot of our kernel, after its ARQC. */
async function afterArqc(name: string) {
  const card = newCard(name);
  const kernel = createKernelFixture({ slot: chipSlot('Contact', card), pins: ['1234'] });
  kernel.begin();
  if (profileNamed(name).pin?.tries) {
    await kernel.until('card.read');
    kernel.reader.awaitPin();
    await kernel.until('pin.entered');
    kernel.reader.verifyPin();
    await kernel.until('pin.accepted');
  } else {
    await kernel.until('card.read');
  }
  const chip = kernel.facts.flatMap((fact) => ('chip' in fact && fact.chip ? [fact.chip] : [])).at(-1)!;
  /** The last online transaction counter of the card, read by another terminal. */
  const lastOnline = async () => {
    const terminal = new PlainTerminal(card, 'Contact');
    await terminal.select(profileNamed(name).aid!);
    return (await terminal.send('80CA9F1300')).data.slice(6);
  };
  return { card, kernel, chip, lastOnline };
}

const tagOf = ({ request }: ReaderChip, tag: string) => toHex(findTlv(fromHex(request.emv), tag)!);

const COMPLETE = CHIP_CARD_NAMES.filter((name) => {
  const { chip } = profileNamed(name);
  const { answersOnly, applicationBlocked, declinesOffline, issuedWith } = chip!.behaviour ?? {};
  return chip!.contact && answersOnly === undefined && !applicationBlocked && !declinesOffline && !issuedWith;
});

test.each(COMPLETE)(
  'kernel with chip %s: offline data authentication succeeds, and an approval completes the card',
  async (name) => {
    const { kernel, chip, lastOnline } = await afterArqc(name);
    const authentication = fromHex(tagOf(chip, '95'))[0]!;
    // TVR byte 1 (EMV 4.4 Book 3 Annex C5): nothing failed, nothing was left out; bit 2 says that SDA was chosen.
    expect(authentication).toBe(profileNamed(name).chip!.contact!.staticSignature ? 0x02 : 0x00);
    expect(await lastOnline()).toBe('0000');

    kernel.reader.completeCard!(issuerAnswer(chip, profileNamed(name).scheme).answer);
    await kernel.until('card.completed');
    expect(await lastOnline()).toBe(tagOf(chip, '9F36'));
  },
);

test.each(COMPLETE)('kernel with chip %s: a decline of the issuer reaches the card', async (name) => {
  const { kernel, chip, lastOnline } = await afterArqc(name);

  kernel.reader.completeCard!(issuerAnswer(chip, profileNamed(name).scheme, 'declined').answer);
  await kernel.until('card.completed');
  expect(await lastOnline()).toBe('0000');
});

test.each(COMPLETE)('chip %s: refuses an approval whose ARPC is not from its issuer', async (name) => {
  const { kernel, chip, lastOnline } = await afterArqc(name);
  const { answer } = issuerAnswer(chip, profileNamed(name).scheme, 'declined');
  // The response code is changed between issuer and card.
  const forged = answer.chip!.emv.replace(/^8A023035/, '8A023030').replace(/3035$/, '3030');

  kernel.reader.completeCard!({ outcome: 'approved', chip: { emv: forged } });
  expect(await kernel.until('card.refused', 'card.completed')).toMatchObject({ type: 'card.refused' });
  expect(await lastOnline()).toBe('0000');
});

test('chip: refuses an approval without issuer authentication data', async () => {
  const { kernel } = await afterArqc('visa-contact-pin');

  kernel.reader.completeCard!({ outcome: 'approved' });
  expect(await kernel.until('card.refused', 'card.completed')).toMatchObject({ type: 'card.refused' });
});

test('kernel: an issuer script blocks the application of the card', async () => {
  const { card, kernel, chip } = await afterArqc('visa-contact-pin');
  const { answer } = issuerAnswer(chip, 'Visa');
  const mac = scriptMac(fromHex(parseIssuedChip(card.name, ISSUED_CHIPS[card.name]).cardKey), {
    header: fromHex('841E000008'),
    counter: fromHex(tagOf(chip, '9F36')),
    arqc: fromHex(tagOf(chip, '9F26')),
    data: new Uint8Array(0),
  });
  const script = encodeTlv('72', encodeTlv('86', concat(fromHex('841E000008'), mac)));

  kernel.reader.completeCard!({ ...answer, chip: { emv: answer.chip!.emv + toHex(script) } });
  await kernel.until('card.completed');
  expect(await new PlainTerminal(card, 'Contact').select('A0000000031010')).toMatchObject({ sw: '6283' });
});

test('kernel: a card that declines offline is not sent to the issuer, by either interface', async () => {
  for (const technology of ['Contact', 'Contactless'] as const) {
    const slot = chipSlot(technology, newCard('mastercard-offline-declines'));
    const kernel = createKernelFixture({ slot, technology, pins: ['1234'] });
    const last = await kernel.play();
    expect(last.type).toBe('card.declined');
    const asksIssuer = (fact: ReaderEvent) => 'chip' in fact && fact.chip !== undefined;
    expect(kernel.facts.some(asksIssuer)).toBe(false);
  }
});
