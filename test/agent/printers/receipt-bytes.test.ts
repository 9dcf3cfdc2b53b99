import { expect, test } from 'vitest';
import { receiptBytes } from '../../../agent/printers/receipt-bytes.ts';
import { CODE_PAGE_NUMBERS, type PrinterCodePage } from '../../../agent/printers/printer-code-pages.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import { keysOf } from '../../../protocol/tables.ts';

const hexOf = (text: string, columns = 32, codePage: 'cp437' | 'cp858' = 'cp858') =>
  toHex(receiptBytes(text, { columns, codePage }));

test('receipt bytes: set the printer up and print each line', () => {
  expect(hexOf('SALE\n\n17.42 €')).toBe(
    ['1B40', '1C2E', '1B7413', '53414C450A', '0A', '31372E343220D50A'].join(''),
  );
});

test('receipt bytes: a receipt is in the middle of wider paper, and a long line is broken', () => {
  const rowsAt = (columns: number, text: string) =>
    Buffer.from(receiptBytes(text, { columns, codePage: 'cp437' }).slice(7))
      .toString('latin1')
      .split('\n');
  expect(rowsAt(48, 'SALE')).toEqual([`${' '.repeat(8)}SALE`, '']);
  expect(rowsAt(48, `${'x'.repeat(40)}\nSALE`)).toEqual([`    ${'x'.repeat(40)}`, '    SALE', '']);
  expect(rowsAt(32, 'x'.repeat(70))).toEqual(['x'.repeat(32), 'x'.repeat(32), 'x'.repeat(6), '']);
});

/** The bytes of a line that fills the paper. */
function lineOf(text: string, codePage: PrinterCodePage): Buffer {
  return Buffer.from(receiptBytes(text, { columns: 96, codePage })).subarray(7 + 32, -1);
}

test('receipt bytes: instructions in a text are not carried out', () => {
  const shop = 'Shop\u001bp\u0000\u0032\u0032 \u001dV\u0000\u0010\u0004\u0001\u007f\u009b!';
  expect(lineOf(shop, 'cp437').toString('latin1')).toBe('Shopp22 V!');
});

test('receipt bytes: letters that the code page does not have lose their accents, or are question marks', () => {
  expect(lineOf('Żabka Čeština', 'cp437').toString('latin1')).toBe('Zabka Cestina');
  expect(lineOf('€5? 日本 🍕', 'cp437').toString('latin1')).toBe('?5? ?? ?');
  expect(lineOf('Cafe\u0301', 'cp858').toString('hex')).toBe('43616682');
});

test.each(keysOf(CODE_PAGE_NUMBERS))('receipt bytes: code page %s prints ASCII as it is', (page) => {
  const ascii = String.fromCharCode(...Array.from({ length: 0x5e }, (_, index) => 0x21 + index));
  const bytes = receiptBytes(ascii, { columns: 96, codePage: page });
  expect(Buffer.from(bytes).toString('latin1')).toContain(ascii);
});
