import { expect, test } from 'vitest';
import { registration } from '../../../../agent/readers/zvt/commands.ts';
import { encodeApdu } from '../../../../agent/readers/zvt/frame.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';

const bytes = (textBlocks: boolean) => toHex(encodeApdu(registration({ columns: 32, textBlocks })));
const expected = (hex: string) => toHex(fromHex(hex));

test('registration: requests print lines over a serial line, config byte BE, code page 437, tag 26 without 06 D3', () => {
  expect(bytes(false)).toBe(
    expected(
      '06 00 24 000000 BE 0978 06 1C 12 01 32 14 01 FF 26 14 0A02040F 0A0204FF 0A02060F 0A02061E 0A0206D1',
    ),
  );
});

test('registration: requests text blocks over TCP, config byte BE, 06 D3 in tag 26', () => {
  expect(bytes(true)).toBe(
    expected(
      '06 00 28 000000 BE 0978 06 20 12 01 32 14 01 FF 26 18 0A02040F 0A0204FF 0A02060F 0A02061E 0A0206D1 0A0206D3',
    ),
  );
});
