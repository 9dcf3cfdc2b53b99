import { expect, test } from 'vitest';
import { buildCandidateList, selectApplication } from '../../../agent/emv/application-selection.ts';
import { createDataStore } from '../../../agent/emv/data-store.ts';
import { APPLICATIONS } from '../../../agent/emv/terminal.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { scriptedCard, type Exchange } from '../../kit/scripted-card.ts';

const SELECT_PSE = '00A404000E315041592E5359532E444446303100';
const VISA = 'A0000000031010';
const ELECTRON = 'A0000000032010';
const MASTERCARD = 'A0000000041010';

const tlv = (tag: string, ...parts: Uint8Array[]) => encodeTlv(tag, concat(...parts));
const object = (tag: string, value: string) => encodeTlv(tag, fromHex(value));
const ok = (bytes: Uint8Array) => `${toHex(bytes)}9000`;
const entry = (aid: string, priority: string) => tlv('61', object('4F', aid), object('87', priority));
const pse: Exchange = [SELECT_PSE, ok(tlv('6F', object('84', '31'), tlv('A5', object('88', '01'))))];
const selecting = (aid: string, p2 = '00') => `00A404${p2}07${aid}00`;
const fci = (aid: string, extra = new Uint8Array(0)) =>
  ok(tlv('6F', object('84', aid), tlv('A5', object('50', '56495341'), extra)));

async function candidates(...script: Exchange[]): Promise<string[]> {
  const card = scriptedCard(script);
  const found = await buildCandidateList(card);
  expect(card.left).toBe(0);
  return found.map(({ aid }) => toHex(aid));
}

test('candidate list: read from the PSE and sorted by priority (Book 1 §12.3.2, §12.4)', async () => {
  const found = await candidates(
    pse,
    ['00B2010C00', ok(tlv('70', entry(ELECTRON, '00'), entry(VISA, '02')))],
    ['00B2020C00', ok(tlv('70', entry('A0000000651010', '01'), entry(MASTERCARD, '01')))],
    ['00B2030C00', '6A83'],
  );
  expect(found).toEqual([MASTERCARD, VISA, ELECTRON]);
});

test('candidate list: omits applications that require cardholder confirmation', async () => {
  const found = await candidates(
    pse,
    ['00B2010C00', ok(tlv('70', entry(VISA, '81'), entry(ELECTRON, '02')))],
    ['00B2020C00', '6A83'],
  );
  expect(found).toEqual([ELECTRON]);
});

test('candidate list: built by the list of AIDs without a PSE, partial names included', async () => {
  const longer = `${MASTERCARD}D001`;
  const script: Exchange[] = APPLICATIONS.flatMap(({ aid }): Exchange[] => {
    const length = (aid.length / 2).toString(16).padStart(2, '0');
    if (aid !== MASTERCARD) return [[`00A40400${length}${aid}00`, '6A82']];
    return [
      [selecting(aid), fci(longer)],
      [selecting(aid, '02'), '6A82'],
    ];
  });
  expect(await candidates([SELECT_PSE, '6A82'], ...script)).toEqual([longer]);
});

test('candidate list: a blocked card differs from one without a PSE', async () => {
  await expect(candidates([SELECT_PSE, '6A81'])).rejects.toThrow('the card is blocked');
});

test('final selection: stores the FCI and the application version number', async () => {
  const store = createDataStore();
  const card = scriptedCard([[selecting(VISA), fci(VISA, object('9F38', '9F6604'))]]);
  expect(await selectApplication(card, fromHex(VISA), store)).toBe(true);
  expect(toHex(store.need('84'))).toBe(VISA);
  expect(toHex(store.need('9F38'))).toBe('9F6604');
  expect(toHex(store.need('9F09'))).toBe('0096');
});

test.each(['6A82', '6283', '6F00'])('final selection: returns false for status %s', async (status) => {
  const card = scriptedCard([[selecting(VISA), status]]);
  expect(await selectApplication(card, fromHex(VISA), createDataStore())).toBe(false);
});

test('final selection: throws when the card selects another application', async () => {
  const card = scriptedCard([[selecting(VISA), fci(MASTERCARD)]]);
  await expect(selectApplication(card, fromHex(VISA), createDataStore())).rejects.toThrow(
    'another application',
  );
});
