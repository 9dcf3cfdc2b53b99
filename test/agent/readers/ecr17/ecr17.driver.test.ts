import { expect, test } from 'vitest';
import { driver } from '../../../../agent/readers/ecr17/ecr17.driver.ts';
import { diagnosisOf, REQUEST, scriptedLine, startAction, type Script } from '../till/scripted-line.ts';

const ID = '09253031';
const STATUS = `${ID}0s000000000027112615452SYS03.4E`;

/** Check byte of a payload, by what it starts with: 7F, and 03 where ETX counts, 02 where STX counts. */
const checkOf = (payload: string, start: number) =>
  Buffer.from(payload, 'latin1').reduce((sum, byte) => sum ^ byte, start);
const NOEXT = 0x7f ^ 0x03;
const STX = NOEXT ^ 0x02;

interface Result {
  result?: string;
  stan?: string;
  amount?: string | null;
  card?: string;
}

/** The result of an extended payment of 25.00; without an amount that of a plain one. */
function resultOf({
  result = '00',
  stan = '000124',
  amount = '00002500',
  card = '0000000000000001234',
}: Result = {}) {
  const middle = result === '00' ? `${card}CLI1234563310945` : `${'CARTA RIFIUTATA'.padEnd(24)}00000000000`;
  const end = amount === null ? '' : `000${amount}0000000000`;
  return `${ID}0E${result}${middle}200000000001${stan}000045${end}`;
}

const BEFORE = resultOf({ stan: '000123', amount: '00000100' });

interface Behaviour {
  /** How the terminal computes its check byte. */
  start?: number;
  status?: string;
  /** Answers to the last result, in order; the last one again and again. */
  last?: (string | undefined)[];
  /** What happens at a payment, once it is acknowledged. */
  pay?: (line: { send(payload: string): void; raw(bytes: string): void; hangUp(): void }) => void;
  refuses?: string[];
  /** What happens to the first messages, whatever they are. */
  first?: ('refused' | 'lost')[];
  /** Whether a payment is not acknowledged. */
  mute?: boolean;
  /** Results that it sends after a reversal. */
  reverse?: string[];
}

function terminalThat(does: Behaviour) {
  const { status = STATUS, last = [BEFORE], pay = ({ send }) => send(resultOf()) } = does;
  const commands: string[] = [];
  const acknowledged: string[] = [];
  let asked = 0;
  const first = [...(does.first ?? [])];
  const script: Script = (bytes, { say, hangUp }) => {
    if (bytes[0] === 0x06 || bytes[0] === 0x15) return void acknowledged.push(bytes.toString('hex'));
    const { start = NOEXT } = does;
    const payload = bytes.subarray(1, -2).toString('latin1');
    const code = payload[9]!;
    const raw = (text: string) => say(Buffer.from(text, 'latin1'));
    const send = (text: string) => raw(`\x02${text}\x03${String.fromCharCode(checkOf(text, start))}`);
    const answer = (byte: number) =>
      raw(String.fromCharCode(byte, 3, checkOf(String.fromCharCode(byte), start)));
    const spoilt = first.shift();
    if (spoilt === 'lost') return undefined;
    if (spoilt === 'refused') return answer(0x15);
    if (bytes.at(-1) !== checkOf(payload, start) || does.refuses?.includes(code)) return answer(0x15);
    commands.push(payload);
    const isPayment = code === 'X' || code === 'P';
    if (isPayment && does.mute) return undefined;
    answer(0x06);
    if (code === 's') return send(status);
    if (code === 'G') {
      const result = last[Math.min(asked++, last.length - 1)];
      return result === undefined ? undefined : send(result);
    }
    if (code === 'S') return (does.reverse ?? [resultOf()]).forEach(send);
    if (isPayment) return pay({ send, raw, hangUp });
  };
  const fixture = scriptedLine(script);
  return {
    ...fixture,
    fixture,
    commands,
    acknowledged,
    codes: () => commands.map((payload) => payload[9]).join(''),
  };
}

async function pays(does: Behaviour, waitMs = 20_000, request = REQUEST) {
  const terminal = terminalThat(does);
  const { reader, events } = startAction(driver, terminal.fixture, request);
  await terminal.clock.advance(waitMs);
  reader.end();
  await reader.close();
  return { ...terminal, events: events.filter(({ type }) => type !== 'device.ready') };
}

const APPROVED = {
  type: 'device.approved',
  card: {
    scheme: 'Mastercard',
    bin: '000000',
    last4: '1234',
    expiryMonth: '12',
    expiryYear: '2099',
    entryMode: 'Contactless',
  },
  approval: { authorisationCode: '123456', reference: '000124/000045' },
};

test.each([
  ['refused once with the right check byte', ['refused']],
  ['lost twice', ['lost', 'lost']],
] as const)('ECR17 status: asks again when its request is %s', async (_, first) => {
  const { events, codes } = await pays({ first: [...first] }, 60_000);
  expect(events).toEqual([APPROVED]);
  expect(codes()).toBe('sGX');
});

test('ECR17 status: gives up a terminal that does not react to three requests', async () => {
  const { events } = await pays({ first: ['lost', 'lost', 'lost'] }, 60_000);
  expect(events).toEqual([
    { type: 'reader.failed', reason: 'the terminal does not answer the status request' },
  ]);
});

test('ECR17 payment: asks for state and last result, pays, and acknowledges the result', async () => {
  const { events, codes, commands, acknowledged } = await pays({});
  expect(events).toEqual([APPROVED]);
  expect(codes()).toBe('sGX');
  expect(commands[2]).toBe(`${ID}0X000000010000000002500${' '.repeat(128)}00000000`);
  expect(acknowledged).toEqual(['06037a', '06037a', '06037a']);
});

test('ECR17 payment: finds out how the terminal computes the check byte, with a status request alone', async () => {
  for (const start of [NOEXT, 0x7f, STX, 0x7f ^ 0x02]) {
    const { events, codes } = await pays({ start });
    expect(events).toEqual([APPROVED]);
    expect(codes()).toBe('sGX');
  }
});

test('ECR17 payment: a terminal that is set to another check byte meanwhile is found again', async () => {
  const does: Behaviour = {};
  const { fixture, clock } = terminalThat(does);
  const { reader, events, begin } = startAction(driver, fixture);
  await clock.advance(20_000);
  reader.end();
  does.start = STX;
  begin(REQUEST);
  await clock.advance(60_000);
  expect(events.map(({ type }) => type)).toEqual([
    'device.ready',
    'device.approved',
    'device.ready',
    'device.approved',
  ]);
  await reader.close();
});

test('ECR17 payment: a terminal without the extended payment gets a plain one', async () => {
  const { events, codes } = await pays({
    refuses: ['X'],
    pay: ({ send }) => send(resultOf({ amount: null })),
  });
  expect(events).toEqual([APPROVED]);
  expect(codes()).toBe('sGP');
});

test('ECR17 payment: a whole card number leaves with its BIN and last four digits', async () => {
  const card = '0004970100000000154';
  const { events } = await pays({ pay: ({ send }) => send(resultOf({ card })) });
  expect(events).toMatchObject([{ card: { scheme: 'Visa', bin: '497010', last4: '0154' } }]);
});

test.each([
  ['01', { type: 'device.declined', reason: 'CARTA RIFIUTATA' }],
  ['05', { type: 'device.declined', reason: 'no card was there' }],
  ['09', { type: 'reader.failed', reason: 'the terminal does not know the tag' }],
  ['42', { type: 'device.unknown', reason: 'result: the digits at 11 are none that are known' }],
])('ECR17 payment: result %s', async (result, event) => {
  const { events } = await pays({ pay: ({ send }) => send(resultOf({ result })) });
  expect(events).toEqual([event]);
});

test('ECR17 payment: an approval of another amount is unknown, and one that is cut too', async () => {
  const other = await pays({ pay: ({ send }) => send(resultOf({ amount: '00002000' })) });
  expect(other.events).toEqual([
    { type: 'device.unknown', reason: 'the result is about 20.00 EUR, not 25.00 EUR' },
  ]);
  const cut = await pays({ pay: ({ send }) => send(resultOf().slice(0, 40)) });
  expect(cut.events).toEqual([{ type: 'device.unknown', reason: 'result: it has at least 71 characters' }]);
});

test('ECR17 payment: progress, tickets, an earlier result again and one with a wrong check byte come before the result', async () => {
  const { events, acknowledged } = await pays({
    pay({ send, raw }) {
      raw('\x01TRANSAZIONE IN CORSO\x04');
      send(BEFORE);
      send(`${ID}0S SCONTRINO }}}}}}\x1b`);
      raw(`\x02${resultOf({ result: '01' })}\x03\x00`);
      send(resultOf());
      send(resultOf());
    },
  });
  expect(events).toEqual([APPROVED]);
  expect(acknowledged.filter((bytes) => bytes.startsWith('15'))).toHaveLength(1);
});

test('ECR17 payment: a result without an acknowledgement, or before it, counts', async () => {
  const { events } = await pays({ mute: false, pay: ({ send }) => send(resultOf()) });
  expect(events).toEqual([APPROVED]);
});

test('ECR17 payment: after a lost connection the next result of the terminal is that of the payment', async () => {
  const lost = { pay: ({ hangUp }: { hangUp(): void }) => hangUp() };
  const approved = await pays({ ...lost, last: [BEFORE, BEFORE, resultOf()] }, 60_000);
  expect(approved.events).toEqual([APPROVED]);
  expect(approved.codes()).toBe('sGXsGsG');
  const declined = await pays({ ...lost, last: [BEFORE, resultOf({ result: '01' })] }, 60_000);
  expect(declined.events).toEqual([{ type: 'device.declined', reason: 'CARTA RIFIUTATA' }]);
});

test.each([
  ['the last result stays an older one', [BEFORE], 'is an older one'],
  ['the terminal has done more', [BEFORE, resultOf({ stan: '000125' })], 'has done more than this payment'],
  ['the last result has another amount', [BEFORE, resultOf({ amount: '00002000' })], 'about 20.00 EUR'],
  ['the last result has no amount', [BEFORE, resultOf({ amount: null })], 'has no amount'],
  ['the terminal showed none before', [undefined, resultOf()], 'had done before is not known'],
  ['the terminal shows none', [BEFORE, undefined], 'shows no last result'],
])('ECR17 payment: after a lost connection it is unknown when %s', async (_, last, reason) => {
  const { events, codes } = await pays({ last, pay: ({ hangUp }) => hangUp() }, 900_000);
  expect(events.at(-1)).toEqual({ type: 'device.unknown', reason: expect.stringContaining(reason) });
  expect(events.map(({ type }) => type)).not.toContain('device.approved');
  expect(codes().match(/X/g)).toHaveLength(1);
});

test('ECR17 payment: one that is not acknowledged is not sent again', async () => {
  const { events, codes } = await pays({ mute: true }, 900_000);
  expect(events.at(-1)?.type).toBe('device.unknown');
  expect(codes().match(/[XP]/g)).toHaveLength(1);
});

test('ECR17 payment: one that the terminal refuses is no charge', async () => {
  const { events } = await pays({ refuses: ['X', 'P'] });
  expect(events).toEqual([{ type: 'reader.failed', reason: 'the terminal refuses the payment (NAK)' }]);
});

test('ECR17: a terminal that is not ready, or refuses every check byte, gets no payment', async () => {
  const keys = await pays({ status: STATUS.replace('15452', '15454') });
  expect(keys.events).toEqual([
    { type: 'reader.failed', reason: 'the terminal takes no payments: its keys are damaged' },
  ]);
  const deaf = await pays({ start: 0x11 });
  expect(deaf.events).toEqual([
    { type: 'reader.failed', reason: expect.stringContaining('refuses every check byte') },
  ]);
});

test.each([
  [{ currency: 'GBP' }, 'currency: ECR17 takes EUR alone, not GBP'],
  [{ type: 'Refund' as const }, 'type: ECR17 has no refund'],
  [{ amountMinor: 123_456_789 }, 'amountMinor: ECR17 takes at most 8 digits'],
])('ECR17: %j is refused with its field', async (change, reason) => {
  const { events, commands } = await pays({}, 5_000, { ...REQUEST, ...change });
  expect(events).toEqual([{ type: 'reader.failed', reason: expect.stringContaining(reason) }]);
  expect(commands).toEqual([]);
});

test('ECR17 reversal: names the number of the payment, and is sent once', async () => {
  const terminal = terminalThat({});
  const reader = driver.createReader(terminal.parts);
  const approval = { authorisationCode: '123456', reference: '000124/000045' };
  const reversed = reader.reverse!(REQUEST, approval);
  await terminal.clock.advance(10_000);
  expect(await reversed).toBeUndefined();
  expect(terminal.commands.at(-1)).toBe(`${ID}0S0000000100012400`);
  const refusing = terminalThat({ reverse: [resultOf({ result: '01' })] });
  const refused = driver.createReader(refusing.parts).reverse!(REQUEST, approval);
  await refusing.clock.advance(10_000);
  expect(await refused).toEqual({ notReversed: expect.stringContaining('reverse it at the terminal') });
});

test('ECR17 reversal: the result of the payment, which comes again, is not its result', async () => {
  const paid = resultOf();
  const approval = { authorisationCode: '123456', reference: '000124/000045' };
  for (const [reverse, result] of [
    [[paid], { notReversed: expect.stringContaining('does not report the reversal') }],
    [[paid, resultOf({ result: '01', stan: '000125' })], { notReversed: expect.any(String) }],
    [[paid, resultOf({ stan: '000125' })], undefined],
  ] as const) {
    const terminal = terminalThat({ last: [paid], reverse: [...reverse] });
    const reversed = driver.createReader(terminal.parts).reverse!(REQUEST, approval);
    await terminal.clock.advance(120_000);
    expect(await reversed).toEqual(result);
  }
});

test('ECR17 diagnosis: reads state, check byte and last result', async () => {
  const { fixture } = terminalThat({ start: STX });
  expect(await diagnosisOf(driver, fixture)).toEqual([
    {
      step: 'status (s)',
      ok: true,
      detail: 'terminal 09253031, ready, check byte over STX, payload and ETX',
    },
    { step: 'last result (G)', ok: true, detail: 'there is one', showsCards: true },
  ]);
});

test.each([
  ['refuses to show', { refuses: ['G'] }, 'the terminal shows none'],
  ['does not show', { last: [undefined] }, 'the terminal shows none'],
  ['shows without its transaction', { last: [BEFORE.slice(0, 60)] }, 'it cannot be read'],
])('ECR17 diagnosis: a last result that the terminal %s has its consequence', async (_, does, words) => {
  const { fixture } = terminalThat(does);
  const [, last] = await diagnosisOf(driver, fixture);
  expect(last).toMatchObject({
    ok: true,
    detail: `${words}: as long as it is so, the outcome of a payment whose answer is lost stays unknown`,
  });
});
