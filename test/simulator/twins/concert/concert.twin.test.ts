import { expect, test } from 'vitest';
import * as module from '../../../../simulator/twins/concert.twin.ts';
import { frameBytes } from '../../../../simulator/twins/concert/frames.ts';
import { rawTill, textOf } from '../raw-till.ts';

const ENQ = '05';
const ACK = '06';
const NAK = '15';
const EOT = '04';
const BLANKS = ' '.repeat(10);
const hex = (text: string): string => Buffer.from(frameBytes(text)).toString('hex');

interface Fields {
  amount?: string;
  card?: string;
  means?: string;
  type?: string;
  currency?: string;
  more?: string;
}
const request = ({
  amount = '00001250',
  card = '0',
  means = '1',
  type = '0',
  currency = '978',
  more = 'A010B010',
}: Fields = {}) => `01${amount}${card}${means}${type}${currency}${BLANKS}${more}`;

/** A till on the serial line, which takes what the terminal has to say. */
function open(card = 'visa-contactless') {
  const till = rawTill(module, 'cable');
  if (card) till.present(card);
  till.onHear((heard) => (heard === ENQ || heard.startsWith('02') ? ACK : undefined));
  const answers = () =>
    till.heard.filter(({ hex: one }) => one.startsWith('02')).map(({ hex: one }) => textOf(one.slice(2, -4)));
  return {
    ...till,
    answers,
    /** Sends a message as the master of the line. @returns the answer of the terminal. */
    async ask(text: string, ms = 5_000): Promise<string | undefined> {
      const before = answers().length;
      await till.send(ENQ, 50);
      await till.send(hex(text), 50);
      await till.send(EOT, ms);
      return answers()[before];
    },
  };
}

test('Concert twin: a payment is a dialogue of both sides', async () => {
  const till = open();
  expect(await till.send(ENQ, 50)).toEqual([ACK]);
  expect(await till.send(hex(request()), 50)).toEqual([ACK]);
  const heard = await till.send(EOT);
  expect(heard).toEqual([ENQ, hex(`010000012501978${BLANKS}`), EOT]);
  expect(till.memory.journal).toMatchObject([{ amountMinor: 1250, kind: 'payment' }]);
  await till.clock.advance(0);
  expect(till.clock.due).toEqual([]);
});

test.each([
  ['E', ''],
  ['E+', 'A010B010'],
  ['E+, with a forced authorisation', 'A010B011'],
])('Concert twin: takes a request of %s, with card data when it is asked for', async (_, more) => {
  const answer = await open().ask(request({ card: '1', more }));
  expect(answer).toBe(`010000012501${'4012000000000085'.padEnd(55)}978${BLANKS}`);
  expect(answer).toHaveLength(80);
});

test('Concert twin: a refusal has the length of its request, or is short', async () => {
  const declined = { amount: '00001901', card: '1' };
  const till = open();
  expect(await till.ask(request(declined))).toBe(`017000019011${' '.repeat(55)}978${BLANKS}`);
  till.control('refusals', 'short');
  expect(await till.ask(request(declined))).toBe(`017000019011978${BLANKS}`);
});

test('Concert twin: an answer at once says that no result follows, and the payment goes on', async () => {
  const till = open();
  expect(await till.ask(request({ more: 'A011B010' }), 200)).toBe(`019000012501978${BLANKS}`);
  await till.clock.advance(5_000);
  expect(till.answers()).toHaveLength(1);
  expect(till.memory.journal).toHaveLength(1);
});

test('Concert twin: refunds, cancels a payment of this amount, and pre-authorises', async () => {
  const till = open();
  const statuses: string[] = [];
  for (const type of ['0', '1', '4', '2', '2', '2', '2'])
    statuses.push((await till.ask(request({ type })))!.charAt(2));
  expect(statuses.join('')).toBe('0000007');
});

test('Concert twin: a cheque needs no card, and other means are not accepted', async () => {
  const till = open('');
  expect((await till.ask(request({ means: 'C' })))!.charAt(2)).toBe('0');
  expect((await till.ask(request({ means: '5' })))!.charAt(2)).toBe('7');
  expect(till.memory.journal).toEqual([]);
});

test.each([
  ['nobody acts', 95_000, () => {}],
  ['the operator stops it', 5_000, (till: ReturnType<typeof open>) => till.control('stop')],
])('Concert twin: when %s the payment is not accepted', async (_, withinMs, act) => {
  const till = open('');
  expect(await till.ask(request(), 1_000)).toBeUndefined();
  act(till);
  await till.clock.advance(withinMs);
  expect(till.answers()).toEqual([`017000012501978${BLANKS}`]);
});

test('Concert twin: is not free while a payment runs, and free for a test of the line', async () => {
  const till = open('');
  expect(await till.send(ENQ, 50)).toEqual([ACK]);
  expect(await till.send(EOT)).toEqual([]);
  await till.ask(request(), 100);
  expect(await till.send(ENQ, 50)).toEqual([NAK]);
});

test('Concert twin: refuses a frame with a wrong check byte, and takes it again', async () => {
  const till = open();
  await till.send(ENQ, 50);
  const frame = hex(request());
  expect(await till.send(`${frame.slice(0, -2)}7f`, 50)).toEqual([NAK]);
  expect(String(till.control('timeline'))).toContain('frame, byte 36: the check byte is 7F, 00 is expected');
  till.control('refuse', '1');
  expect(await till.send(frame, 50)).toEqual([NAK]);
  expect(await till.send(frame, 50)).toEqual([ACK]);
  // A till that has lost the acknowledgement sends it again: it counts once.
  expect(await till.send(frame, 50)).toEqual([ACK]);
  await till.send(EOT);
  expect(till.memory.journal).toHaveLength(1);
});

test.each([
  ['a wrong length', request().slice(1), 'request: it has 33 characters, 26 or 34 are expected'],
  ['a wrong amount', request({ amount: '00012,50' }), 'request, position 2 (amount): eight digits expected'],
  ['a wrong type', request({ type: '9' }), 'request, position 12 (type): 0, 1, 2 or 4 expected'],
  ['a wrong delay', request({ more: 'A012B010' }), 'request, position 26 (delay): A010 or A011 expected'],
  ['no ENQ', undefined, 'frame: the till sends it without asking for the line (ENQ)'],
])('Concert twin: refuses a request with %s, and the timeline says why', async (_, text, rule) => {
  const till = open();
  if (text !== undefined) {
    await till.send(ENQ, 50);
    expect(await till.send(hex(text), 50)).toEqual([NAK]);
  } else expect(await till.send(hex(request()), 50)).toEqual([]);
  expect(String(till.control('timeline'))).toContain(rule);
  expect(await till.send(EOT)).toEqual([]);
});

test('Concert twin: when both ask for the line at once, the till gives way', async () => {
  const till = open();
  till.onHear((heard) => (heard.startsWith('02') ? ACK : undefined));
  await till.ask(request(), 1_040);
  expect(till.heard.at(-1)!.hex).toBe(ENQ);
  expect(await till.send(ENQ, 50)).toEqual([]);
  const heard = await till.send(ACK, 200);
  expect(heard).toEqual([hex(`010000012501978${BLANKS}`), EOT]);
});

test('Concert twin: asks three times for the line, and sends a frame three times, then gives up', async () => {
  const till = open();
  till.onHear(() => undefined);
  await till.ask(request(), 20_000);
  expect(till.heard.slice(2).map((one) => one.hex)).toEqual([ENQ, ENQ, ENQ, EOT]);
  const again = open();
  again.onHear((heard) => (heard === ENQ ? ACK : heard.startsWith('02') ? NAK : undefined));
  await again.ask(request(), 20_000);
  expect(again.answers()).toHaveLength(3);
  expect(again.heard.at(-1)!.hex).toBe(EOT);
});

test.each([
  ['lost', 1],
  ['twice', 2],
  ['corrupt', 1],
])('Concert twin: the card is charged and the answer is %s', async (fault, times) => {
  const till = open();
  till.control('fault-after-approval', fault);
  await till.ask(request(), 20_000);
  expect(till.answers()).toHaveLength(times);
  expect(till.memory.journal).toHaveLength(1);
});

test('Concert twin: takes the records of Caisse-AP in its frames', async () => {
  const records = 'CZ0040300CJ012247300123456CA00201CB0041250CD0010CE003978';
  const till = open();
  expect(await till.ask(records)).toContain(`${records}AE00210`);
  await till.send(ENQ, 50);
  expect(await till.send(hex('CZ0040300CA000'), 50)).toEqual([NAK]);
});
