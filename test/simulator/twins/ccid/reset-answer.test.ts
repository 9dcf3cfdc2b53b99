import { expect, test } from 'vitest';
import { fromHex } from '../../../../protocol/emv/hex.ts';
import { protocolAfterReset } from '../../../../simulator/twins/ccid/slot.ts';

test.each([
  ['no TD1', '3B6A00008068544150424E4348', 0],
  ['TD1 offers T=0 first', '3B80800101', 0],
  ['TD1 offers T=1', '3B808131FE4500', 1],
  ['TD1 behind TA1, TB1 and TC1 offers T=1', '3BF01100FF8131FE4500', 1],
  ['TA2 insists on T=1 though TD1 offers T=0', '3BD0110010810000', 1],
  ['TA2 insists on T=0', '3B901191108100', 0],
  ['the answer ends before TD1', '3B80', 0],
])('protocolAfterReset: %s', (_, answer, protocol) => {
  expect(protocolAfterReset(fromHex(answer))).toBe(protocol);
});
