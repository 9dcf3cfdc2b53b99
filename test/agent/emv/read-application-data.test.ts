import { expect, test } from 'vitest';
import { createDataStore } from '../../../agent/emv/data-store.ts';
import {
  initiateProcessing,
  parseFileLocator,
  readApplicationData,
} from '../../../agent/emv/read-application-data.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { scriptedCard, type Exchange } from '../../kit/scripted-card.ts';

const reading = (locator: string, ...script: Exchange[]) => {
  const store = createDataStore([['94', fromHex(locator)]]);
  return { store, done: readApplicationData(scriptedCard(script), store) };
};

test('readApplicationData: reads records in AFL order and returns the signed ones (Book 3 §10.2, §10.3)', async () => {
  const { store, done } = reading(
    '08010201 58010101',
    ['00B2010C00', '70065F24033912319000'],
    ['00B2020C00', '70048F0194009000'],
    ['00B2015C00', '70039F08009000'],
  );
  // Of file 1 what is inside the template, of file 11 all of it.
  expect(toHex(await done)).toBe('5F240339123170039F0800');
  expect(toHex(store.need('8F'))).toBe('94');
  expect(store.get('9F08')).toBeUndefined();
});

test('readApplicationData: throws when a record changes earlier data', async () => {
  const store = createDataStore([
    ['94', fromHex('08010100')],
    ['82', fromHex('3D00')],
  ]);
  const card = () => scriptedCard([['00B2010C00', '700482023D009000']]);
  await expect(readApplicationData(card(), store)).resolves.toBeDefined();
  store.put('82', fromHex('0000'));
  await expect(readApplicationData(card(), store)).rejects.toThrow('in two ways');
});

test.each([
  ['a cut-off one', '080101'],
  ['a file 0', '00010100'],
  ['a file 31', 'F8010100'],
  ['bits that are reserved', '09010100'],
  ['a record 0', '08000100'],
  ['an end before its start', '08020100'],
  ['more signed records than there are', '08010102'],
])('parseFileLocator: throws on %s', (_, locator) => {
  expect(() => parseFileLocator(fromHex(locator))).toThrow('file locator');
});

test('parseFileLocator: limits the number of records', () => {
  expect(() => parseFileLocator(fromHex('0801FF00'))).toThrow('more records than a card has');
});

test.each([
  ['is missing', '6A83', 'READ RECORD: the card answers 6A83'],
  ['has no template', '5F24033912319000', 'template 70'],
  ['has an object twice', '700C8F01945F24033912318F01949000', '8F (Certification Authority'],
])('readApplicationData: a record that %s ends the transaction', async (_, answer, message) => {
  await expect(reading('08010100', ['00B2010C00', answer]).done).rejects.toThrow(message);
});

const initiating = async (answer: string) => {
  const store = createDataStore([
    ['9F38', fromHex('9F0206')],
    ['9F02', fromHex('000000001500')],
  ]);
  const card = scriptedCard([['80A80000088306 000000001500 00', answer]]);
  return { store, initiation: await initiateProcessing(card, store) };
};

test('initiateProcessing: reads both response formats (Book 3 §10.1)', async () => {
  for (const answer of ['80063D00080101009000', '770A82023D009404080101009000']) {
    const { store, initiation } = await initiating(answer);
    expect([toHex(store.need('82')), toHex(store.need('94'))]).toEqual(['3D00', '08010100']);
    expect(toHex(initiation!.pdolValues)).toBe('000000001500');
  }
});

test('initiateProcessing: returns undefined for 6985 and throws for other interfaces', async () => {
  expect((await initiating('6985')).initiation).toBeUndefined();
  await expect(initiating('6984')).rejects.toThrow('inserted');
  await expect(initiating('6986')).rejects.toThrow('phone');
  await expect(initiating('6F00')).rejects.toThrow('6F00');
  await expect(initiating('80013D9000')).rejects.toThrow('without profile');
  await expect(initiating('77069404080101009000')).rejects.toThrow('the card has no 82');
});
