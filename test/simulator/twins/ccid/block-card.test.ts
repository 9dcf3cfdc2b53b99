import { expect, test } from 'vitest';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { readBlock, writeBlock } from '../../../../simulator/twins/ccid/block-card.ts';

// S(IFS request) for a field of 254 bytes, and an I-block with a SELECT command: NAD, PCB, LEN, INF, LRC.
const IFS_REQUEST = '00C101FE3E';
const SELECT = '00400500A4040000E5';

test('readBlock: returns protocol control byte and information field of a whole block', () => {
  expect(readBlock(fromHex(IFS_REQUEST))).toEqual({ pcb: 0xc1, inf: fromHex('FE') });
  expect(readBlock(fromHex(SELECT))).toEqual({ pcb: 0x40, inf: fromHex('00A4040000') });
  expect(readBlock(fromHex('00800080'))).toEqual({ pcb: 0x80, inf: fromHex('') });
});

test('readBlock: returns undefined for a wrong check, a wrong length and too few bytes', () => {
  for (const bytes of ['00C101FE3F', '00C102FE3D', '00C101FE003E', '0080', '']) {
    expect(readBlock(fromHex(bytes))).toBeUndefined();
  }
});

test('writeBlock: puts node address and length before and the exclusive or behind', () => {
  expect(toHex(writeBlock({ pcb: 0xe1, inf: fromHex('FE') }))).toBe('00E101FE1E');
  expect(toHex(writeBlock({ pcb: 0x00, inf: fromHex('9000') }))).toBe('000002900092');
  expect(toHex(writeBlock({ pcb: 0x90, inf: fromHex('') }))).toBe('00900090');
});
