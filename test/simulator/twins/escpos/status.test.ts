import { expect, test } from 'vitest';
import type { PrinterState } from '../../../../protocol/receipt-printer.ts';
import { openPrinter } from './printer-fixture.ts';

const ALL = '100401 100402 100403 100404';

test.each<[PrinterState | 'ready', string, string]>([
  ['ready', '16121212', '1400000F'],
  ['near-end', '1612121E', '1400030F'],
  ['paper-out', '1E32127E', '1C000F0F'],
  ['cover-open', '1E161212', '3C00000F'],
  ['cutter-error', '1E521A12', '1C08000F'],
  ['mechanical-error', '1E521612', '1C04000F'],
  ['unrecoverable-error', '1E523212', '1C20000F'],
  ['head-hot', '1E525212', '1C40000F'],
])(
  'ESC/POS status: a printer that is %s answers DLE EOT 1 to 4, and reports its four bytes',
  async (state, now, automatic) => {
    const { printer, send, replies } = openPrinter();
    expect(await send('1D61FF')).toBe('1400000F');
    if (state !== 'ready') {
      printer.enter(state);
      expect(await replies()).toBe(automatic);
    }
    expect(await send(ALL)).toBe(now);
  },
);

test('ESC/POS status: an open drawer sets its pin low, or high with such a drawer', async () => {
  const { printer, send } = openPrinter();
  printer.setDrawer('open');
  expect(await send('100401 1D7202')).toBe('1200');
  const other = openPrinter({ settings: { drawerOpenPin: 'high' } });
  expect(await other.send('100401')).toBe('12');
  other.printer.setDrawer('open');
  expect(await other.send('100401 1D7232')).toBe('1601');
});

test('ESC/POS status: GS r tells of paper, and waits while the printer is offline', async () => {
  const { printer, send, replies } = openPrinter();
  expect(await send('1D7201 1D7231')).toBe('0000');
  printer.enter('near-end');
  expect(await send('1D7201')).toBe('03');
  printer.setCover('open');
  expect(await send('1D7201 100401')).toBe('1E');
  printer.setCover('closed');
  expect(await replies()).toBe('03');
});

test('ESC/POS status: reports the chosen changes by itself, and none once that is off', async () => {
  const { printer, send, replies } = openPrinter();
  await send('1D6101');
  printer.enter('near-end');
  printer.setDrawer('open');
  expect(await replies()).toBe('1000030F');
  expect(await send('1D6100')).toBe('');
  printer.setDrawer('closed');
  expect(await replies()).toBe('');
});

test('ESC/POS status: identifies itself, and repeats the four bytes of GS ( H once it has printed what was before', async () => {
  const { send, text } = openPrinter();
  expect(await send('1D4901 1D4902')).toBe('2002');
  expect(await send('1D4942')).toBe(`5F${Buffer.from('EPSON').toString('hex').toUpperCase()}00`);
  expect(await send('1D4943')).toBe(`5F${Buffer.from('TM-T88V').toString('hex').toUpperCase()}00`);
  expect(await send("'A' 0A 1D284806003030 31323334")).toBe('37223132333400');
  expect(text()).toBe('A\n');
});

test('ESC/POS status: names a request that there is not, and answers nothing', async () => {
  const { send, problems } = openPrinter();
  expect(await send('100409 1D7209 1D4909')).toBe('');
  expect(problems()).toEqual([
    '0: DLE EOT (status now): there is no status 9: no reply is sent',
    '3: GS r (status): there is no status 9: no reply is sent',
    '6: GS I (identification): there is no status 9: no reply is sent',
  ]);
});
