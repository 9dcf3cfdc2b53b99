import { expect, test } from 'vitest';
import { VERSION } from '../../../protocol/version.ts';
import { ascii, rawCashRegister } from './zvt-cash-register.ts';

const REGISTER = '06 00 06 00 00 00 1A 09 78';
const PAY = '06 01 07 04 00 00 00 00 17 42';

async function afterAPayment() {
  const register = rawCashRegister();
  await register.send(REGISTER);
  register.present('visa-contactless');
  await register.send(PAY);
  return register;
}

const kinds = (messages: string[]) => messages.map((message) => message.slice(0, 4));

test('ZVT twin: registration completes with status, terminal id and currency, without device tags', async () => {
  const answers = await rawCashRegister().send(REGISTER);
  expect(answers).toEqual(['800000', '060F0A19002952500041490978']);
});

test('ZVT twin: repeat receipt sends the status information only with bit 01', async () => {
  const register = await afterAPayment();
  expect(kinds(await register.send('06 20 05 00 00 00 03 03'))).toEqual(['8000', '040F', '060F']);
  expect(kinds(await register.send('06 20 05 00 00 00 03 02'))).toEqual(['8000', '060F']);
});

test('ZVT twin: repeat receipt prints unless bit 02 is set', async () => {
  const register = await afterAPayment();
  await register.send('06 00 06 00 00 00 9A 09 78');
  const unprinted = await register.send('06 20 05 00 00 00 03 03');
  expect(unprinted.filter((message) => /^06D[13]/.test(message))).toEqual([]);
  const printed = kinds(await register.send('06 20 05 00 00 00 03 01', 60_000));
  expect(printed.slice(0, 2)).toEqual(['8000', '040F']);
  expect(printed.filter((kind) => kind === '06D1' || kind === '06D3').length).toBeGreaterThan(0);
  const plain = kinds(await register.send('06 20 03 00 00 00', 60_000));
  expect(plain).not.toContain('040F');
  expect(plain.filter((kind) => kind === '06D1' || kind === '06D3').length).toBeGreaterThan(0);
});

test('ZVT twin: repeat receipt aborts with 83 without a transaction', async () => {
  const register = rawCashRegister();
  await register.send(REGISTER);
  expect(await register.send('06 20 05 00 00 00 03 03')).toEqual(['800000', '061E0183']);
});

/** Software version as LLLVAR, as recorded terminals have it: F0 F0 F7 "2.14.15". */
const SOFTWARE = `F0F0F${VERSION.length}${ascii(VERSION)}`;

test.each(['05 01 00', '05 01 03 00 00 00'])(
  'ZVT twin: a plain status enquiry (%s) returns software version and status',
  async (enquiry) => {
    const [, completion] = await rawCashRegister().send(enquiry);
    expect(completion?.slice(6)).toBe(`${SOFTWARE}00`);
  },
);

test('ZVT twin: bit 02 of a status enquiry omits the version, bit 04 adds terminal, device and time', async () => {
  const register = rawCashRegister();
  expect(await register.send('05 01 05 00 00 00 03 02')).toEqual(['800000', '060F0100']);
  const device =
    `1F400D${ascii('TAPBENCH TWIN')}` +
    `1F410${VERSION.length}${ascii(VERSION)}` +
    '1F420400000001' +
    '1F430100';
  const container =
    '1F440452500041' +
    `E4${(device.length / 2).toString(16)}${device}`.toUpperCase() +
    '340D1F0E04202611201F0F03120000';
  const sent = (await register.send('05 01 05 00 00 00 03 06')).at(-1)!;
  const length = (container.length / 2).toString(16).toUpperCase();
  expect(sent.slice(6).replace(/1F0F03[0-9]{6}$/, '1F0F03120000')).toBe(`0006${length}${container}`);
  const both = (await register.send('05 01 05 00 00 00 03 04')).at(-1)!;
  expect(both.slice(6)).toMatch(new RegExp(`^${SOFTWARE}0006${length}1F4404`));
});
