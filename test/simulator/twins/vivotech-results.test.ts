import { expect, test } from 'vitest';
import { encodeCommand } from '../../../agent/readers/vivotech/frame.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { findTlv } from '../../../protocol/emv/tlv.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import type { ChipCard } from '../../../simulator/cards/chip-card.ts';
import { createChip } from '../../../simulator/cards/create-chip.ts';
import type { ChipCardProfile } from '../../../simulator/cards/card-profile.ts';
import { parseIssuedChip } from '../../../simulator/cards/issued-chip.ts';
import { ISSUED_CHIPS } from '../../../simulator/cards/issued-chips.ts';
import { createTwin } from '../../../simulator/twins/vivotech.twin.ts';
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

function readerWith(card?: ChipCard) {
  const fixture = connectToTwin(createTwin, { push: (bytes) => [Uint8Array.from(bytes)] }, toHex, card);
  const send = async ([command, code]: readonly [number, number], data: string, forMs = 20_000) => {
    const said = await fixture.send(encodeCommand({ command, code, data: fromHex(data) }), forMs);
    const bytes = fromHex(said.at(-1)!);
    return { status: bytes[11]!, data: toHex(bytes.subarray(HEAD_BYTES, -CRC_BYTES)) };
  };
  return { ...fixture, send };
}

const activate = (card: string, way: keyof typeof COMMANDS, transaction = PAYMENT) =>
  readerWith(createChipCard(card)).send(COMMANDS[way], SECONDS[way] + transaction);

test.each(['02-01', '02-40'] as const)(
  'ViVOtech2 twin: a declined tap is status 0A, error 42, status words and RF state, then objects (%s)',
  async (way) => {
    const { status, data } = await activate('mastercard-offline-declines', way);
    expect(status).toBe(0x0a);
    expect(data.slice(0, 8), 'GENERATE AC').toBe('42900005');
    expect(toHex(findTlv(fromHex(data.slice(8)), '9F27')!)).toBe('00');
  },
);

test('ViVOtech2 twin: an AAC is never status 00, also for a refund', async () => {
  const { status, data } = await activate('mastercard-offline-declines', '02-40', REFUND);
  expect(status).toBe(0x0a);
  expect(data.slice(0, 2)).toBe('42');
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
    const { status, data } = await activate(card, way);
    expect(status).toBe(0x0a);
    expect(data).toMatch(expected);
    expect(data, 'no object FFEE1F').not.toContain('FFEE1F');
  },
);

test('ViVOtech2 twin: a contact failure has no RF state', async () => {
  const { status, data } = await activate('visa-torn', '60-10');
  expect(status).toBe(0x0a);
  expect(data).toBe('24000000');
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
    expect(data.slice(0, 8)).toBe(expected);
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
