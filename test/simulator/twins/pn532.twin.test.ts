import { expect, test } from 'vitest';
import { WAKE_UP_SEQUENCE } from '../../../agent/readers/pn532/chip.ts';
import {
  ACK,
  createParser,
  informationFrame,
  NACK,
  TFI,
  type Frame,
} from '../../../agent/readers/pn532/frame.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import type { ChipCard } from '../../../simulator/cards/chip-card.ts';
import { createTwin } from '../../../simulator/twins/pn532.twin.ts';
import { answerOf, fakeChip, slowly } from '../../agent/readers/fake-chip.ts';
import { connectToTwin } from './twin-connection.ts';

const show = (frame: Frame) => (frame.kind === 'information' ? toHex(frame.data) : frame.kind);

/** A chip that was woken, and what it answers to commands in hexadecimal. */
async function awake(card?: ChipCard) {
  const line = connectToTwin(createTwin, createParser(), show, card);
  await line.host.write(WAKE_UP_SEQUENCE);
  const frame = (command: string) => informationFrame(TFI.hostToChip, fromHex(command));
  const ask = (command: string, forMs?: number) => line.send(frame(command), forMs);
  expect(await ask('14011401')).toEqual(['ack', '15']);
  return { ...line, frame, ask };
}

test('PN532 twin: sleeps until it is woken, and again after PowerDown', async () => {
  const asleep = connectToTwin(createTwin, createParser(), show);
  expect(await asleep.send(informationFrame(TFI.hostToChip, fromHex('02')))).toEqual([]);
  const { ask, host } = await awake();
  expect(await ask('02')).toEqual(['ack', '0332010607']);
  expect(await ask('1620')).toEqual(['ack', '1700']);
  expect(await ask('02')).toEqual([]);
  await host.write(WAKE_UP_SEQUENCE);
  expect(await ask('02')).toEqual(['ack', '0332010607']);
});

/** GetFirmwareVersion as the manual prints it, and what the chip says to it. */
const GET_FIRMWARE_VERSION = '0000FF02FED4022A00';
const FIRMWARE = ['ack', '0332010607'];

test.each([
  ['ten zeros', '00'.repeat(10)],
  ['sixteen zeros', '00'.repeat(16)],
  ['55 and three zeros', '5555000000'],
])('PN532 twin: wakes on a preamble of %s, directly before a frame', async (_, preamble) => {
  const asleep = connectToTwin(createTwin, createParser(), show);
  expect(await asleep.send(preamble + GET_FIRMWARE_VERSION)).toEqual(FIRMWARE);
});

test('PN532 twin: wakes on a preamble in pieces whose last zero starts the frame', async () => {
  const asleep = connectToTwin(createTwin, createParser(), show);
  expect(await asleep.send('00'.repeat(6))).toEqual([]);
  expect(await asleep.send('00'.repeat(2) + GET_FIRMWARE_VERSION)).toEqual(FIRMWARE);
});

test('PN532 twin: SetSerialBaudRate applies once its response is acknowledged', async () => {
  const rates: number[] = [];
  const chip = connectToTwin(
    (parts) => createTwin({ ...parts, port: { ...parts.port, setBaudRate: (rate) => rates.push(rate) } }),
    createParser(),
    show,
  );
  await chip.send(WAKE_UP_SEQUENCE);
  const command = (hex: string) => chip.send(informationFrame(TFI.hostToChip, fromHex(hex)));
  expect(await command('1006')).toEqual(['ack', '11']);
  expect(rates).toEqual([]);
  await chip.send(ACK);
  expect(rates).toEqual([460_800]);
  await chip.send(ACK);
  // Without an acknowledgement the rate stays.
  expect(await command('1000')).toEqual(['ack', '11']);
  expect(await command('02')).toEqual(FIRMWARE);
  await chip.send(ACK);
  expect(rates).toEqual([460_800]);
  expect(await command('1009')).toEqual(['ack', 'error']);
  expect(await command('10')).toEqual(['ack', 'error']);
});

test('PN532 twin: runs the commands of the chip itself', async () => {
  const { ask, tray } = await awake();
  expect(await ask('00006C69626E6663')).toEqual(['ack', '01006C69626E6663']);
  expect(await ask('0006')).toEqual(['ack', '0101']);
  expect(await ask('086302A3630355')).toEqual(['ack', '09']);
  expect(await ask('06630263036304')).toEqual(['ack', '07A35500']);
  expect(await ask('1214')).toEqual(['ack', '13']);
  expect(await ask('0C')).toEqual(['ack', '0D3F0700']);
  expect(await ask('04')).toEqual(['ack', '0500000080']);
  expect(await ask('1409')).toEqual(['ack', 'error']);
  expect(await ask('EE')).toEqual(['ack', 'error']);
  tray.insert(fakeChip());
  await ask('4A0100');
  expect(await ask('0006')).toEqual(['ack', '0100']);
  expect(await ask('04')).toEqual(['ack', '050000010100000080']);
});

test('PN532 twin: lists a card with its UID and ATS, and no other card types', async () => {
  const { ask } = await awake(fakeChip());
  expect(await ask('3205FF0101')).toEqual(['ack', '33']);
  expect(await ask('4A0100')).toEqual(['ack', '4B010100042004080102030578807002']);
  expect(await ask('4A0100080102')).toEqual(['ack', '4B010100042004080102030578807002']);
  expect(await ask('4A010009')).toEqual(['ack', '4B00']);
  for (const other of ['4A010300', '4A0101FFFFFFFF', '4A0104'])
    expect(await ask(other)).toEqual(['ack', '4B00']);
  expect(await ask('4A0300')).toEqual(['ack', 'error']);
});

test('PN532 twin: with endless retries it waits for a card until the host aborts', async () => {
  const { ask, receive, send, tray } = await awake();
  expect(await ask('4A0100', 5_000)).toEqual(['ack']);
  tray.insert(fakeChip());
  expect(await receive(100)).toEqual(['4B010100042004080102030578807002']);
  tray.remove();
  expect(await ask('4A0100', 5_000)).toEqual(['ack']);
  expect(await send(ACK)).toEqual([]);
  tray.insert(fakeChip());
  expect(await receive(5_000)).toEqual([]);
  expect(await ask('02')).toEqual(['ack', '0332010607']);
});

test('PN532 twin: repeats the response on NACK, and ignores a damaged command', async () => {
  const { ask, send, frame } = await awake();
  expect(await ask('02')).toEqual(['ack', '0332010607']);
  expect(await send(NACK)).toEqual(['0332010607']);
  const broken = frame('02');
  broken[6]! ^= 1;
  expect(await send(broken)).toEqual([]);
});

test('PN532 twin: exchanges data with the listed card only, chained when it is long', async () => {
  const { ask, tray } = await awake(fakeChip());
  expect(await ask('400100A40400')).toEqual(['ack', '4127']);
  await ask('4A0100');
  expect(await ask('400100A40400')).toEqual(['ack', '410000A404009000']);
  expect(await ask('400200A40400')).toEqual(['ack', '4127']);
  expect(await ask('404100A4')).toEqual(['ack', '4100']);
  expect(await ask('40010400')).toEqual(['ack', '410000A404009000']);
  expect(await ask('4401')).toEqual(['ack', '4500']);
  expect(await ask('400100A40400')).toEqual(['ack', '4127']);

  tray.insert(fakeChip(answerOf(300)));
  await ask('4A0100');
  const [, first] = await ask('400100B0000000');
  expect(first).toMatch(/^4140/);
  expect(first).toHaveLength(2 * (2 + 262));
  const [, second] = await ask('4001');
  expect(second).toMatch(/^4100.*9000$/);
  expect(second).toHaveLength(2 * (2 + 40));
});

test('PN532 twin: does not respond to an aborted command', async () => {
  const card = fakeChip();
  const { ask, clock, receive, tray } = await awake();
  tray.insert({ ...card, powerOn: () => ({ transceive: async (apdu) => slowly(clock, 1_000)(apdu) }) });
  await ask('4A0100');
  expect(await ask('400100A40400')).toEqual(['ack']);
  expect(await ask('02')).toEqual(['ack', '0332010607']);
  expect(await receive(5_000)).toEqual([]);
});

test('PN532 twin: InCommunicateThru carries ISO/IEC 14443-4 blocks', async () => {
  const { ask, tray } = await awake(fakeChip(answerOf(300)));
  // Without automatic RATS the card comes up in ISO/IEC 14443-3, and gives its ATS for RATS.
  await ask('1204');
  expect(await ask('4A0100')).toEqual(['ack', '4B01010004200408010203']);
  expect(await ask('420200A40400')).toEqual(['ack', '4301']);
  expect(await ask('42E080')).toEqual(['ack', '43000578807002']);
  expect(await ask('42D01100')).toEqual(['ack', '4300D0']);
  // An I-block, chained both ways: the reader's in two pieces, the card's in two.
  expect(await ask('421200A4')).toEqual(['ack', '4300A2']);
  const [, piece] = await ask('42030400');
  expect(piece).toMatch(/^430013000102/);
  expect(await ask('42A2')).toEqual(['ack', expect.stringMatching(/^430002.*9000$/)]);
  // An R(NAK) asks for the last block again, or whether the card is there.
  expect(await ask('42B2')).toEqual(['ack', expect.stringMatching(/^430002.*9000$/)]);
  expect(await ask('42B3')).toEqual(['ack', '4300A2']);
  expect(await ask('42C2')).toEqual(['ack', '4300C2']);
  expect(await ask('420200A40400')).toEqual(['ack', '4301']);
  tray.remove();
  expect(await ask('42E080')).toEqual(['ack', '4301']);
});

test('PN532 twin: InSelect activates a card again that InDeselect has ended', async () => {
  const { ask, tray } = await awake(fakeChip());
  expect(await ask('5401'), 'no target yet').toEqual(['ack', '5527']);
  await ask('4A0100');
  expect(await ask('4401')).toEqual(['ack', '4500']);
  expect(await ask('04'), 'still known').toEqual(['ack', '050000010100000080']);
  expect(await ask('400100A40400')).toEqual(['ack', '4127']);
  expect(await ask('5402'), 'no such target').toEqual(['ack', '5527']);
  expect(await ask('5401')).toEqual(['ack', '5500']);
  expect(await ask('400100A40400')).toEqual(['ack', '410000A404009000']);
  expect(await ask('5201')).toEqual(['ack', '5300']);
  expect(await ask('5401'), 'released').toEqual(['ack', '5527']);
  await ask('4A0100');
  await ask('4400');
  tray.remove();
  expect(await ask('5401'), 'gone').toEqual(['ack', '5527']);
});

test('PN532 twin: with automatic RATS off InDataExchange carries bytes as they are', async () => {
  const { ask } = await awake(fakeChip());
  await ask('1204');
  await ask('4A0100');
  expect(await ask('400100A40400'), 'an APDU before RATS').toEqual(['ack', '4101']);
  expect(await ask('4001E080')).toEqual(['ack', '41000578807002']);
  expect(await ask('40010200A40400')).toEqual(['ack', '41000200A404009000']);
});

test('PN532 twin: InAutoPoll finds a card of ISO/IEC 14443-4 among the types', async () => {
  const { ask, receive, send, tray } = await awake();
  expect(await ask('60020120', 2_000)).toEqual(['ack', '6100']);
  expect(await ask('60FF0120', 5_000), 'endless').toEqual(['ack']);
  tray.insert(fakeChip());
  expect(await receive(400)).toEqual(['6101200E0100042004080102030578807002']);
  expect(await ask('400100A40400')).toEqual(['ack', '410000A404009000']);
  expect(await ask('60010100', 1_000), 'any type A').toEqual(['ack', expect.stringMatching(/^610120/)]);
  expect(await ask('6001012310', 2_000), 'type B and MIFARE').toEqual(['ack', '6100']);
  for (const wrong of ['60', '60000120', '60010020', '60011020', '600101', '60010199']) {
    expect(await ask(wrong)).toEqual(['ack', 'error']);
  }
  tray.remove();
  expect(await ask('60FF0F20', 5_000)).toEqual(['ack']);
  expect(await send(ACK)).toEqual([]);
  tray.insert(fakeChip());
  expect(await receive(5_000)).toEqual([]);
});

test('PN532 twin: InJumpForDEP finds no device, and TgInitAsTarget no initiator', async () => {
  const { ask, send, receive } = await awake(fakeChip());
  expect(await ask('320502FF01')).toEqual(['ack', '33']);
  expect(await ask('56010000')).toEqual(['ack', '5701']);
  for (const wrong of ['56', '5602', '56010300', '5601']) expect(await ask(wrong)).toEqual(['ack', 'error']);
  expect(await ask('3205FFFF01')).toEqual(['ack', '33']);
  expect(await ask('56000100', 5_000), 'endless').toEqual(['ack']);
  expect(await send(ACK)).toEqual([]);
  expect(await ask(`8C05${'00'.repeat(36)}`, 5_000)).toEqual(['ack']);
  expect(await send(ACK)).toEqual([]);
  expect(await receive(5_000)).toEqual([]);
  expect(await ask('8C05')).toEqual(['ack', 'error']);
  expect(await ask('02')).toEqual(['ack', '0332010607']);
});
