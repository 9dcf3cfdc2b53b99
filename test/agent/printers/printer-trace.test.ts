import { expect, test } from 'vitest';
import { withPrinterWords } from '../../../agent/printers/printer-trace.ts';
import { toHex } from '../../../protocol/emv/hex.ts';

function fixture() {
  const told: string[] = [];
  const action = { id: 'one' };
  const trace = withPrinterWords(
    (direction, bytes, words) => void told.push(`${direction} ${toHex(bytes)} ${words}`),
    () => action.id,
  );
  const out = (...bytes: number[]) => trace('out', Uint8Array.from(bytes));
  const answers = (...bytes: number[]) => trace('in', Uint8Array.from(bytes));
  return {
    told,
    action,
    trace,
    out,
    answers,
    /** Asks one to four, with the answers. */
    asksAll(...bits: number[]) {
      for (const [index, byte] of bits.entries()) {
        out(0x10, 0x04, index + 1);
        answers(byte);
      }
    },
    /** What was told since the last call. */
    taken: () => told.splice(0),
  };
}

const READY = [0x12, 0x12, 0x12, 0x12];
const NO_PAPER = [0x1a, 0x32, 0x12, 0x7e];

test('printer trace: says what is asked, and what is answered', () => {
  const { asksAll, told } = fixture();
  asksAll(...READY);
  expect(told).toEqual([
    'out 100401 asks whether it is online',
    'in 12 it is online',
    'out 100402 asks what keeps it from printing',
    'in 12 nothing does',
    'out 100403 asks for its error',
    'in 12 it has none',
    'out 100404 asks for its paper',
    'in 12 there is paper enough',
  ]);
});

test.each([
  [1, 0x1a, 'it is offline'],
  [2, 0x16, 'its cover is open'],
  [2, 0x1a, 'its button feeds the paper'],
  [2, 0x32, 'it has no paper'],
  [2, 0x52, 'it has an error'],
  [3, 0x1a, 'its cutter is stuck'],
  [3, 0x16, 'its mechanism is stuck'],
  [3, 0x32, 'it is broken'],
  [3, 0x52, 'its head is too hot'],
  [4, 0x1e, 'the paper is near its end'],
  [4, 0x7e, 'the paper is out'],
  [7, 0x12, 'says how it is'],
])('printer trace: the answer to question %i with the bits %i says %s', (number, bits, words) => {
  const { out, answers, told } = fixture();
  out(0x10, 0x04, number);
  answers(bits);
  expect(told.at(-1)).toMatch(new RegExp(`^in .. ${words}$`));
});

test('printer trace: leaves out what is answered as before, counts it, and shows each change', () => {
  const { asksAll, out, taken } = fixture();
  asksAll(...READY);
  asksAll(...NO_PAPER);
  taken();
  for (let times = 0; times < 40; times += 1) asksAll(...NO_PAPER);
  expect(taken()).toEqual([]);
  asksAll(...READY);
  expect(taken()).toEqual([
    'out 100401 asks whether it is online; 160 questions answered as before are left out',
    'in 12 it is online',
    'out 100402 asks what keeps it from printing',
    'in 12 nothing does',
    // The error is none as before.
    'out 100404 asks for its paper; a question answered as before is left out',
    'in 12 there is paper enough',
  ]);
  out(0x1d, 0x72, 0x01);
  expect(taken()).toEqual(['out 1D7201 asks whether all is printed']);
});

test('printer trace: in another action what is answered as before is shown again', () => {
  const { asksAll, action, told } = fixture();
  asksAll(...READY);
  action.id = 'two';
  asksAll(...READY);
  expect(told).toHaveLength(16);
});

test('printer trace: what one action left out, or asked last, is not in the timeline of the next', () => {
  const { asksAll, out, answers, action, taken } = fixture();
  asksAll(...READY);
  asksAll(...READY);
  out(0x10, 0x04, 1);
  taken();
  action.id = 'two';
  answers(0x12);
  out(0x10, 0x04, 2);
  answers(0x12);
  expect(taken()).toEqual([
    'in 12 says how it is',
    'out 100402 asks what keeps it from printing',
    'in 12 nothing does',
  ]);
});

test('printer trace: what comes before the answer to a question is not taken for it', () => {
  const { out, answers, taken } = fixture();
  out(0x1d, 0x72, 0x01);
  out(0x10, 0x04, 1);
  answers(0x00);
  answers(0x1a);
  expect(taken()).toEqual([
    'out 1D7201 asks whether all is printed',
    'out 100401 asks whether it is online',
    'in 00 it has printed all before the question',
    'in 1A it is offline',
  ]);
});

test('printer trace: a question without an answer is shown, and once alone', () => {
  const { out, answers, taken } = fixture();
  out(0x10, 0x04, 1);
  out(0x10, 0x04, 1);
  out(0x10, 0x04, 1);
  answers(0x12);
  expect(taken()).toEqual([
    'out 100401 asks whether it is online',
    'out 100401 asks whether it is online; a question answered as before is left out',
    'in 12 it is online',
  ]);
});

test('printer trace: says what of a copy is sent, and nothing that is on it', () => {
  const { out, answers, trace, told } = fixture();
  out(0x1b, 0x40, ...Buffer.from('VISA 17.42'));
  out(...Buffer.from('THANK YOU'), 0x1d, 0x56, 0x42, 0x00, 0x1d, 0x72, 0x01);
  answers(0x00);
  answers(0x1c, 0x00, 0x0f, 0x0f);
  out(0x10, 0x05, 0x01);
  trace('in', new Uint8Array(0), '12 bytes that are no frame');
  expect(told.map((line) => line.replace(/^(in|out) [0-9A-F]* /, ''))).toEqual([
    'a copy from its beginning',
    'the next of a copy, its cut, asks whether it is printed',
    'it has printed all before the question',
    'it has changed',
    'tells it to go on',
    '12 bytes that are no frame',
  ]);
});
