import { expect, test } from 'vitest';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { findTlv } from '../../../protocol/emv/tlv.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { createChip, createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import type { ChipCard } from '../../../simulator/cards/chip-card.ts';
import type { ChipCardProfile } from '../../../simulator/cards/card-profile.ts';
import { parseIssuedChip } from '../../../simulator/cards/issued-chip.ts';
import { ISSUED_CHIPS } from '../../../simulator/cards/card-files.ts';
import { createTwinWithShape } from '../../../simulator/twins/vivotech.twin.ts';
import { crcCcitt } from '../../../agent/readers/crc.ts';
import type { ResultShape } from '../../../simulator/twins/vivotech/result-style.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { profileNamed } from '../cards/chip-fixture.ts';
import { connectToTwin } from './twin-connection.ts';

// The twin's bytes are read here by their places, without the parser of anybody.
const HEAD_BYTES = 14;
const CRC_BYTES = 2;
const COMMANDS = { '02-01': [0x02, 0x01], '02-40': [0x02, 0x40], '60-10': [0x60, 0x10] } as const;
const GET_CONFIGURATION = [0x03, 0x02] as const;
const SET_CONFIGURATION = [0x04, 0x00] as const;

/** What a cash register says of a payment of 15.00, and of a refund of it. */
const PAYMENT = '9C01009F02060000000015009F03060000000000005F2A020826';
const REFUND = PAYMENT.replace('9C0100', '9C0120');
const SECONDS = { '02-01': '0F', '02-40': '0F', '60-10': '00000F0060' } as const;

const HEAD = '5669564F746563683200';

function commandBytes([command, code]: readonly [number, number], data: Uint8Array): Uint8Array {
  const frame = new Uint8Array([
    ...fromHex(HEAD),
    command,
    code,
    data.length >> 8,
    data.length & 0xff,
    ...data,
  ]);
  const crc = crcCcitt(frame);
  return new Uint8Array([...frame, crc & 0xff, crc >> 8]);
}

function readerWith(card?: ChipCard, shape: Partial<ResultShape> = {}) {
  const createTwin = (parts: Parameters<typeof createTwinWithShape>[0]) => createTwinWithShape(parts, shape);
  const fixture = connectToTwin(createTwin, { push: (bytes) => [Uint8Array.from(bytes)] }, toHex, card);
  /** Sends a command and returns all answers: command, status and data. */
  const sendAll = async (command: readonly [number, number], data: string, forMs = 20_000) => {
    const said = await fixture.send(commandBytes(command, fromHex(data)), forMs);
    return said.map((frame) => {
      const bytes = fromHex(frame);
      return { command: bytes[10]!, status: bytes[11]!, data: toHex(bytes.subarray(HEAD_BYTES, -CRC_BYTES)) };
    });
  };
  const send = async (command: readonly [number, number], data: string, forMs?: number) =>
    (await sendAll(command, data, forMs)).at(-1)!;
  return { ...fixture, send, sendAll };
}

const activate = (
  card: string,
  way: keyof typeof COMMANDS,
  transaction = PAYMENT,
  shape: Partial<ResultShape> = {},
) => readerWith(createChipCard(card), shape).send(COMMANDS[way], SECONDS[way] + transaction);

test.each(['02-01', '02-40'] as const)(
  'ViVOtech2 twin: a declined tap is status 0A, error 42, status words and RF state, then objects (%s)',
  async (way) => {
    const { status, data } = await activate('mastercard-offline-declines', way, PAYMENT, {
      failure: 'bytes',
    });
    expect(status).toBe(0x0a);
    expect(data.slice(0, 8), 'GENERATE AC').toBe('42900005');
    expect(toHex(findTlv(fromHex(data.slice(8)), '9F27')!)).toBe('00');
  },
);

test('ViVOtech2 twin: an AAC is never status 00, also for a refund', async () => {
  const { status, data } = await activate('mastercard-offline-declines', '02-40', REFUND);
  expect(status).toBe(0x0a);
  expect(data.slice(0, 18), 'attribution, then DFEE02').toBe('01DFEE020442900005');
});

test('ViVOtech2 twin: a tap with an ARQC is status 23 with the contactless attribution', async () => {
  const { status, data } = await activate('visa-contactless', '02-40');
  expect(status).toBe(0x23);
  expect(data.slice(0, 2)).toBe('01');
});

test.each([
  ['visa-torn', '02-40', /^240000/, 'a communication error for a card that left'],
  ['visa-blocked-application', '02-40', /^27628302$/, 'its status words, and SELECT as where it happened'],
  ['visa-unreadable', '02-01', /^240000/, 'a communication error for a card that says nothing'],
] as const)(
  'ViVOtech2 twin: %s tapped fails (%s, %s) by %s; no TLV, no attribution',
  async (card, way, expected, _what) => {
    const { status, data } = await activate(card, way, PAYMENT, { failure: 'bytes' });
    expect(status).toBe(0x0a);
    expect(data).toMatch(expected);
    expect(data, 'no object FFEE1F').not.toContain('FFEE1F');
  },
);

test('ViVOtech2 twin: a contact card that leaves ends 60-10 with status 08 and code 3012', async () => {
  expect(await activate('visa-torn', '60-10')).toMatchObject({ status: 0x08, data: '00DFEE25023012' });
});

/** A Mastercard whose issuer denies what these bits of the TVR say (9F0E). */
function strictCard(contactless: object): ChipCard {
  const name = 'mastercard-contactless';
  const profile = profileNamed(name);
  const { chip } = profile;
  const strict = { ...profile, chip: { ...chip, contactless: { ...chip!.contactless, ...contactless } } };
  const parts = { random: seededRandom(name), clock: new VirtualClock(0) };
  return createChip(name, strict as ChipCardProfile, parseIssuedChip(name, ISSUED_CHIPS[name]), parts);
}

test.each([
  ['57, holder not verified', { cvmList: '00000000000000000100', iacDenial: '0000800000' }, '57900005'],
  ['58, terminal action analysis', { iacDenial: '0000008000' }, '58900005'],
])(
  'ViVOtech2 twin: a tap declined by issuer action codes is error %s',
  async (_what, contactless, expected) => {
    const fixture = readerWith(strictCard(contactless));
    const { status, data } = await fixture.send(COMMANDS['02-40'], SECONDS['02-40'] + PAYMENT);
    expect(status).toBe(0x0a);
    expect(data.slice(0, 18)).toBe(`01DFEE0204${expected}`);
  },
);

test('ViVOtech2 twin: 03-02 reports the objects set by 04-00 and the defaults', async () => {
  const { send } = readerWith();
  const before = await send(GET_CONFIGURATION, '');
  expect(toHex(findTlv(fromHex(before.data), '9F1A')!)).toBe('0840');

  expect((await send(SET_CONFIGURATION, '9F1A0208269F350122DFEE1E0401020304')).status).toBe(0x00);
  const { status, data } = await send(GET_CONFIGURATION, '');
  expect(status).toBe(0x00);
  const value = (tag: string) => toHex(findTlv(fromHex(data), tag)!);
  expect([value('9F1A'), value('9F35'), value('DFEE1E')]).toEqual(['0826', '22', '01020304']);

  expect((await send(SET_CONFIGURATION, '9F1A02')).status, 'no whole object').toBe(0x05);
  expect((await send(GET_CONFIGURATION, '')).data).toBe(data);
});

test('ViVOtech2 twin: 04-09 and 60-06 are answered, and change the configuration', async () => {
  const { send } = readerWith();
  expect(await send([0x60, 0x06], '01009F1A020826')).toMatchObject({ status: 0x00, data: '' });
  const country = async () => toHex(findTlv(fromHex((await send(GET_CONFIGURATION, '')).data), '9F1A')!);
  expect(await country()).toBe('0826');
  expect(await send([0x04, 0x09], '')).toMatchObject({ status: 0x00, data: '' });
  expect(await country()).toBe('0840');
});

test('ViVOtech2 twin: 60-10 with data 03 is refused with 05, and 60-12 without a transaction with 0C', async () => {
  const { sendAll } = readerWith();
  expect(await sendAll(COMMANDS['60-10'], `03000F0060${PAYMENT}`)).toEqual([
    { command: 0x60, status: 0x05, data: '' },
  ]);
  expect(await sendAll([0x60, 0x12], '018A023030')).toEqual([{ command: 0x60, status: 0x0c, data: '' }]);
  expect(await sendAll([0x60, 0x11], '000078')).toEqual([{ command: 0x60, status: 0x0c, data: '' }]);
});

test.each([
  ['short', '00', ''],
  ['long', '20', 'DFEE26022000'],
] as const)(
  'ViVOtech2 twin: each contact command answers 63 first, then its result (%s attribution)',
  async (attribution, byte, extension) => {
    const { sendAll } = readerWith(createChipCard('visa-blocked-pin'), { attribution });
    const steps = [
      [[0x60, 0x10], SECONDS['60-10'] + PAYMENT, '0010'],
      [[0x60, 0x11], '000078', '0004'],
      [[0x60, 0x12], '018A023035', '0003'],
    ] as const;
    for (const [command, data, code] of steps) {
      const [first, second, ...more] = await sendAll(command, data);
      expect(first).toEqual({ command: 0x60, status: 0x63, data: '' });
      expect(second!.status).toBe(0x00);
      expect(second!.data.startsWith(`${byte}${extension}DFEE2502${code}`), second!.data).toBe(true);
      expect(more).toEqual([]);
    }
  },
);

test('ViVOtech2 twin: the host chooses the objects of a result by DFEE1A', async () => {
  const few = readerWith(createChipCard('visa-blocked-pin'), { objects: 'few' });
  await few.send(COMMANDS['60-10'], SECONDS['60-10'] + PAYMENT);
  const { data } = await few.send([0x60, 0x11], '000078');
  expect(findTlv(fromHex(data.slice(2)), '82'), 'recorded results have no AIP').toBeUndefined();

  const asking = readerWith(createChipCard('visa-blocked-pin'), { objects: 'few' });
  await asking.send(COMMANDS['60-10'], SECONDS['60-10'] + PAYMENT);
  const asked = await asking.send([0x60, 0x11], '000078DFEE1A05829F269F27');
  const tags = [...fromHex(asked.data.slice(2))].length > 0 && findTlv(fromHex(asked.data.slice(2)), '82');
  expect(tags).toHaveLength(2);
  expect(findTlv(fromHex(asked.data.slice(2)), '9F37'), 'not asked for').toBeUndefined();
});

test.each([
  ['short', 0x08, ''],
  ['long', 0x00, '20DFEE25025005'],
] as const)(
  'ViVOtech2 twin: 02-40 without a card ends (%s attribution)',
  async (attribution, status, data) => {
    const { send } = readerWith(undefined, { attribution });
    expect(await send(COMMANDS['02-40'], SECONDS['02-40'] + PAYMENT)).toMatchObject({ status, data });
  },
);

test('ViVOtech2 twin: 60-10 without a card ends with status 08 and code 0008', async () => {
  const { sendAll } = readerWith(undefined, { attribution: 'long' });
  expect(await sendAll(COMMANDS['60-10'], SECONDS['60-10'] + PAYMENT)).toEqual([
    { command: 0x60, status: 0x63, data: '' },
    { command: 0x60, status: 0x08, data: '20DFEE25020008' },
  ]);
});

test.each([
  ['02-40', '0F', 0x02],
  ['60-10', '01000F0060', 0x60],
] as const)('ViVOtech2 twin: a swipe during %s has code 0011 and both tracks', async (way, head, command) => {
  const { sendAll, twin, receive } = readerWith();
  await sendAll(COMMANDS[way], head + PAYMENT, 1_000);
  twin.controls['swipe']!.run('visa-swipe');
  const [frame] = await receive(1_000);
  const bytes = fromHex(frame!);
  const data = bytes.subarray(HEAD_BYTES, -CRC_BYTES);
  expect([bytes[10], bytes[11], data[0]]).toEqual([command, 0x00, 0x08]);
  expect(toHex(findTlv(data.subarray(1), 'DFEE25')!)).toBe('0011');
  const [first, second] = findTlv(data.subarray(1), 'DFEF4C')!;
  const tracks = Buffer.from(findTlv(data.subarray(1), 'DFEF4D')!).toString('latin1');
  expect(tracks.slice(0, first)).toMatch(/^%B4012000000060085\^.*\?$/);
  expect(tracks.slice(first)).toMatch(/^;4012000000060085=.*\?$/);
  expect(tracks).toHaveLength(first! + second!);
});

test('ViVOtech2 twin: a Mastercard tap has its objects in a data record, a Visa tap has not', async () => {
  const mastercard = await activate('mastercard-contactless', '02-40');
  expect(findTlv(findTlv(fromHex(mastercard.data.slice(2)), 'FF8105')!, '9F26')).toHaveLength(8);
  const visa = await activate('visa-contactless', '02-40');
  expect(findTlv(fromHex(visa.data.slice(2)), 'FF8105')).toBeUndefined();
});

test('ViVOtech2 twin: an encrypted result has no card number in the clear', async () => {
  const { status, data } = await activate('visa-contactless', '02-40', PAYMENT, { encrypted: true });
  expect([status, data.slice(0, 2)]).toEqual([0x23, 'C1']);
  expect(data).toContain('DFEE120AFFFF9876543210E00001');
  expect(data).toMatch(/57A1[0-9A-F]{2}[0-9]{4}C+/);
});
