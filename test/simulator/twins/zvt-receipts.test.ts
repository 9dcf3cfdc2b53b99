import { expect, test } from 'vitest';
import { rawCashRegister } from './zvt-cash-register.ts';

const TEXT_BLOCKS = '06 06 26 04 0A 02 06 D3';
const ONLY_LINES = '06 06 26 04 0A 02 06 D1';
const PAY = '06 01 07 04 00 00 00 00 17 42';
const END_OF_DAY = '06 50 03 00 00 00';

/** 06 00 with a config byte, EUR and a container. */
function registration(config: string, container: string): string {
  const fields = container.replaceAll(' ', '').length / 2;
  return `06 00 ${(6 + fields).toString(16).padStart(2, '0')} 00 00 00 ${config} 09 78 ${container}`;
}

/** The print commands that the twin sends for a payment, and at its end of day. */
async function printed(config: string, container: string): Promise<{ payment: string; endOfDay: string }> {
  const register = rawCashRegister();
  await register.send(registration(config, container));
  register.present('visa-contactless');
  const payment = await register.send(PAY, 60_000);
  const endOfDay = await register.send(END_OF_DAY, 60_000);
  expect(payment.at(-1)).toBe('060F00');
  expect(endOfDay.at(-1)).toBe('060F00');
  const kinds = (messages: string[]) =>
    [
      ...new Set(messages.map((message) => message.slice(0, 4)).filter((kind) => kind.startsWith('06D'))),
    ].join();
  return { payment: kinds(payment), endOfDay: kinds(endOfDay) };
}

test.each([
  ['16', '', '', 'the cash register makes them itself'],
  ['3E', TEXT_BLOCKS, '', 'the cash register makes them itself, whatever tag 26 lists'],
  ['96', '', '06D1', 'lines, without a container'],
  ['96', '06 00', '06D1', 'lines, with an empty container'],
  ['96', ONLY_LINES, '06D1', 'lines, where tag 26 does not list blocks'],
  ['BE', TEXT_BLOCKS, '06D3', 'blocks, where tag 26 lists them'],
  ['B8', TEXT_BLOCKS, '', 'the terminal prints them'],
])(
  'ZVT twin: config byte %s with container "%s" prints both receipts by "%s": %s',
  async (config, container, by) => {
    expect(await printed(config, container)).toEqual({ payment: by, endOfDay: by });
  },
);

test('ZVT twin: bit 04 alone sends the print of the end of day, and bit 02 alone that of payments', async () => {
  expect(await printed('9C', '')).toEqual({ payment: '', endOfDay: '06D1' });
  expect(await printed('9A', TEXT_BLOCKS)).toEqual({ payment: '06D3', endOfDay: '' });
});

test('ZVT twin: parses a recorded registration with a service byte and a container', async () => {
  const recorded =
    '03 00 06 59 10 02 16 02 12 01 40 1A 02 10 00 26 28 0A 02 04 0F 0A 02 06 0F 0A 02 06 1E 0A 02 04 FF 0A 02 06 D8 ' +
    '0A 02 06 DB 0A 02 06 D9 0A 02 06 DA 0A 02 06 DD 0A 02 06 D3 27 03 14 01 FF 28 10 15 02 44 45 15 02 45 4E ' +
    '15 02 46 52 15 02 49 54 40 02 C0 00 1F 04 02 F1 00 1F 05 01 00';
  expect((await printed('FE', recorded)).payment).toBe('06D3');
});

test('ZVT twin: a registration is valid for the next connection too', async () => {
  const register = rawCashRegister();
  await register.send(registration('92', ''));
  await register.reconnect();
  register.present('visa-contactless');
  expect((await register.send(PAY, 60_000)).some((message) => message.startsWith('06D1'))).toBe(true);
});

/** `Ä` of the title of a merchant's copy. */
const TITLES = { '01': '4820C4204E', FE: '4820C384204E', FF: '48208E204E' };

test.each([
  ['01', '01'],
  ['FE', 'FE'],
  ['FF', 'FF'],
  ['02', 'FF'],
] as const)('ZVT twin: asked for character set %s, it reports %s and prints in it', async (asked, agreed) => {
  const register = rawCashRegister();
  const [, completion] = await register.send(registration('92', `06 03 14 01 ${asked}`));
  expect(completion).toBe(`060F1A19002952500041490978060E1401${agreed}27091401011401FE1401FF`);
  register.present('visa-contactless');
  const lines = (await register.send(PAY, 60_000)).filter((message) => message.startsWith('06D1'));
  expect(lines.join()).toContain(TITLES[agreed]);
});

test('ZVT twin: an ECR without containers gets none at its registration, and code page 437', async () => {
  const register = rawCashRegister();
  expect(await register.send(registration('92', ''))).toEqual(['800000', '060F0A19002952500041490978']);
  register.present('visa-contactless');
  expect((await register.send(PAY, 60_000)).join()).toContain(TITLES.FF);
});
