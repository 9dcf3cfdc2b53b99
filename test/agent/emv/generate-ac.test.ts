import { expect, test } from 'vitest';
import { completeTransaction, type IssuerAnswer } from '../../../agent/emv/completion.ts';
import { createDataStore, type DataStore } from '../../../agent/emv/data-store.ts';
import { generateCryptogram, kindOf } from '../../../agent/emv/generate-ac.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { scriptedCard, type Exchange } from '../../kit/scripted-card.ts';

const store = (changes: Record<string, string> = {}): DataStore => {
  const data = {
    '8C': '9F3704',
    '8D': '8A02',
    '9F37': 'DEADBEEF',
    '95': '0000008000',
    '9B': '0000',
    '82': '3C00',
  };
  return createDataStore(
    Object.entries({ ...data, ...changes }).map(([tag, value]): [string, Uint8Array] => [
      tag,
      fromHex(value),
    ]),
  );
};

const CRYPTOGRAM = '1122334455667788';
const firstAc = (answer: string): Exchange => ['80AE800004DEADBEEF00', answer];
const generating = (answer: string, known = store()) =>
  generateCryptogram(scriptedCard([firstAc(answer)]), known, { kind: 'ARQC', list: '8C' });

test('generateCryptogram: stores a response in either format (Book 3 §6.5.5.4)', async () => {
  const forms = [
    `8012 80 0064 ${CRYPTOGRAM} 06010A03A0B000 9000`,
    `771E 9F270180 9F36020064 9F2608${CRYPTOGRAM} 9F100706010A03A0B000 9000`,
  ];
  for (const answer of forms) {
    const known = store();
    expect(await generating(answer, known)).toEqual({ kind: 'ARQC', reason: '', signatureFailed: false });
    const kept = ['9F27', '9F36', '9F26', '9F10'].map((tag) => toHex(known.need(tag)));
    expect(kept).toEqual(['80', '0064', CRYPTOGRAM, '06010A03A0B000']);
    expect(toHex(known.need('9B'))).toBe('2000');
  }
});

test('generateCryptogram: returns an AAC with the reason of the card', async () => {
  const answer = (information: string) => `800B ${information} 0064 ${CRYPTOGRAM} 9000`;
  expect(await generating(answer('00'))).toMatchObject({ kind: 'AAC', reason: '' });
  expect(await generating(answer('01'))).toMatchObject({ reason: 'service not allowed' });
  expect(await generating(answer('02'))).toMatchObject({ reason: 'PIN try limit exceeded' });
});

test.each([
  ['approves what was to go online', `800B 40 0064 ${CRYPTOGRAM} 9000`, 'another kind'],
  ['answers a kind that there is not', `800B C0 0064 ${CRYPTOGRAM} 9000`, 'another kind'],
  ['has no cryptogram', '7709 9F270180 9F36020064 9000', 'no 9F26'],
  ['has no counter', `770F 9F270180 9F2608${CRYPTOGRAM} 9000`, 'no 9F36'],
  ['is too short', '800A 80 0064 11223344556677 9000', 'without cryptogram'],
  ['is no template', `9F2608${CRYPTOGRAM}9000`, 'template 77'],
  ['refusalReason', '6985', 'GENERATE AC: the card answers 6985'],
])('generateCryptogram: a card that %s ends the transaction', async (_, answer, message) => {
  await expect(generating(answer)).rejects.toThrow(message);
});

test('kindOf: reads the cryptogram type (Book 3 Table 15)', () => {
  expect([0x00, 0x40, 0x80, 0xc0].map(kindOf)).toEqual(['AAC', 'TC', 'ARQC', undefined]);
});

const tc = `800B 40 0064 ${CRYPTOGRAM} 9000`;
const aac = `800B 00 0064 ${CRYPTOGRAM} 9000`;
const APPROVED: IssuerAnswer = { outcome: 'approved', chip: { emv: '8A023030910A11223344556677883030' } };

async function completing(answer: IssuerAnswer | undefined, script: Exchange[], known = store()) {
  const card = scriptedCard(script);
  const completion = await completeTransaction(card, known, answer);
  expect(card.left).toBe(0);
  return { completion, tvr: toHex(known.need('95')), known };
}

test('completeTransaction: authenticates an approval, then requests a TC (Book 3 §10.9, §10.11)', async () => {
  const { completion, tvr } = await completing(APPROVED, [
    ['008200000A11223344556677883030', '9000'],
    ['80AE400002303000', tc],
  ]);
  expect(completion).toEqual({ outcome: 'completed' });
  expect(tvr).toBe('0000008000');
});

test('completeTransaction: a failed issuer authentication sets the TVR, and the card refuses', async () => {
  const { completion, tvr } = await completing(APPROVED, [
    ['008200000A11223344556677883030', '6300'],
    ['80AE400002303000', aac],
  ]);
  expect(completion).toMatchObject({ outcome: 'refused' });
  expect(tvr).toBe('0000008040');
});

test('completeTransaction: no EXTERNAL AUTHENTICATE without the AIP bit (Book 3 §10.9)', async () => {
  const { completion } = await completing(
    APPROVED,
    [['80AE40000A1122334455667788303000', tc]],
    store({ '82': '3800', '8D': '910A' }),
  );
  expect(completion).toEqual({ outcome: 'completed' });
});

test('completeTransaction: sends the response codes of a decline and of an unreachable issuer', async () => {
  await completing({ outcome: 'declined', chip: { emv: '8A023035' } }, [['80AE000002303500', aac]]);
  await completing({ outcome: 'declined' }, [['80AE000002303500', aac]]);
  await completing(undefined, [['80AE0000025A3300', aac]]);
});

test('completeTransaction: an answer with malformed data keeps its outcome', async () => {
  await completing({ outcome: 'approved', chip: { emv: '8A05' } }, [['80AE400002303000', tc]]);
});

test('issuer scripts: sent before and after the second GENERATE AC, failures set the TVR (Book 3 §10.10)', async () => {
  const emv = '8A023030' + `7110 9F180400000001 86070084000002AABB`.replaceAll(' ', '') + '7206860400DA0000';
  const { completion, tvr, known } = await completing({ outcome: 'approved', chip: { emv } }, [
    ['0084000002AABB', '9000'],
    ['80AE400002303000', tc],
    ['00DA0000', '6A80'],
  ]);
  expect(completion).toEqual({ outcome: 'completed' });
  expect(tvr).toBe('0000008010');
  expect(toHex(known.need('9F5B'))).toBe('20000000011100000000');
  expect(toHex(known.need('9B'))).toBe('2400');
});

test('issuer scripts: a script ends at the first command that fails', async () => {
  const emv = '8A0230307110 8604AA000000 8604BB000000 8602CC00'.replaceAll(' ', '');
  const { tvr, known } = await completing({ outcome: 'approved', chip: { emv } }, [
    ['AA000000', '6283'],
    ['BB000000', '6985'],
    ['80AE400002303000', tc],
  ]);
  expect(tvr).toBe('0000008020');
  expect(toHex(known.need('9F5B'))).toBe('1200000000');
});
