import { expect, test } from 'vitest';
import { createParser, messageFrame, NAK_FRAME, type Frame } from '../../../agent/readers/ccid/frame.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import type { ChipCard } from '../../../simulator/cards/chip-card.ts';
import { createTwin } from '../../../simulator/twins/ccid.twin.ts';
import { answerOf, fakeChip, slowly } from '../../agent/readers/fake-chip.ts';
import { connectToTwin } from './twin-connection.ts';

/** Type, status, error, third byte, data. */
function show(frame: Frame): string {
  if (frame.kind === 'slotChange') return frame.present ? 'came' : 'went';
  if (frame.kind !== 'message') return frame.kind;
  const { type, own, data } = frame.message;
  return `${toHex(Uint8Array.of(type))} ${toHex(Uint8Array.from(own))} ${toHex(data)}`.trim();
}

function reader(card?: ChipCard) {
  const line = connectToTwin(createTwin, createParser(), show, card);
  let sequence = 0;
  const frame = (
    type: number,
    data: string = '',
    own: [number, number, number] = [0, 0, 0],
    slot: number = 0,
  ) => messageFrame({ type, slot, sequence: sequence++, own, data: fromHex(data) });
  return {
    ...line,
    frame,
    ask: (...parts: Parameters<typeof frame>) => line.send(frame(...parts)),
  };
}

const [POWER_ON, POWER_OFF, STATUS, TRANSFER, ESCAPE] = [0x62, 0x63, 0x65, 0x6f, 0x6b];
const [SET, GET, RESET, CLOCK, ABORT] = [0x61, 0x6c, 0x6d, 0x6e, 0x72];
const T0_ATR = '3B6A00008068544150424E4348';

test('CCID twin: notifies of a card, powers it, exchanges APDUs and powers it off', async () => {
  const { ask, tray, receive } = reader();
  expect(await ask(STATUS)).toEqual(['81 020000']);
  expect(await ask(POWER_ON)).toEqual(['80 42FE00']);
  tray.insert(fakeChip());
  expect(await receive(10)).toEqual(['came']);
  expect(await ask(STATUS)).toEqual(['81 010000']);
  expect(await ask(TRANSFER, '00A4040000')).toEqual(['80 41FE00']);
  expect(await ask(POWER_ON)).toEqual([`80 000000 ${T0_ATR}`]);
  expect(await ask(STATUS)).toEqual(['81 000000']);
  expect(await ask(TRANSFER, '00A4040000')).toEqual(['80 000000 00A40400009000']);
  expect(await ask(POWER_OFF)).toEqual(['81 010000']);
  await ask(POWER_ON);
  tray.remove();
  expect(await ask(TRANSFER, '00A4040000')).toEqual(['went', '80 42FE00']);
});

test('CCID twin: reports, sets and resets parameters', async () => {
  const { ask } = reader(fakeChip());
  await ask(POWER_ON);
  expect(await ask(GET)).toEqual(['82 000000 1100000A00']);
  expect(await ask(SET, '1102050A00')).toEqual(['82 000000 1102050A00']);
  expect(await ask(GET)).toEqual(['82 000000 1102050A00']);
  expect(await ask(RESET)).toEqual(['82 000000 1100000A00']);
  expect(await ask(SET, '1110004500FE00', [1, 0, 0])).toEqual(['82 400700']);
  expect(await ask(SET, '11')).toEqual(['82 400100']);
});

test('CCID twin: refuses other slots and unknown commands', async () => {
  const { ask } = reader(fakeChip());
  expect(await ask(STATUS, '', [0, 0, 0], 1)).toEqual(['81 020000']);
  expect(await ask(POWER_ON, '', [0, 0, 0], 4)).toEqual(['80 42FE00']);
  expect(await ask(STATUS, '', [0, 0, 0], 5)).toEqual(['81 420500']);
  expect(await ask(0x69)).toEqual(['81 410000']);
  expect(await ask(CLOCK)).toEqual(['81 010000']);
  expect(await ask(ABORT)).toEqual(['81 010000']);
});

test('CCID twin: sends slot changes with responses only when configured', async () => {
  const { ask, tray, receive } = reader();
  expect(await ask(ESCAPE, '02')).toEqual([`83 020000 ${toHex(Buffer.from('Tapbench CCID twin 1.0'))}`]);
  expect(await ask(ESCAPE, '010101')).toEqual(['83 020000']);
  tray.insert(fakeChip());
  expect(await receive(1_000)).toEqual([]);
  expect(await ask(STATUS)).toEqual(['came', '81 010000']);
});

test('CCID twin: requests a damaged command again, and repeats a response on NAK', async () => {
  const { ask, send, frame } = reader(fakeChip());
  const broken = frame(STATUS);
  broken[broken.length - 1]! ^= 1;
  expect(await send(broken)).toEqual(['nak']);
  expect(await ask(STATUS)).toEqual(['81 010000']);
  expect(await send(NAK_FRAME)).toEqual(['81 010000']);
});

test('CCID twin: requests a time extension for a slow card, a byte with T=0, a message with T=1', async () => {
  const { ask, tray, clock, receive } = reader();
  tray.insert(fakeChip(slowly(clock, 2_000)));
  await ask(POWER_ON);
  expect(await ask(TRANSFER, '00A4040000')).toEqual([]);
  expect(await receive(3_000)).toEqual(['moreTime', 'moreTime', '80 000000 00A40400009000']);
  tray.insert(fakeChip(slowly(clock, 2_000), '3B808131FE4500'));
  await ask(POWER_ON);
  expect(await ask(TRANSFER, '00000400A40400A4')).toEqual([]);
  expect(await receive(3_000)).toEqual(['80 800100', '80 800100', '80 000000 00000600A40400900036']);
});

test('CCID twin: a T=1 card handles IFS, chaining, retransmission and resynchronisation', async () => {
  const { ask } = reader(fakeChip(answerOf(40), '3B808131FE4500'));
  await ask(POWER_ON);
  const block = async (hex: string) => {
    const bytes = fromHex(hex);
    const [answer] = await ask(
      TRANSFER,
      toHex(
        Uint8Array.of(
          ...bytes,
          bytes.reduce((sum, byte) => sum ^ byte, 0),
        ),
      ),
    );
    return answer!.replace(/^80 000000 /, '').slice(0, -2);
  };
  expect(await block('00C10110')).toBe('00E10110');
  // Sixteen bytes a block now: the reader's command in two, the card's answer in three.
  expect(await block('00200200A4')).toBe('009000');
  expect(await block('0040020400')).toBe('002010000102030405060708090A0B0C0D0E0F');
  // The same again, for it came broken.
  expect(await block('008100')).toBe('002010000102030405060708090A0B0C0D0E0F');
  expect(await block('009000')).toBe('006010101112131415161718191A1B1C1D1E1F');
  expect(await block('008000')).toBe('00000A20212223242526279000');
  expect(await block('00C000')).toBe('00E000');
  expect(await block('00000400A40400')).toBe('002010000102030405060708090A0B0C0D0E0F');
  // A block whose checksum is wrong is asked for again.
  expect(await ask(TRANSFER, '00000400A4040000')).toEqual(['80 000000 00910091']);
});
