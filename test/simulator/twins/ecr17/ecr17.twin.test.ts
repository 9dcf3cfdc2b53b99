import { expect, test } from 'vitest';
import * as module from '../../../../simulator/twins/ecr17.twin.ts';
import { messageBytes, reactionBytes, type CheckMode } from '../../../../simulator/twins/ecr17/frames.ts';
import { hexOf, rawTill, textOf } from '../raw-till.ts';

const ID = '09253031';
const REGISTER = '00000001';
const CARD = 'visa-contactless';
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

interface PaymentFields {
  code?: string;
  amount?: string;
  more?: string;
  cardThere?: string;
}

const payment = ({ code = 'P', amount = '00001000', more = '0', cardThere = '0' }: PaymentFields = {}) =>
  `${ID}0${code}${REGISTER}${more}00${cardThere}2${amount}${' '.repeat(128)}00000000`;
const onReserved = (code: string, amount: string, reservation: string) =>
  `${ID}0${code}${REGISTER}00000${amount}${' '.repeat(128)}${reservation}00000000`;

interface Options {
  card?: string;
  mode?: CheckMode;
  path?: string;
}

/** A till at the terminal, which acknowledges each message that it hears unless it is told not to. */
function open({ card = CARD, mode = 'noext', path = 'tcp://192.0.2.1' }: Options = {}) {
  const till = rawTill(module, path);
  till.memory.terminalId = ID;
  if (mode !== 'noext') till.control('check', mode);
  if (card) till.present(card);
  const acknowledge = (heard: string) =>
    heard.startsWith('02') ? hex(reactionBytes('ack', mode)) : undefined;
  till.onHear(acknowledge);
  const messagesIn = (heard: string[]) =>
    heard.filter((one) => one.startsWith('02')).map((one) => textOf(one.slice(2, -4)));
  return {
    ...till,
    messagesIn,
    sendFrame: (payload: string, ms?: number) => till.send(hex(messageBytes(payload, mode)), ms),
    /** Sends a message. @returns the payloads that it heard. */
    async ask(payload: string, ms?: number): Promise<string[]> {
      return messagesIn(await till.send(hex(messageBytes(payload, mode)), ms));
    },
  };
}

test.each([
  ['std', '33', '060379'],
  ['noext', '30', '06037a'],
  ['stx', '32', '060378'],
  ['stx_noext', '31', '06037b'],
] as const)('ECR17 twin: answers the status in %s, and refuses the others', async (mode, check, ack) => {
  const till = open({ mode });
  await till.clock.advance(Date.UTC(2026, 10, 27, 15, 45) - till.clock.nowMs());
  const heard = await till.send(`02${hexOf('092530310s')}03${check}`);
  expect(heard[0]).toBe(ack);
  expect(textOf(heard[1]!.slice(2, -4))).toMatch(/^092530310s00000000002711261545?2SYS03.4EEMV08.81$/);
  const wrong = ['33', '30', '32', '31'].filter((other) => other !== check);
  for (const other of wrong)
    expect((await till.send(`02${hexOf('092530310s')}03${other}`))[0]).toMatch(/^1503/);
});

test('ECR17 twin: its status is that of the sheet, byte by byte', async () => {
  const till = open();
  await till.clock.advance(Date.UTC(2026, 10, 27, 15, 45) - till.clock.nowMs());
  expect(await till.send('02303932353330333130730330')).toEqual([
    '06037a',
    `02${hexOf('092530310s000000000027112615452SYS03.4EEMV08.81')}0372`,
  ]);
  // Any id of zeros is that of every terminal.
  expect((await till.send(`02${hexOf('000000000s')}033f`))[0]).toBe('06037a');
  expect(till.clock.due).toEqual([]);
});

test('ECR17 twin: shows its text again while nobody presents a card, so that no till finds it silent', async () => {
  const till = open({ card: '' });
  const heard = await till.sendFrame(payment(), 95_000);
  const texts = heard.filter((one) => one.startsWith('01')).map(textOf);
  expect(texts).toEqual(Array.from({ length: 3 }, () => '\u0001INSERIRE CARTA      \u0004'));
  expect(till.messagesIn(heard)).toEqual([expect.stringMatching(/^092530310E01TEMPO SCADUTO/)]);
  expect(await till.send('', 60_000)).toEqual([]);
});

test.each(['tcp://192.0.2.1', 'cable'])(
  'ECR17 twin: a payment over %s has progress and a result',
  async (path) => {
    const till = open({ path });
    const heard = await till.sendFrame(payment());
    expect(heard[0]).toBe('06037a');
    expect(textOf(heard[1]!)).toBe('\u0001INSERIRE CARTA      \u0004');
    expect(textOf(heard[2]!)).toBe('\u0001TRANSAZIONE IN CORSO\u0004');
    expect(till.messagesIn(heard)).toEqual([
      expect.stringMatching(/^092530310E000000000000000000085CLI[0-9]{6}3241200200000000001000001000001$/),
    ]);
    expect(heard.join('')).not.toContain(hexOf('401200'));
    expect(till.memory.printed).toHaveLength(2);
  },
);

test('ECR17 twin: a card that asks for its PIN says so', async () => {
  const till = open({ card: 'visa-contact-pin' });
  const heard = await till.sendFrame(payment());
  expect(textOf(heard.at(-1)!)).toBe('\u0001DIGITARE IL PIN     \u0004');
  till.control('type', '1234');
  till.control('confirm');
  await till.clock.advance(3_000);
  expect(textOf(till.heard.at(-1)!.hex)).toContain('ICC');
});

test('ECR17 twin: a decline has a text', async () => {
  const [answer] = await open().ask(payment({ amount: '00001901' }));
  expect(answer).toBe('092530310E01CARTA RIFIUTATA         00000000000200000000001000001000001');
  expect(answer).toHaveLength(71);
});

test.each([
  ['0', '01TEMPO SCADUTO'],
  ['1', '05TEMPO SCADUTO'],
])('ECR17 twin: without a card, which is there already: %s, the result is %s', async (cardThere, result) => {
  const [answer] = await open({ card: '' }).ask(payment({ cardThere }), 95_000);
  expect(answer).toContain(`092530310E${result}`);
});

test('ECR17 twin: extended results have the amount of the bank, and a conversion', async () => {
  const till = open();
  const [extended] = await till.ask(payment({ code: 'X' }));
  expect(extended).toHaveLength(92);
  expect(extended!.slice(71)).toBe('000000010000000000000');
  till.control('convert', 'on');
  const [converted] = await till.ask(payment({ code: 'X' }));
  expect(converted).toHaveLength(117);
  expect(converted!.slice(9, 12)).toBe('V00');
  expect(converted!.slice(71)).toBe('0000000100010000850082600000000085020000000000');
});

test('ECR17 twin: reverses by STAN, and the last payment by zeros, once', async () => {
  const till = open();
  await till.ask(payment());
  const [reversed] = await till.ask(`${ID}0S${REGISTER}00000100`);
  expect(reversed).toMatch(/^092530310E00.{19}CLI000000/);
  expect(reversed).toHaveLength(84);
  const [again] = await till.ask(`${ID}0S${REGISTER}00000100`);
  expect(again).toContain('092530310E01GIA STORNATA');
  await till.ask(payment());
  expect((await till.ask(`${ID}0S${REGISTER}00000000`))[0]).toContain('092530310E00');
  expect((await till.ask(`${ID}0S${REGISTER}00099900`))[0]).toContain('092530310E01OPERAZIONE NON TROVATA');
});

test('ECR17 twin: pre-authorises, adds to it, and closes it', async () => {
  const till = open();
  const [reserved] = await till.ask(payment({ code: 'p' }));
  expect(reserved).toHaveLength(106);
  expect(reserved).toMatch(/^092530310e00.{19}CLI[0-9]{6}00001000000000001000/);
  const [added] = await till.ask(onReserved('i', '00000500', '000000001'));
  expect(added).toHaveLength(75);
  expect(added!.slice(9, 12)).toBe('i00');
  const [closed] = await till.ask(onReserved('c', '00001400', '000000001'));
  expect(closed).toHaveLength(74);
  expect(closed!.slice(9, 12)).toBe('c00');
  expect(till.memory.journal.at(-1)).toMatchObject({ kind: 'payment', amountMinor: 1400 });
  expect((await till.ask(onReserved('c', '00001400', '000000001')))[0]).toContain('c01PREAUTORIZZ. ERRATA');
  // Some makers close with four characters more.
  expect((await till.ask(`${onReserved('c', '00001400', '000000001')}0000`))[0]).toContain('c01');
});

test('ECR17 twin: refunds, verifies a card, and downloads parameters', async () => {
  const till = open();
  const [refunded] = await till.ask(`${ID}0A${REGISTER}0000000000100${'0'.repeat(8)}`);
  expect(refunded).toMatch(/^092530310A00.{19}CLI/);
  expect(refunded).toHaveLength(58);
  const [verified] = await till.ask(`${ID}0H${REGISTER}00002${'0'.repeat(16)}`);
  expect(verified).toMatch(/^092530310E000000000000000000085CLI000000/);
  expect(verified).toHaveLength(71);
  expect((await till.ask(`${ID}0D0000000${'0'.repeat(103)}`))[0]).toHaveLength(71);
  expect(till.memory.journal).toMatchObject([{ kind: 'refund', amountMinor: 100 }]);
});

test('ECR17 twin: totals, and the end of the day', async () => {
  const till = open();
  await till.ask(payment());
  const sixteen = '0000000000001000';
  expect(await till.ask(`${ID}0T${REGISTER}00000000`)).toEqual([`${ID}0T00${sixteen}000000`]);
  expect(await till.ask(`${ID}0C${REGISTER}00000000`)).toEqual([`${ID}0C00${sixteen}${sixteen}`]);
  expect(till.memory.journal).toEqual([]);
});

const LAST = `${ID}0G${REGISTER}0000`;

test('ECR17 twin: repeats its last result exactly, also on a new connection', async () => {
  const till = open();
  expect((await till.ask(LAST))[0]).toContain('E01NESSUNA OPERAZIONE');
  till.control('fault-after-approval', 'cut');
  expect(await till.ask(payment())).toEqual([]);
  expect(till.memory.journal).toHaveLength(1);
  till.connect();
  const [result] = await till.ask(LAST);
  expect(result).toMatch(/^092530310E00.*000001000001$/);
  await till.ask(`${ID}0T${REGISTER}00000000`);
  expect(await till.ask(LAST)).toEqual([result]);
});

test('ECR17 twin: a payment goes on when the line is cut, and G says the older result until it is over', async () => {
  const till = open();
  const [first] = await till.ask(payment());
  await till.sendFrame(payment({ amount: '00002000' }), 400);
  await till.close();
  await till.clock.advance(1);
  till.connect();
  expect(await till.ask(LAST, 100)).toEqual([first]);
  await till.clock.advance(2_000);
  expect((await till.ask(LAST))[0]).toMatch(/000002000002$/);
});

test('ECR17 twin: receipts for the till come in pieces of two hundred letters, for one procedure', async () => {
  const till = open();
  expect(await till.send(`02${hexOf('092530310E1')}0337`)).toEqual(['06037a']);
  const [result, ...tickets] = await till.ask(payment());
  expect(result).toContain('092530310E00');
  expect(tickets.every((one) => one.startsWith('092530310S') && one.length <= 210)).toBe(true);
  const text = tickets.map((one) => one.slice(10)).join('');
  expect(text).toContain('COPIA ESERCENTE');
  expect(text).toContain('COPIA CLIENTE');
  expect(text.endsWith(`${'\x7d'.repeat(6)}\x1b`)).toBe(true);
  expect(till.memory.printed).toEqual([]);
  // The next procedure prints at the terminal again.
  expect(await till.ask(payment())).toHaveLength(1);
  expect(till.memory.printed).toHaveLength(2);
  const again = await till.send(`02${hexOf('092530310R100000000000')}0310`, 10_000);
  expect(again[0]).toBe('06037a');
  expect(till.messagesIn(again)[0]).toMatch(/^092530310S/);
  expect(await till.ask('092530310R000000000000')).toEqual([]);
  expect(till.memory.printed).toHaveLength(4);
});

test('ECR17 twin: a till may acknowledge tickets during its next command', async () => {
  const till = open();
  await till.ask(payment());
  const late: string[] = [];
  till.onHear((heard) => {
    if (heard.startsWith('02')) late.push(heard);
    return undefined;
  });
  await till.sendFrame('092530310R100000000000', 20_000);
  expect(late).toHaveLength(1);
  till.onHear((heard) => (heard.startsWith('02') ? '06037a' : undefined));
  const heard = await till.sendFrame('092530310s', 100);
  expect(heard[0]).toBe('06037a');
  await till.send('06037a', 100);
  await till.clock.advance(5_000);
  expect(till.messagesIn(till.heard.map((one) => one.hex)).at(-1)).toMatch(/^092530310s/);
});

const MORE = `${ID}0U00000062DF8D01  0000100000`;

test('ECR17 twin: additional data follows on the acknowledgement, and comes back', async () => {
  const till = open();
  const heard = till.sendFrame(payment({ more: '1' }), 10);
  await heard;
  await till.sendFrame(`${MORE}0COF0TRK123|0FNZ03\x1b`, 6_000);
  const messages = till.messagesIn(till.heard.map((one) => one.hex));
  expect(messages[0]).toContain('092530310E00');
  expect(messages[1]).toBe(`${ID}0U0000000180COF0TRK123|0FNZ030000000000`);
  expect(await till.ask(LAST)).toEqual(messages);
});

test('ECR17 twin: a tag of additional data that it does not know fails the payment', async () => {
  const till = open();
  await till.sendFrame(payment({ more: '1' }), 10);
  await till.sendFrame(`${MORE.replace('DF8D01', 'DF8D02')}x\x1b`, 6_000);
  expect(till.messagesIn(till.heard.map((one) => one.hex))[0]).toContain('092530310E09TAG SCONOSCIUTO');
  expect(till.memory.journal).toEqual([]);
});

test('ECR17 twin: answers a wallet message in XML', async () => {
  const xml = '<ecrreq><p k="ECRVASID">BPAY_QR</p><SUBSMPARAMS><p k="ORDER_ID">17</p></SUBSMPARAMS></ecrreq>';
  const request = `${ID}0K${REGISTER}0000${String(xml.length).padStart(4, '0')}${xml}`;
  const [answer] = await open({ card: '' }).ask(request);
  expect(answer).toContain('<p k="RESPID">0</p>');
  expect(answer).toContain('<p k="ORDER_ID">17</p>');
  expect(answer!.slice(0, 18)).toBe(`${ID}0K00000001`);
});

test.each([
  ['another terminal id', '012345670s', 'position 1 (terminal id): 09253031 or 00000000 is expected'],
  ['a forbidden code', '092530310J', 'position 10 (code): no command of a till has this code'],
  ['a wrong length', '092530310S00000001', 'message S: it has 18 characters, 26 are expected'],
  ['a wrong amount', payment({ amount: '0000 100' }), 'message P, position 24 (amount): digits are expected'],
  ['data that nobody announced', `${MORE}x\x1b`, 'message U: no message before it announces additional data'],
])('ECR17 twin: refuses a message with %s, and the timeline says why', async (_, message, rule) => {
  const till = open();
  expect(await till.sendFrame(message)).toEqual(['150369']);
  expect(String(till.control('timeline'))).toContain(rule);
});

test('ECR17 twin: a repeated message while it runs is acknowledged, and charges once; another is refused', async () => {
  const till = open();
  await till.sendFrame(payment(), 100);
  expect(await till.sendFrame(payment(), 100)).toEqual(['06037a']);
  expect(await till.sendFrame(payment({ amount: '00003000' }), 100)).toContain('150369');
  await till.clock.advance(5_000);
  expect(till.memory.journal).toHaveLength(1);
});

test('ECR17 twin: refuses or ignores as many messages as it is told', async () => {
  const till = open();
  till.control('refuse', '2');
  till.control('ignore', '1');
  const reactions: string[] = [];
  for (let time = 0; time < 4; time += 1) reactions.push((await till.sendFrame('092530310s'))[0] ?? 'none');
  expect(reactions).toEqual(['none', '150369', '150369', '06037a']);
});

test('ECR17 twin: may send the result before it acknowledges', async () => {
  const till = open();
  till.control('result-first', 'on');
  const heard = (await till.sendFrame(payment())).filter((one) => !one.startsWith('01'));
  expect(heard.map((one) => one.slice(0, 2))).toEqual(['02', '06']);
});

test('ECR17 twin: repeats a result that is not acknowledged, at most four times', async () => {
  const till = open();
  till.onHear(() => undefined);
  expect(await till.ask(payment(), 60_000)).toHaveLength(4);
  expect(till.memory.journal).toHaveLength(1);
  await till.clock.advance(0);
  expect(till.clock.due).toEqual([]);
});

test.each([
  ['lost', 1, 6_000],
  ['twice', 2, 0],
  ['late', 1, 10_000],
  ['corrupt', 1, 0],
])('ECR17 twin: the card is charged and the result is %s', async (fault, times, laterMs) => {
  const till = open();
  till.control('fault-after-approval', fault);
  const startMs = till.clock.nowMs();
  const heard = await till.sendFrame(payment(), 30_000);
  const results = till.heard.filter((one) => one.hex.startsWith('02'));
  expect(results).toHaveLength(times);
  expect(results[0]!.atMs - startMs).toBeGreaterThanOrEqual(laterMs);
  expect(heard.at(-1)!.startsWith('02')).toBe(true);
  expect(till.memory.journal).toHaveLength(1);
});

test.each([
  ['0', '0'],
  ['6', '6'],
])('ECR17 twin: reports state %s', async (state, digit) => {
  const till = open();
  till.control('state', state);
  expect((await till.ask('092530310s'))[0]!.charAt(30)).toBe(digit);
});
