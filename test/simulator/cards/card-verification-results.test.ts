import { expect, test } from 'vitest';
import { expectedCryptogram, newCard, PlainTerminal, profileNamed } from './chip-fixture.ts';
import { insertedForPin, RIGHT, WRONG } from './pin-terminal.ts';

const MASTERCARD = 'mastercard-contact-pin';
const UNABLE_TO_GO_ONLINE = { approve: '5933', decline: '5A33' };

/** The six bytes of M/Chip's card verification results in 9F10, after key index and version. */
function resultsOf({ known }: PlainTerminal): string {
  expect(known.get('9F26')).toBe(expectedCryptogram({ known } as PlainTerminal, MASTERCARD).cryptogram);
  return known.get('9F10')!.slice(4, 16);
}

async function afterArqc(name = MASTERCARD): Promise<PlainTerminal> {
  const terminal = new PlainTerminal(newCard(name), 'Contact');
  await terminal.begin(profileNamed(name).aid!);
  await terminal.generate('80', '8C');
  return terminal;
}

test('Mastercard CVR: offline PIN not performed is 0x20 of byte 4', async () => {
  expect(resultsOf(await afterArqc())).toBe('A00003200000');
});

test.each([
  ['a right plaintext PIN', 'plain', [RIGHT], 'A50003000000'],
  ['a right enciphered PIN', 'enciphered', [RIGHT], 'A70003000000'],
  ['a wrong plaintext PIN: failed is 0x10 of byte 4', 'plain', [WRONG], 'A40002100000'],
  ['a wrong enciphered PIN', 'enciphered', [WRONG], 'A60002100000'],
  ['the last try: limit exceeded is 0x08 of byte 4', 'plain', [WRONG, WRONG, WRONG], 'A40000180000'],
] as const)('Mastercard CVR: after %s', async (_what, way, blocks, expected) => {
  const { terminal, plain, enciphered, challenge } = await insertedForPin(newCard(MASTERCARD));
  for (const block of blocks) {
    await (way === 'plain' ? plain(block) : enciphered(block, await challenge()));
  }
  await terminal.generate('80', '8C');
  expect(resultsOf(terminal)).toBe(expected);
});

test('Mastercard CVR: issuer authentication failed is 0x04 of byte 5', async () => {
  const terminal = await afterArqc();
  terminal.known.set('8A', '3030').set('91', `${'00'.repeat(7)}013030`);
  await terminal.generate('40', '8D');
  expect(terminal.known.get('9F27')).toBe('00');
  expect(resultsOf(terminal)).toBe('201003200400');
});

test.each(Object.entries(UNABLE_TO_GO_ONLINE))(
  'CVR: has a bit for a terminal that could not go online (%s)',
  async (_what, code) => {
    const mastercard = await afterArqc();
    mastercard.known.set('8A', code).set('91', '');
    await mastercard.generate('00', '8D');
    expect(resultsOf(mastercard), 'byte 4, 0x40').toBe('200003600000');

    const visa = await afterArqc('visa-contact-pin');
    visa.known.set('8A', code).set('91', '');
    await visa.generate('00', '8D');
    expect(visa.known.get('9F10')!.slice(6), 'byte 2, 0x01').toBe('03210000');
  },
);
