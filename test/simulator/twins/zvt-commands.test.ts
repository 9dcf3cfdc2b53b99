import { expect, test } from 'vitest';
import { memoryOf } from '../../../simulator/twins/stand-alone/journal.ts';
import { ascii, rawCashRegister } from './zvt-cash-register.ts';

/** 06 00 of a cash register that wants intermediate statuses and all receipts in lines, and no containers. */
const REGISTER = '06 00 06 00 00 00 9E 09 78';
const WITH_CONTAINERS = '06 00 08 00 00 00 08 09 78 06 00';
const PAY = '06 01 07 04 00 00 00 00 17 42';
const END_OF_DAY = '06 50 03 00 00 00';

async function registered(registration: string = REGISTER) {
  const register = rawCashRegister();
  await register.send(registration);
  return register;
}

const kinds = (messages: string[]) => [...new Set(messages.map((message) => message.slice(0, 4)))];
const statusIn = (messages: string[]) => messages.find((message) => message.startsWith('040F'));

/** The numbers of the fields of a status information, in their order, as other programs' tables read them. */
function fieldNumbers(status: string): string[] {
  const fixed: Record<string, number> = {
    '04': 6,
    '0B': 3,
    '0C': 3,
    '0D': 2,
    '0E': 2,
    '17': 2,
    '27': 1,
    '29': 4,
    '2A': 15,
    '3B': 8,
    '49': 2,
    '87': 2,
    '88': 3,
    '8A': 1,
  };
  const counted: Record<string, number> = { '22': 2, '8B': 2, '3C': 3, '60': 3 };
  const numbers: string[] = [];
  let rest = status.slice(6);
  while (rest.length > 0) {
    const number = rest.slice(0, 2);
    numbers.push(number);
    const digits = counted[number];
    const length = digits
      ? digits + Number(rest.slice(2, 2 + digits * 2).replaceAll(/F(\d)/g, '$1'))
      : number === '06'
        ? 1 + Number.parseInt(rest.slice(2, 4), 16)
        : fixed[number];
    if (length === undefined) throw new Error(`field ${number} is in no table`);
    rest = rest.slice(2 + length * 2);
  }
  return numbers;
}

test('ZVT twin: a status information has a container, as its last field, only after a registration with one', async () => {
  const register = await registered(WITH_CONTAINERS);
  register.present('visa-contactless');
  const numbers = fieldNumbers(statusIn(await register.send(PAY))!);
  expect(numbers.indexOf('06')).toBe(numbers.length - 1);
  expect(numbers).toEqual(expect.arrayContaining(['27', '04', '87', '88', '22', '29']));
  await register.send(REGISTER);
  expect(fieldNumbers(statusIn(await register.send(PAY, 60_000))!)).not.toContain('06');
});

test('ZVT twin: after a log-off payments are refused until a registration', async () => {
  const register = await registered();
  expect(await register.send('06 02 00')).toEqual(['800000']);
  expect(await register.send(PAY)).toEqual(['846B00']);
  await register.send(REGISTER);
  expect((await register.send(PAY))[0]).toBe('800000');
});

test.each([
  ['diagnosis', '06 70 00', 'DIAGNOSE'],
  ['diagnosis of the line', '06 70 05 06 03 1B 01 01', 'DIAGNOSE'],
  ['initialisation', '06 93 03 00 00 00', 'INITIALISIERUNG'],
  ['self test', '06 79 03 00 00 00', 'SELBSTTEST'],
  ['system configuration', '06 1A 00', 'SYSTEMKONFIGURATION'],
])('ZVT twin: %s sends intermediate statuses, prints its report and completes', async (_, command, title) => {
  const messages = await (await registered()).send(command, 60_000);
  expect(kinds(messages)).toEqual(['8000', '04FF', '06D1', '060F']);
  expect(messages.join()).toContain(ascii(title));
  const quiet = await registered('06 00 06 00 00 00 82 09 78');
  expect(await quiet.send(command)).toEqual(['800000', '060F00']);
});

test('ZVT twin: reset clears the registration and keeps the journal', async () => {
  const register = await registered();
  register.present('visa-contactless');
  await register.send(PAY, 60_000);
  expect(await register.send('06 18 00')).toEqual(['800000', '060F00']);
  expect(await register.send(PAY)).toEqual(['846B00']);
  expect(memoryOf(register.tray).journal).toHaveLength(1);
});

test('ZVT twin: turnover totals report the sum of an end of day without closing it', async () => {
  const register = await registered('06 00 06 00 00 00 00 09 78');
  register.present('visa-contactless');
  await register.send(PAY);
  for (const command of ['06 10 03 00 00 00', '06 10 03 00 00 00', END_OF_DAY]) {
    const [answer, status, completion] = await register.send(command);
    expect([answer, completion]).toEqual(['800000', '060F00']);
    expect(status).toContain('04000000001742');
  }
  expect(statusIn(await register.send('06 10 03 00 00 00'))).toContain('04000000000000');
});

test('ZVT twin: display text is acknowledged and displayed', async () => {
  const register = await registered();
  const line = ascii('Bitte warten');
  expect(await register.send(`06 E0 11 F0 05 F1 F1 F2 ${line}`)).toEqual(['800000']);
  expect(memoryOf(register.tray).display).toEqual(['Bitte warten']);
});

test('ZVT twin: read card sends a status information with the masked card', async () => {
  const register = await registered(WITH_CONTAINERS);
  const waiting = register.send('06 C0 03 0F 06 00', 10_000);
  register.clock.at(register.clock.nowMs() + 3_000, () => register.present('visa-contactless'));
  const messages = await waiting;
  expect(kinds(messages)).toEqual(['8000', '04FF', '040F']);
  expect(fieldNumbers(statusIn(messages)!)).toEqual(['27', '0E', '22', '8A', '8B', '06']);
  expect(statusIn(messages)).toContain('22F0F8401200EEEEEE0085');
});

test('ZVT twin: read card aborts with 6C after its timeout', async () => {
  const messages = await (await registered()).send('06 C0 01 05', 6_000);
  expect(messages.at(-1)).toBe('061E016C');
});

/** A reservation of 20.00. @returns the cash register and the reservation's receipt number. */
async function reserved() {
  const register = await registered('06 00 06 00 00 00 00 09 78');
  register.present('visa-contactless');
  const status = statusIn(await register.send('06 22 07 04 00 00 00 00 20 00'))!;
  return { register, receipt: /87(\d{4})0E/.exec(status)![1]! };
}

test.each(['06 23', '06 24'])('ZVT twin: %s books a part of a reservation, once', async (command) => {
  const { register, receipt } = await reserved();
  const booking = `${command} 0A 87 ${receipt} 04 00 00 00 00 15 00`;
  const [answer, status, completion] = await register.send(booking);
  expect([answer, completion]).toEqual(['800000', '060F00']);
  expect(status).toMatch(/^040F..270004000000001500/);
  expect(await register.send(booking)).toEqual(['800000', '061E01B7']);
  expect(statusIn(await register.send('06 10 03 00 00 00'))).toContain('04000000001500');
});

test('ZVT twin: accepts 06 24 with a password before its fields, and refuses more than was reserved', async () => {
  const { register, receipt } = await reserved();
  expect(await register.send(`06 24 0D 00 00 00 04 00 00 00 00 20 01 87 ${receipt}`)).toEqual([
    '800000',
    '061E01B7',
  ]);
  const booked = await register.send(`06 24 0D 00 00 00 04 00 00 00 00 20 00 87 ${receipt}`);
  expect(booked.at(-1)).toBe('060F00');
});

test('ZVT twin: 06 23 with receipt FFFF returns the open reservation, or FFFF for none', async () => {
  const { register, receipt } = await reserved();
  expect(await register.send('06 23 03 87 FF FF')).toEqual(['800000', `061E04B887${receipt}`]);
  await register.send(`06 25 03 87 ${receipt}`);
  expect(await register.send('06 23 03 87 FF FF')).toEqual(['800000', '061E04B887FFFF']);
});

test('ZVT twin: names its character sets only to a cash register that named one', async () => {
  const completion = async (registration: string) => (await rawCashRegister().send(registration)).at(-1);
  expect(await completion('06 00 06 00 00 00 08 09 78'), 'no container').toBe('060F0A19002952500041490978');
  expect(await completion(WITH_CONTAINERS), 'a container without 14').toBe('060F0A19002952500041490978');
  expect(await completion('06 00 0B 00 00 00 08 09 78 06 03 14 01 FE')).toMatch(
    /^060F..19002952500041490978060E1401FE27/,
  );
});

test('ZVT twin: read card has a container when the command has one', async () => {
  const register = await registered();
  register.present('visa-contactless');
  const plain = statusIn(await register.send('06 C0 01 0F', 10_000))!;
  expect(plain).not.toContain('1F1201');
  const container = statusIn(await register.send('06 C0 03 0F 06 00', 10_000))!;
  expect(container).toContain('1F120102');
});

test('ZVT twin: 06 1B sets the terminal id, as long as no transaction awaits an end of day', async () => {
  const register = await registered();
  expect(await register.send('06 1B 08 00 00 00 29 60 00 00 01')).toEqual(['800000', '060F00']);
  expect((await register.send(REGISTER)).at(-1)).toContain('2960000001');
  expect(await register.send('06 1B 03 00 00 00')).toEqual(['800000', '061E019A']);
  register.present('visa-contactless');
  expect(statusIn(await register.send(PAY, 60_000))).toContain('2960000001');
  expect(await register.send('06 1B 08 00 00 00 29 52 50 00 41')).toEqual(['800000', '061E0183']);
});
