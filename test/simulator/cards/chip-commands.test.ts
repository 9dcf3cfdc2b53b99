import { expect, test } from 'vitest';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { scriptMac } from '../../../simulator/cards/chip/issuer-commands.ts';
import { parseIssuedChip } from '../../../simulator/cards/issued-chip.ts';
import { ISSUED_CHIPS } from '../../../simulator/cards/card-files.ts';
import type { ChipCard } from '../../../simulator/cards/chip-card.ts';
import { newCard, PlainTerminal } from './chip-fixture.ts';

const VISA = 'A0000000031010';
const inserted = (name = 'visa-contact-pin') => new PlainTerminal(newCard(name), 'Contact');
const tapped = (name = 'visa-contactless') => new PlainTerminal(newCard(name), 'Contactless');

test.each([
  ['an empty command', '', '6700'],
  ['half a header', '00A404', '6700'],
  ['less data than Lc', '00A4040007A00000', '6700'],
  ['more data than Lc', '00A4040005A0000000031010AABB', '6700'],
  ['an extended length', '00A40400000007A0000000031010', '6700'],
  ['another class', '90A4040007A0000000031010', '6E00'],
  ['another instruction', '00FF000000', '6D00'],
  ['an instruction of another class', '80A4040007A0000000031010', '6D00'],
  ['SELECT by file identifier', '00A4000C023F00', '6A86'],
  ['SELECT of the last occurrence', '00A4040307A0000000031010', '6A86'],
  ['SELECT of a name that is too short', '00A4040004A0000000', '6700'],
  ['SELECT of an unknown name', '00A4040007A0000000041010', '6A82'],
  ['SELECT of a name that is too long', '00A4040008A000000003101001', '6A82'],
  ['READ RECORD before SELECT', '00B2010C00', '6985'],
  ['GET DATA before SELECT', '80CA9F3600', '6985'],
  ['GET PROCESSING OPTIONS before SELECT', '80A8000002830000', '6985'],
  ['VERIFY before SELECT', '0020008008241234FFFFFFFFFF', '6985'],
  ['GET CHALLENGE before SELECT', '0084000000', '6985'],
  ['INTERNAL AUTHENTICATE before SELECT', '008800000452BF4585', '6985'],
  ['EXTERNAL AUTHENTICATE before SELECT', '008200000A00000000000000003030', '6985'],
  ['GET RESPONSE without a response', '00C0000010', '6985'],
])('chip: %s returns %3$s', async (_what, command, sw) => {
  expect(await inserted().raw(command)).toEqual({ sw, data: '' });
});

test('T=0: a contact card announces the length of its data with 61xx and returns it on GET RESPONSE', async () => {
  const terminal = inserted();

  const announced = await terminal.raw(`00A4040007${VISA}00`);
  expect(announced).toMatchObject({ sw: expect.stringMatching(/^61/), data: '' });
  const length = announced!.sw.slice(2);
  expect(await terminal.raw('00C0000001'), 'less than the length').toEqual({ sw: `6C${length}`, data: '' });
  const information = await terminal.raw(`00C00000${length}`);
  expect(information).toMatchObject({ sw: '9000', data: expect.stringMatching(/^6F/) });
  expect(information!.data.length / 2).toBe(Number.parseInt(length, 16));
  expect(await terminal.raw(`00C00000${length}`), 'a second time').toEqual({ sw: '6985', data: '' });
});

test('T=0: 6Cxx announces the right length, and the repeated command is not run twice', async () => {
  const terminal = inserted();
  await terminal.begin(VISA);

  expect(await terminal.raw('0084000000')).toEqual({ sw: '6C08', data: '' });
  const challenge = await terminal.raw('0084000008');
  expect(challenge).toMatchObject({ sw: '9000', data: expect.stringMatching(/^[0-9A-F]{16}$/) });
  expect(await terminal.raw('80CA9F3600')).toEqual({ sw: '6C05', data: '' });
  expect(await terminal.raw('80CA9F1705'), 'another command with a wrong length').toEqual({
    sw: '6C04',
    data: '',
  });
  expect(await terminal.raw('80CA9F1704')).toMatchObject({ sw: '9000', data: '9F170103' });
});

test('contactless: a response has its data at once', async () => {
  expect(await tapped().raw(`00A4040007${VISA}00`)).toMatchObject({
    sw: '9000',
    data: expect.stringMatching(/^6F/),
  });
  expect(await tapped().raw(`00A4040007${VISA}`)).toMatchObject({ sw: '9000' });
});

test('SELECT: the contact interface has the PSE, the contactless interface the PPSE', async () => {
  const [pse, ppse] = ['1PAY.SYS.DDF01', '2PAY.SYS.DDF01'].map((name) => Buffer.from(name).toString('hex'));

  expect(await inserted().select(pse!)).toMatchObject({ sw: '9000' });
  expect(await inserted().select(ppse!)).toMatchObject({ sw: '6A82' });
  expect(await tapped().select(ppse!)).toMatchObject({ sw: '9000' });
  expect(await tapped().select(pse!)).toMatchObject({ sw: '6A82' });
});

test('SELECT: finds applications by a partial name, first and next', async () => {
  const terminal = inserted();
  const found = async (occurrence: string) =>
    (await terminal.command(`00A404${occurrence}`, 'A000000003')).data.match(/84(07[0-9A-F]{14})/)?.[1];

  expect(await found('02'), 'no next without a first').toBeUndefined();
  expect(await found('00')).toBe(`07${VISA}`);
  expect(await found('02')).toBe('07A0000000032010');
  expect(await found('02')).toBeUndefined();
});

test('READ RECORD: reads records by file and number', async () => {
  const terminal = inserted();
  await terminal.begin(VISA);

  expect(terminal.known.get('94')).toBe('08010100100102011801 0200'.replace(' ', ''));
  expect(await terminal.send('00B2010C00')).toMatchObject({ sw: '9000', data: expect.stringMatching(/^70/) });
  expect(await terminal.send('00B2020C00'), 'no such record').toMatchObject({ sw: '6A83' });
  expect(await terminal.send('00B2015400'), 'no such file').toMatchObject({ sw: '6A82' });
  expect(await terminal.send('00B2000C00'), 'no record 0').toMatchObject({ sw: '6A86' });
  expect(await terminal.send('00B2010800'), 'not by the current record pointer').toMatchObject({
    sw: '6A86',
  });
});

test('GET PROCESSING OPTIONS: starts once for each selection, with exactly the data of the PDOL', async () => {
  const terminal = tapped('amex-contactless');
  await terminal.select('A00000002501');

  expect(await terminal.command('80A80000', '8300'), 'too little').toMatchObject({ sw: '6700' });
  expect(await terminal.command('80A80000', '83062118E00000'), 'a wrong length').toMatchObject({
    sw: '6700',
  });
  expect(await terminal.command('80A80000', '84052118E00000'), 'another template').toMatchObject({
    sw: '6700',
  });
  expect(await terminal.command('80A80001', '83052118E00000')).toMatchObject({ sw: '6A86' });
  expect(await terminal.command('80A80000', '83052118E00000')).toMatchObject({ sw: '9000' });
  expect(await terminal.command('80A80000', '83052118E00000'), 'again').toMatchObject({ sw: '6985' });
  await terminal.select('A00000002501');
  expect(await terminal.command('80A80000', '83052118E00000'), 'selected again').toMatchObject({
    sw: '9000',
  });
});

test('GET DATA: returns counters, PIN tries and the log format, and nothing secret', async () => {
  const terminal = inserted();
  await terminal.begin(VISA);

  expect(await terminal.send('80CA9F3600')).toEqual({ sw: '9000', data: '9F36020065' });
  expect(await terminal.send('80CA9F1300')).toEqual({ sw: '9000', data: '9F13020000' });
  expect(await terminal.send('80CA9F1700')).toEqual({ sw: '9000', data: '9F170103' });
  expect(await terminal.send('80CA9F4F00')).toEqual({ sw: '9000', data: '9F4F0B9A039F02065F2A029F3602' });
  expect(await terminal.send('80CA9F2600'), 'not the last cryptogram').toEqual({ sw: '6A88', data: '' });
  expect(await terminal.send('80CA005A00'), 'not the card number').toEqual({ sw: '6A88', data: '' });
});

test('GENERATE AC: accepts three cryptogram types, with exactly the data of the CDOL', async () => {
  const terminal = inserted();
  await terminal.begin(VISA);
  const values = terminal.valuesFor(terminal.known.get('8C')!);

  expect(await terminal.command('80AEC000', values), 'no such type').toMatchObject({ sw: '6A86' });
  expect(await terminal.command('80AE8001', values)).toMatchObject({ sw: '6A86' });
  expect(await terminal.command('80AE8000', values.slice(2)), 'too little').toMatchObject({ sw: '6700' });
  expect(await terminal.command('80AE8000', values)).toMatchObject({ sw: '9000' });
  expect(
    await terminal.command('80AE8000', terminal.valuesFor(terminal.known.get('8D')!)),
    'a second time for an ARQC',
  ).toEqual({ sw: '6985', data: '' });
  expect(await terminal.command('80AE4000', values), 'the second has another CDOL').toMatchObject({
    sw: '6700',
  });
  expect(
    await terminal.command('00880000', '52BF4585'),
    'INTERNAL AUTHENTICATE after GENERATE AC',
  ).toMatchObject({ sw: '6985' });
  expect(
    await terminal.command('00820000', '00'.repeat(7)),
    'too little issuer authentication data',
  ).toMatchObject({
    sw: '6700',
  });
});

test('contactless Visa: has neither GENERATE AC nor INTERNAL AUTHENTICATE', async () => {
  const terminal = tapped();
  terminal.known.set('9F66', '27800000');
  await terminal.begin(VISA);

  expect(await terminal.command('80AE8000', '00'.repeat(29))).toMatchObject({ sw: '6D00' });
  expect(await terminal.command('00880000', '52BF4585')).toMatchObject({ sw: '6D00' });
});

test('EXTERNAL AUTHENTICATE: is not supported without its bit in the card profile', async () => {
  const terminal = inserted('mastercard-contact-pin');
  await terminal.begin('A0000000041010');
  await terminal.generate('80', '8C');

  expect(await terminal.command('00820000', '00'.repeat(10))).toMatchObject({ sw: '6D00' });
});

/** A transaction after its ARQC, and a function that sends an issuer script command with a MAC. */
async function afterArqc(card: ChipCard) {
  const terminal = new PlainTerminal(card, 'Contact');
  await terminal.begin(VISA);
  await terminal.generate('80', '8C');
  const { cardKey } = parseIssuedChip(card.name, ISSUED_CHIPS[card.name]);
  const sendScript = async (header: string, macChange = 0) => {
    const mac = scriptMac(fromHex(cardKey), {
      header: fromHex(`${header}08`),
      counter: fromHex(terminal.known.get('9F36')!),
      arqc: fromHex(terminal.known.get('9F26')!),
      data: new Uint8Array(0),
    });
    mac[7]! ^= macChange;
    return (await terminal.raw(`${header}08${toHex(mac)}`))!.sw;
  };
  return { terminal, sendScript };
}

test('issuer script: APPLICATION BLOCK and UNBLOCK block and unblock an application', async () => {
  const card = newCard('visa-contact-pin');
  const { terminal, sendScript } = await afterArqc(card);

  expect(await sendScript('841E0000', 1), 'a wrong MAC').toBe('6988');
  expect(await terminal.raw('841E000004AABBCCDD'), 'no MAC').toMatchObject({ sw: '6700' });
  expect(await sendScript('841E0100')).toBe('6A86');
  expect(await sendScript('841E0000')).toBe('9000');
  expect(await new PlainTerminal(card, 'Contactless').select(VISA)).toMatchObject({ sw: '6283' });
  expect(await sendScript('84180000')).toBe('9000');
  expect(await new PlainTerminal(card, 'Contactless').select(VISA)).toMatchObject({ sw: '9000' });
});

test('issuer script: PIN CHANGE/UNBLOCK resets the PIN try counter', async () => {
  const card = newCard('visa-contact-pin');
  const { terminal } = await afterArqc(card);
  expect(await terminal.raw('84240000080011223344556677')).toMatchObject({ sw: '6988' });

  const terminalForPin = new PlainTerminal(card, 'Contact');
  await terminalForPin.begin(VISA);
  for (const left of ['63C2', '63C1', '63C0', '6983']) {
    expect(await terminalForPin.raw('0020008008249999FFFFFFFFFF')).toMatchObject({ sw: left });
  }
  expect(await (await afterArqc(card)).sendScript('84240000')).toBe('9000');
  expect(await terminalForPin.raw('0020008008241234FFFFFFFFFF')).toMatchObject({ sw: '9000' });
});

test('issuer script: CARD BLOCK blocks the card for good', async () => {
  const card = newCard('visa-contact-pin');
  const { sendScript } = await afterArqc(card);

  expect(await sendScript('84160000')).toBe('9000');
  for (const name of [VISA, Buffer.from('1PAY.SYS.DDF01').toString('hex')]) {
    expect(await new PlainTerminal(card, 'Contact').select(name)).toMatchObject({ sw: '6A81' });
  }
});

test('issuer script: refused before the first GENERATE AC', async () => {
  const terminal = inserted();
  await terminal.begin(VISA);

  expect(await terminal.raw('841E0000080011223344556677')).toMatchObject({ sw: '6985' });
});
