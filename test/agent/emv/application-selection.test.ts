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

test('the directory lists applications; the card says which it wants most (Book 1 §12.3.2, §12.4)', async () => {
  const found = await candidates(
    pse,
    ['00B2010C00', ok(tlv('70', entry(ELECTRON, '00'), entry(VISA, '02')))],
    ['00B2020C00', ok(tlv('70', entry('A0000000651010', '01'), entry(MASTERCARD, '01')))],
    ['00B2030C00', '6A83'],
  );
  expect(found).toEqual([MASTERCARD, VISA, ELECTRON]);
});

test('an application that its holder would have to confirm is left out: nobody is asked here', async () => {
  const found = await candidates(
    pse,
    ['00B2010C00', ok(tlv('70', entry(VISA, '81'), entry(ELECTRON, '02')))],
    ['00B2020C00', '6A83'],
  );
  expect(found).toEqual([ELECTRON]);
});

test('without a directory each name is tried; a longer name of the card is the same application', async () => {
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

test('a blocked card is told from one without directory', async () => {
  await expect(candidates([SELECT_PSE, '6A81'])).rejects.toThrow('the card is blocked');
});

test('final selection keeps what the application says, and its version', async () => {
  const store = createDataStore();
  const card = scriptedCard([[selecting(VISA), fci(VISA, object('9F38', '9F6604'))]]);
  expect(await selectApplication(card, fromHex(VISA), store)).toBe(true);
  expect(toHex(store.need('84'))).toBe(VISA);
  expect(toHex(store.need('9F38'))).toBe('9F6604');
  expect(toHex(store.need('9F09'))).toBe('0096');
});

test.each(['6A82', '6283', '6F00'])('an application that answers %s is passed over', async (status) => {
  const card = scriptedCard([[selecting(VISA), status]]);
  expect(await selectApplication(card, fromHex(VISA), createDataStore())).toBe(false);
});

test('a card that selects something else than was asked for is not trusted', async () => {
  const card = scriptedCard([[selecting(VISA), fci(MASTERCARD)]]);
  await expect(selectApplication(card, fromHex(VISA), createDataStore())).rejects.toThrow(
    'another application',
  );
});
