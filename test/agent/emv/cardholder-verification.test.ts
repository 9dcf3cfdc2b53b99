import { expect, test } from 'vitest';
import { verifyCardholder } from '../../../agent/emv/cardholder-verification.ts';
import { createDataStore, type DataStore } from '../../../agent/emv/data-store.ts';
import {
  offlinePinBlock,
  verifyOfflinePin,
  type OfflinePinParts,
  type OfflinePinResult,
} from '../../../agent/emv/offline-pin.ts';
import { initiateProcessing, readApplicationData } from '../../../agent/emv/read-application-data.ts';
import { rsaSign } from '../../../protocol/cryptography/rsa.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import visaChip from '../../../simulator/cards/chips/visa-contact-pin.json' with { type: 'json' };
import { selectApplication } from '../../../agent/emv/application-selection.ts';
import { scriptedCard, type Exchange } from '../../kit/scripted-card.ts';
import type { CardConnection } from '../../../agent/emv/card-connection.ts';

const CAPABILITIES = { all: '20F8C8', noPins: '202808' };

function storeWith(list: string | undefined, capabilities = CAPABILITIES.all, aip = '3D00'): DataStore {
  const data: [string, string][] = [
    ['82', aip],
    ['95', '0000000000'],
    ['9B', '0000'],
    ['9F02', '000000001500'],
    ['5F2A', '0826'],
    ['9F42', '0826'],
    ['9F33', capabilities],
    ['9F34', '3F0000'],
  ];
  if (list !== undefined) data.push(['8E', list.replaceAll(' ', '')]);
  return createDataStore(data.map(([tag, value]): [string, Uint8Array] => [tag, fromHex(value)]));
}

interface Row {
  what: string;
  list?: string;
  capabilities?: string;
  aip?: string;
  pin?: OfflinePinResult;
  method: string;
  results: string;
  /** TVR byte 3. */
  tvr?: string;
}

const NO_AMOUNTS = '00000000 00000000';

// EMV 4.4 Book 3 §10.5; Book 4 §6.3.4.5, Table 2.
const ROWS: Row[] = [
  { what: 'no CVM', list: `${NO_AMOUNTS} 1F00`, method: 'none', results: '1F0002' },
  { what: 'a signature', list: `${NO_AMOUNTS} 1E03`, method: 'signature', results: '1E0300' },
  { what: 'an online PIN', list: `${NO_AMOUNTS} 0200`, method: 'onlinePin', results: '020000', tvr: '04' },
  { what: 'a right offline PIN', list: `${NO_AMOUNTS} 0103`, method: 'offlinePin', results: '010302' },
  { what: 'PIN and signature', list: `${NO_AMOUNTS} 0503`, method: 'offlinePin', results: '050300' },
  {
    what: 'the next rule after a PIN that was not asked',
    list: `${NO_AMOUNTS} 4103 4203`,
    pin: 'notPerformed',
    method: 'onlinePin',
    results: '420300',
    tvr: '04',
  },
  {
    what: 'no other PIN after one that the card blocked',
    list: `${NO_AMOUNTS} 4103 4203 1E03`,
    pin: 'blocked',
    method: 'signature',
    results: '1E0300',
  },
  {
    what: 'no next rule where the card wants none',
    list: `${NO_AMOUNTS} 0103 1F00`,
    pin: 'blocked',
    method: 'failed',
    results: '010301',
    tvr: '80',
  },
  {
    what: 'a rule that always fails',
    list: `${NO_AMOUNTS} 0000`,
    method: 'failed',
    results: '000001',
    tvr: '80',
  },
  {
    what: 'a method that nobody knows, then another',
    list: `${NO_AMOUNTS} 6000 1F00`,
    method: 'none',
    results: '1F0002',
    tvr: '40',
  },
  {
    what: 'a method that nobody knows and no other',
    list: `${NO_AMOUNTS} 2000`,
    method: 'failed',
    results: '3F0001',
    tvr: 'C0',
  },
  {
    what: 'only PINs at a terminal without keys',
    list: `${NO_AMOUNTS} 4103 0203`,
    capabilities: CAPABILITIES.noPins,
    method: 'failed',
    results: '3F0001',
    tvr: '80',
  },
  {
    what: 'PINs for cash alone',
    list: `${NO_AMOUNTS} 0201 0204 0205`,
    method: 'failed',
    results: '3F0001',
    tvr: '80',
  },
  { what: 'under amount X', list: '000005DD 00000000 1F06 1E00', method: 'none', results: '1F0602' },
  { what: 'not under amount X', list: '000005DC 00000000 1F06 1E00', method: 'signature', results: '1E0000' },
  { what: 'over amount Y', list: '00000000 00000001 1F09', method: 'none', results: '1F0902' },
  {
    what: 'a condition that nobody knows',
    list: `${NO_AMOUNTS} 1F0A 1E00`,
    method: 'signature',
    results: '1E0000',
  },
  { what: 'a list without rules', list: NO_AMOUNTS, method: 'none', results: '3F0000' },
  { what: 'no list', method: 'none', results: '3F0000' },
  {
    what: 'a card that wants no verification',
    aip: '2D00',
    list: `${NO_AMOUNTS} 0200`,
    method: 'none',
    results: '3F0000',
  },
];

test.each(ROWS)(
  'CVM list: $what',
  async ({ list, capabilities, aip, pin = 'right', method, results, tvr = '00' }) => {
    const store = storeWith(list, capabilities, aip);
    const verification = await verifyCardholder({ store, offlinePin: async () => pin });
    expect(verification.method).toBe(method);
    expect(verification.pinBlocked).toBe(pin === 'blocked');
    expect(toHex(store.need('9F34'))).toBe(results);
    expect(toHex(store.need('95')).slice(4, 6)).toBe(tvr);
  },
);

test('CVM list: a list that ends within a rule is malformed', async () => {
  const walking = verifyCardholder({
    store: storeWith(`${NO_AMOUNTS} 1F`),
    offlinePin: async () => 'right',
  });
  await expect(walking).rejects.toThrow('list of verification methods');
});

const COUNTER = '80CA9F1700';
const VERIFY_1234 = '0020008008241234FFFFFFFFFF';

async function verifying(...script: Exchange[]) {
  const store = storeWith(undefined);
  const wrong: number[] = [];
  const card = scriptedCard(script);
  const parts: OfflinePinParts = {
    connection: card,
    store,
    random: seededRandom('pin'),
    signedRecords: new Uint8Array(0),
    requestPin: async () => '1234',
    pinRejected: (triesLeft) => void wrong.push(triesLeft),
  };
  const result = await verifyOfflinePin(parts, false);
  expect(card.left).toBe(0);
  return { result, wrong, tvr: toHex(store.need('95')).slice(4, 6) };
}

test('offline PIN: retries until the card has no tries left (Book 3 §6.5.12)', async () => {
  expect(await verifying([COUNTER, '9F1701039000'], [VERIFY_1234, '9000'])).toEqual({
    result: 'right',
    wrong: [],
    tvr: '00',
  });
  expect(
    await verifying([COUNTER, '6A88'], [VERIFY_1234, '63C2'], [VERIFY_1234, '63C1'], [VERIFY_1234, '63C0']),
  ).toEqual({ result: 'blocked', wrong: [2, 1], tvr: '20' });
  expect(await verifying([COUNTER, '6A88'], [VERIFY_1234, '6983'])).toEqual({
    result: 'blocked',
    wrong: [],
    tvr: '20',
  });
});

test('offline PIN: no PIN is requested when no tries are left', async () => {
  expect(await verifying([COUNTER, '9F1701009000'])).toEqual({
    result: 'notPerformed',
    wrong: [],
    tvr: '20',
  });
});

test('offline PIN: other status words end the transaction', async () => {
  await expect(verifying([COUNTER, '6A88'], [VERIFY_1234, '6700'])).rejects.toThrow(
    'VERIFY: the card answers 6700',
  );
});

test('offline PIN block: control, length, digits, padding', () => {
  expect(toHex(offlinePinBlock('1234'))).toBe('241234FFFFFFFFFF');
  expect(toHex(offlinePinBlock('123456789012'))).toBe('2C123456789012FF');
});

test('enciphered PIN: contains PIN block and challenge under the key of the card (Book 2 §7.2)', async () => {
  const chip = createChipCard('visa-contact-pin')!.powerOn('Contact');
  const sent: Uint8Array[] = [];
  const challenges: Uint8Array[] = [];
  const connection: CardConnection = {
    technology: 'Contact',
    async transceive(command) {
      sent.push(command);
      const answer = (await chip.transceive(command))!;
      if (answer.length === 10) challenges.push(answer.subarray(0, 8));
      return answer;
    },
    async release() {},
  };
  const store = storeWith(undefined);
  store.put('9A', fromHex('261120'));
  await selectApplication(connection, fromHex('A0000000031010'), store);
  await initiateProcessing(connection, store);
  const signedRecords = await readApplicationData(connection, store);
  const parts = { connection, store, random: seededRandom('pin'), signedRecords, pinRejected: () => {} };
  expect(await verifyOfflinePin({ ...parts, requestPin: async () => '1234' }, true)).toBe('right');

  const verify = sent.findLast((command) => command[1] === 0x20)!;
  expect(toHex(verify.subarray(0, 4))).toBe('00200088');
  const opened = toHex(rsaSign(visaChip.iccKey as never, verify.subarray(5)));
  expect(opened.slice(0, 18)).toBe('7F241234FFFFFFFFFF');
  expect(opened.slice(18, 34)).toBe(toHex(challenges.at(-1)!));
});
