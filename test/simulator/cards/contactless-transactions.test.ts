import { expect, test } from 'vitest';
import { CHIP_CARD_NAMES } from '../../../simulator/cards/chip-card-registry.ts';
import {
  byte,
  recoverCardKey,
  dynamicDataOf,
  expectedCryptogram,
  newCard,
  PlainTerminal,
  profileNamed,
  sha1,
} from './chip-fixture.ts';

const PPSE = Buffer.from('2PAY.SYS.DDF01').toString('hex');

/** Cards that complete a contactless transaction. */
const TAPPED = CHIP_CARD_NAMES.filter((name) => {
  const { chip } = profileNamed(name);
  const { answersOnly, applicationBlocked, declinesOffline } = chip!.behaviour ?? {};
  return chip!.contactless && answersOnly === undefined && !applicationBlocked && !declinesOffline;
});
const QUALIFIED = TAPPED.filter((name) => profileNamed(name).scheme === 'Visa');
const EMV_MODE = TAPPED.filter((name) => profileNamed(name).scheme !== 'Visa');

/** 9F66: qVSDC, online PIN and signature; then what a test adds. */
const TTQ = {
  plain: '26800000',
  signed: '27800000',
  verified: '27C00000',
  verifiedOnPhone: '27C04000',
  signatureAlone: '23C00000',
  onPhoneAlone: '21C04000',
  withoutOnlinePin: '21C00000',
  notQualified: '80000000',
};

async function tap(name: string, qualifiers: string = TTQ.signed) {
  const terminal = new PlainTerminal(newCard(name), 'Contactless');
  terminal.known.set('9F66', qualifiers);
  const signed = await terminal.begin(profileNamed(name).aid!);
  return { terminal, signed, known: terminal.known };
}

test.each(TAPPED)('PPSE of %s: lists its application and kernel identifier', async (name) => {
  const { aid, scheme, applicationLabel } = profileNamed(name);
  const terminal = new PlainTerminal(newCard(name), 'Contactless');

  const said = await terminal.select(PPSE);
  expect(said.sw).toBe('9000');
  expect(said.data).toContain(`4F${byte(aid!.length / 2)}${aid}`);
  expect(said.data).toContain(Buffer.from(applicationLabel!).toString('hex').toUpperCase());
  expect(said.data).toContain(`9F2A01${{ Visa: '03', Mastercard: '02', Amex: '04' }[scheme]}`);
});

test.each(QUALIFIED)(
  'contactless %s: GET PROCESSING OPTIONS returns an ARQC and a signature (qVSDC, fDDA)',
  async (name) => {
    const { terminal, signed, known } = await tap(name);
    const expected = expectedCryptogram(terminal, name).cryptogram;

    expect(known.get('9F27')).toBe('80');
    expect(known.get('9F26') === expected).toBe(name !== 'visa-wrong-cryptogram');
    expect(known.get('57')!.split('D')[0]).toBe(profileNamed(name).pan);
    expect(known.get('9F69')).toMatch(new RegExp(`^01[0-9A-F]{8}${known.get('9F6C')}$`));
    const key = recoverCardKey(terminal, signed);
    if (name === 'visa-broken-signature') return expect(key).toBeUndefined();
    const sent = known.get('9F37')! + known.get('9F02')! + known.get('5F2A')! + known.get('9F69')!;
    expect(dynamicDataOf(key!, known.get('9F4B')!, sent)).toBe(`02${known.get('9F36')}`);
  },
);

test('contactless Visa: without offline authentication in the TTQ there are no records', async () => {
  const { terminal, known } = await tap('visa-contactless', TTQ.plain);

  expect(known.get('9F26')).toBe(expectedCryptogram(terminal, 'visa-contactless').cryptogram);
  expect(known.has('9F4B')).toBe(false);
  expect(known.has('94')).toBe(false);
  expect(await terminal.send('00B2031C00'), 'no records without a signature').toMatchObject({
    sw: '6A83',
  });
});

test.each([
  // card, what the reader can do, 9F6C, cryptogram information
  ['visa-contactless', 'signed', '0000', '80'],
  ['visa-contactless', 'verified', '8000', '80'],
  ['visa-contactless', 'verifiedOnPhone', '8000', '80'],
  ['visa-contactless', 'signatureAlone', '4000', '80'],
  ['visa-contactless', 'withoutOnlinePin', '0000', '00'],
  ['apple-pay', 'signed', '0080', '80'],
  ['apple-pay', 'onPhoneAlone', '0080', '80'],
  ['apple-pay', 'verified', '0080', '00'],
] as const)(
  'contactless %s: for a reader that is %s the card transaction qualifiers are %s and the cryptogram is %s',
  async (...row) => {
    const [name, reader, qualifiers, information] = row;
    const { terminal, known } = await tap(name, TTQ[reader]);

    expect(known.get('9F6C')).toBe(qualifiers);
    expect(known.get('9F27')).toBe(information);
    expect(known.get('9F26')).toBe(expectedCryptogram(terminal, name).cryptogram);
  },
);

test('contactless Visa: returns no cryptogram to a reader without qVSDC', async () => {
  const { terminal, known } = await tap('visa-contactless', TTQ.notQualified);

  expect(known.has('9F26')).toBe(false);
  expect(await terminal.select('A0000000031010')).toMatchObject({ sw: '9000' });
});

test.each(EMV_MODE)('contactless %s: GENERATE AC returns an ARQC and signs it (CDA)', async (name) => {
  const { terminal, signed, known } = await tap(name);
  expect(known.get('82')).toBe(name === 'google-pay' ? '1B80' : '1980');

  await terminal.generate('90', '8C');
  const key = recoverCardKey(terminal, signed)!;
  const sent = terminal.valuesFor(known.get('9F38') ?? '') + terminal.valuesFor(known.get('8C')!);
  const iad = known.get('9F10')!;
  const answered = `9F2701809F3602${known.get('9F36')}9F10${byte(iad.length / 2)}${iad}`;
  const dynamicData = dynamicDataOf(key, known.get('9F4B')!, known.get('9F37')!)!;
  expect(dynamicData.slice(36)).toBe(sha1(sent + answered));
  known.set('9F26', dynamicData.slice(20, 36));
  expect(known.get('9F26')).toBe(expectedCryptogram(terminal, name).cryptogram);
});

test.each(EMV_MODE)('contactless %s: GENERATE AC returns a cryptogram without CDA too', async (name) => {
  const { terminal, known } = await tap(name);

  await terminal.generate('80', '8C');
  expect(known.get('9F26')).toBe(expectedCryptogram(terminal, name).cryptogram);
  expect(await terminal.command('00200080', '241234FFFFFFFFFF'), 'no VERIFY over contactless').toMatchObject({
    sw: '6D00',
  });
});

test('contactless: a card that declines offline returns an AAC', async () => {
  const { terminal, known } = await tap('mastercard-offline-declines');

  await terminal.generate('90', '8C');
  expect(known.get('9F27')).toBe('00');
});
