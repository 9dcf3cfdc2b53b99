import fc from 'fast-check';
import { expect, test } from 'vitest';
import { driver } from '../../../../agent/readers/concert/concert.driver.ts';
import {
  CONTROLS,
  createFrameParser,
  encodeMessage,
  type ConcertFrame,
} from '../../../../agent/readers/concert/frame.ts';
import { tracedParser } from '../../../../agent/readers/frame-channel.ts';
import { createFrameMask } from '../../../../agent/readers/frame-mask.ts';
import { NO_PRIVATE_DATA, requestText, TYPES } from '../../../../agent/readers/concert/message.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { diagnosisOf, REQUEST, scriptedLine, startAction, type Script } from '../till/scripted-line.ts';

const BLANKS = NO_PRIVATE_DATA;
const checkOf = (text: string) => toHex(encodeMessage(text).subarray(-2));

test.each([
  ['payment of 12.50, card data wanted', `0100001250110978${BLANKS}A010B010`, '0301'],
  ['the same without card data', `0100001250010978${BLANKS}A010B010`, '0300'],
  ['cancellation', `0100001250012978${BLANKS}A010B010`, '0302'],
  ['cancellation, card data wanted', `0100001250112978${BLANKS}A010B010`, '0303'],
  ['form E', `0100001250010978${BLANKS}`, '0303'],
  ['form E, card data wanted', `0100001250110978${BLANKS}`, '0302'],
  ['25.00, answer at once', `0100002500010978${BLANKS}A011B010`, '0300'],
  ['cheque', `01000025000C0978${BLANKS}A011B010`, '0372'],
  ['answer with card data', `0100000125014970100000000154${' '.repeat(39)}978${BLANKS}`, '0318'],
  ['answer', `010000012501978${BLANKS}`, '0333'],
  ['refusal', `017000012501978${BLANKS}`, '0334'],
  ['taken in', `019000025001978${BLANKS}`, '033B'],
  ['Caisse-AP', 'CZ0040300CJ012247300123456CA00201CB00512345CD0010CE003978', '0323'],
])('Concert check byte: %s', (_, text, check) => {
  expect(checkOf(text)).toBe(check);
});

test('Concert frames: the whole first frame and the whole refusal', () => {
  const first =
    '02 30 31 30 30 30 30 31 32 35 30 31 31 30 39 37 38 20 20 20 20 20 20 20 20 20 20 41 30 31 30 42 30 31 30 03 01';
  expect(toHex(encodeMessage(`0100001250110978${BLANKS}A010B010`))).toBe(toHex(fromHex(first)));
  const refusal = fromHex(
    '02 30 31 37 30 30 30 30 31 32 35 30 31 39 37 38 20 20 20 20 20 20 20 20 20 20 03 34',
  );
  expect(createFrameParser().push(refusal)).toEqual([{ type: 'message', text: `017000012501978${BLANKS}` }]);
});

test('Concert request: asks for no card data, since the answer would have the whole number', () => {
  const request = { type: TYPES.debit, amountMinor: 1250, currency: 'EUR', privateData: BLANKS };
  expect(requestText(request)).toBe(`0100001250010978${BLANKS}A010B010`);
});

test('Concert frames: controls, parity in the eighth bit, and a check byte that is a control', () => {
  const even = Uint8Array.from(encodeMessage(`010000012501978${BLANKS}`), (byte) => byte | 0x80);
  expect(createFrameParser().push(Uint8Array.of(0x05, 0x86, 0x15, 0x04, ...even))).toEqual([
    { type: 'enq' },
    { type: 'ack' },
    { type: 'nak' },
    { type: 'eot' },
    { type: 'message', text: `010000012501978${BLANKS}` },
  ]);
  for (const text of ['\x20\x22', '\x20\x20', '\x20\x27'])
    expect(createFrameParser().push(encodeMessage(text))).toEqual([{ type: 'message', text }]);
});

test.each([
  ['02 41 03 00', 'answer, byte 2: the check byte (LRC) is wrong'],
  ['02 41 05', 'answer, byte 2: between STX and ETX is printable ASCII'],
])('Concert frames: %s is refused by place and rule', (hex, reason) => {
  expect(createFrameParser().push(fromHex(hex))).toEqual([{ type: 'broken', reason }]);
});

test('Concert frames: in pieces of any size, any bytes without a fault, and none without an end', () => {
  const whole = Buffer.concat([Uint8Array.of(0x05), encodeMessage('abc'), Uint8Array.of(0x04)]);
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length)), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), whole.length];
      const parser = createFrameParser();
      const frames = places.slice(1).flatMap((end, index) => parser.push(whole.subarray(places[index], end)));
      expect(frames).toEqual([{ type: 'enq' }, { type: 'message', text: 'abc' }, { type: 'eot' }]);
    }),
  );
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void createFrameParser().push(bytes)));
  const [endless] = createFrameParser().push(Uint8Array.from(Buffer.from(`\x02${'x'.repeat(2_000)}`)));
  expect(endless).toMatchObject({ type: 'broken', reason: expect.stringContaining('at most 1100 bytes') });
});

const [ENQ, ACK, NAK, EOT] = ['\x05', '\x06', '\x15', '\x04'];

interface Behaviour {
  /** What answers an ENQ of the till. */
  enq?: string[];
  /** What answers the message of the till, each time; silence for an empty one. */
  message?: string[];
  /** What the terminal says after the EOT, step by step; the next one after each answer of the till. */
  answer?: ((privateData: string) => Uint8Array | string)[];
  hangsUp?: boolean;
}

const framed = (text: string) => encodeMessage(text);
const accepted = (privateData: string) => framed(`010000025001978${privateData}`);

function terminalThat({ enq = [ACK], message = [ACK], answer, hangsUp }: Behaviour) {
  const said: string[] = [];
  const messages: string[] = [];
  let enqs = 0;
  const steps = [...(answer ?? [() => ENQ, accepted, () => EOT])];
  let sent = false;
  const script: Script = (bytes, { say, hangUp }) => {
    const text = bytes.toString('latin1');
    said.push(text);
    const sayNext = () => {
      const step = steps.shift();
      if (step) say(step(messages[0]!.slice(16, 26)));
    };
    if (text === ENQ) return say(enq[Math.min(enqs++, enq.length - 1)]!);
    if (text.startsWith('\x02')) {
      messages.push(text.slice(1, -2));
      const reply = message[Math.min(messages.length - 1, message.length - 1)]!;
      sent = reply === ACK;
      return reply === '' ? undefined : say(reply);
    }
    if (text === EOT && sent) return hangsUp ? hangUp() : sayNext();
    if (sent && (text === ACK || text === NAK)) return sayNext();
  };
  const fixture = scriptedLine(script, { path: '/dev/ttyS0' });
  return { fixture, said, messages };
}

async function pays(does: Behaviour, waitMs = 30_000, request = REQUEST) {
  const terminal = terminalThat(does);
  const { reader, events } = startAction(driver, terminal.fixture, request);
  await terminal.fixture.clock.advance(waitMs);
  reader.end();
  await reader.close();
  return { ...terminal, events: events.filter(({ type }) => type !== 'device.ready') };
}

test('Concert payment: calls, sends, waits for the answer and acknowledges it', async () => {
  const { events, said, messages } = await pays({});
  expect(events).toMatchObject([{ type: 'device.approved', card: { bin: '000000', last4: '0000' } }]);
  expect(messages[0]).toMatch(/^0100002500010978[0-9A-F]{10}A010B010$/);
  const names = said.map((text) => (text.startsWith('\x02') ? 'message' : text));
  expect(names).toEqual([ENQ, EOT, ENQ, 'message', EOT, ACK, ACK]);
});

test('Concert payment: a card number that comes unasked leaves with its BIN and last four digits', async () => {
  const long = (data: string) => framed(`010000025001${'4970100000000154'.padEnd(55)}978${data}`);
  const { events } = await pays({ answer: [() => ENQ, long, () => EOT] });
  expect(events).toMatchObject([{ card: { scheme: 'Visa', bin: '497010', last4: '0154' } }]);
  expect(JSON.stringify(events)).not.toContain('4970100000000154');
});

test('Concert payment: a request that is refused is sent again, and no charge after three times', async () => {
  expect((await pays({ message: [NAK, ACK] })).events).toMatchObject([{ type: 'device.approved' }]);
  const refused = await pays({ message: [NAK] });
  expect(refused.events).toEqual([
    { type: 'reader.failed', reason: expect.stringContaining('refuses the request') },
  ]);
  expect(refused.messages).toHaveLength(3);
});

test('Concert payment: a request that is never acknowledged may have been taken', async () => {
  const { events } = await pays({ message: [''] });
  expect(events).toEqual([
    { type: 'device.unknown', reason: expect.stringContaining('does not acknowledge') },
  ]);
});

test.each([
  ['is not free', { enq: [NAK] }, 'is not free'],
  ['is not there', { enq: [''] }, 'does not answer'],
])('Concert payment: a terminal that %s gets no request', async (_, does, reason) => {
  const { events, messages } = await pays(does);
  expect(events).toEqual([{ type: 'reader.failed', reason: expect.stringContaining(reason) }]);
  expect(messages).toEqual([]);
});

test('Concert payment: a wrong check byte is refused, and the answer comes again', async () => {
  const wrong = (data: string) => {
    const bytes = accepted(data);
    bytes[bytes.length - 1]! ^= 1;
    return bytes;
  };
  const { events } = await pays({ answer: [() => ENQ, wrong, accepted, () => EOT] });
  expect(events).toMatchObject([{ type: 'device.approved' }]);
  const never = await pays({ answer: [() => ENQ, wrong, wrong, wrong] });
  expect(never.events).toEqual([
    { type: 'device.unknown', reason: expect.stringContaining('the check byte (LRC) is wrong') },
  ]);
});

test('Concert payment: an answer that comes twice is one', async () => {
  const { events } = await pays({ answer: [() => ENQ, accepted, accepted, () => EOT] });
  expect(events).toMatchObject([{ type: 'device.approved' }]);
});

const answered = (text: (data: string) => string) => ({
  answer: [() => ENQ, (data: string) => framed(text(data)), () => EOT],
});

test.each([
  [
    'refused',
    (data: string) => `017000025001978${data}`,
    { type: 'device.declined', reason: 'not accepted' },
  ],
  ['taken in', (data: string) => `019000025001978${data}`, { type: 'device.unknown' }],
  ['of a strange status', (data: string) => `015000025001978${data}`, { type: 'device.unknown' }],
  ['for another till', (data: string) => `020000025001978${data}`, { type: 'device.unknown' }],
  ['of another amount', (data: string) => `010000020001978${data}`, { type: 'device.unknown' }],
  ['of another currency', (data: string) => `010000025001756${data}`, { type: 'device.unknown' }],
  ['of another request', () => '0100000250019780123456789', { type: 'device.unknown' }],
  ['cut', () => '0100000250', { type: 'device.unknown' }],
  ['without private data', () => `010000025001978${BLANKS}`, { type: 'device.approved' }],
])('Concert payment: an answer that is %s', async (_, text, event) => {
  const { events } = await pays(answered(text));
  expect(events).toMatchObject([event]);
});

test('Concert payment: a line that is cut after the request has an unknown outcome', async () => {
  const { events, messages } = await pays({ hangsUp: true });
  expect(events).toEqual([{ type: 'device.unknown', reason: expect.stringContaining('look it up') }]);
  expect(messages).toHaveLength(1);
});

test('Concert reversal: cancels the amount once', async () => {
  const { fixture, messages } = terminalThat({});
  const approval = { authorisationCode: '', reference: 'X' };
  const reversed = driver.createReader(fixture.parts).reverse!(REQUEST, approval);
  await fixture.clock.advance(30_000);
  expect(await reversed).toBeUndefined();
  expect(messages.map((text) => text.slice(0, 16))).toEqual(['0100002500012978']);
});

test('Concert: refuses an amount that is too long, and a terminal that may be a real one', async () => {
  const long = await pays({}, 5_000, { ...REQUEST, amountMinor: 123_456_789 });
  expect(long.events).toEqual([
    { type: 'reader.failed', reason: 'amountMinor: Concert takes at most 8 digits' },
  ]);
  const { fixture } = terminalThat({});
  const { events } = startAction(driver, {
    ...fixture,
    parts: { ...fixture.parts, allowRealTerminal: false },
  });
  await fixture.clock.advance(5_000);
  expect(events).toMatchObject([{ reason: expect.stringContaining('--allow-real-terminal') }]);
});

test('Concert diagnosis: calls the terminal', async () => {
  const { fixture } = terminalThat({});
  expect(await diagnosisOf(driver, fixture)).toMatchObject([{ step: 'call (ENQ)', ok: true }]);
});

const frameTypes = (frames: ConcertFrame[]) => frames.map(({ type }) => type);

test('Concert frames: noise between frames is told apart', () => {
  expect(frameTypes(createFrameParser().push(Uint8Array.of(0x00, 0x41, 0x06, 0x7f, 0x05)))).toEqual([
    'noise',
    'noise',
    'ack',
    'noise',
    'enq',
  ]);
});

test('Concert trace: has no card number, with parity in the eighth bit, without its STX and in a broken message', () => {
  const text = `0100001250014970100000000154${' '.repeat(39)}978${BLANKS}`;
  const message = encodeMessage(text);
  const mask = createFrameMask();
  const traced: string[] = [];
  const parser = tracedParser(createFrameParser(), (_, bytes, note) => traced.push(note ?? mask(bytes)));
  const withParity = message.map((byte) => byte | 0x80);
  parser.push(withParity);
  parser.push(message.slice(1, -2));
  parser.push(Uint8Array.of(CONTROLS.eot));
  parser.push(Uint8Array.of(...message.slice(0, 24), 0x01, ...message.slice(24, -2)));
  parser.push(Uint8Array.of(CONTROLS.eot));
  expect(traced).toEqual([
    expect.stringContaining('··'.repeat(16)),
    `${text.length} bytes that are no frame`,
    '04',
    `${text.length + 2} bytes that are no frame`,
    '04',
  ]);
});

test.each([
  ['calls', Uint8Array.of(CONTROLS.enq)],
  ['messages', encodeMessage(`010000012501978${BLANKS}`)],
  ['noise', Uint8Array.of(0x55)],
])('Concert: a terminal whose line never falls silent, with %s, is given up', async (_, bytes) => {
  let over = false;
  const fixture = scriptedLine((heard, { say }) => {
    if (heard[0] !== CONTROLS.enq) return;
    say(Uint8Array.of(CONTROLS.enq));
    const talk = () => {
      say(bytes);
      if (!over) fixture.clock.at(fixture.clock.nowMs() + 100, talk);
    };
    talk();
  });
  const { events, reader } = startAction(driver, fixture);
  await fixture.clock.advance(120_000);
  over = true;
  expect(events).toMatchObject([{ type: 'reader.failed' }]);
  await reader.close();
});
