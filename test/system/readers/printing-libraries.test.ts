import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../kit/http-call.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { installOutside } from './outside-program.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let load: (name: string) => Json;
beforeAll(async () => {
  load = await installOutside(fixture, 'node-thermal-printer', '@point-of-sale/receipt-printer-encoder');
});

/** Starts the twin of a receipt printer. */
async function startPrinter(...args: string[]) {
  const twin = fixture.command(['twin', 'escpos', '--tcp', '0', ...args]);
  const [address, port] = await twin.prints(/tcp:\/\/127\.0\.0\.1:(\d+)/);
  return { twin, address, port: Number(port) };
}

test('printing libraries: node-thermal-printer finds the printer, prints text, a table, codes and cuts', async () => {
  const { twin, address } = await startPrinter();
  const { printer: Printer, types } = load('node-thermal-printer');
  const printer = new Printer({
    type: types.EPSON,
    interface: address,
    width: 48,
    characterSet: 'PC858_EURO',
  });
  expect(await printer.isPrinterConnected()).toBe(true);
  printer.alignCenter();
  printer.println('The Corner Shop');
  printer.alignLeft();
  printer.leftRight('Coffee', '12,50 €');
  printer.printQR('https://shop.example/1');
  printer.code128('TB-12345');
  printer.cut();
  await printer.execute();
  await twin.prints(/full cut/);
  expect(twin.stdout).toContain('The Corner Shop');
  expect(twin.stdout).toMatch(/Coffee +12,50 €/);
  expect(twin.stdout).toContain('[QR: https://shop.example/1]');
  expect(twin.stdout).toContain('[CODE128: TB-12345]');
});

test('printing libraries: what receipt-printer-encoder makes is printed as it means it', async () => {
  const { twin, port } = await startPrinter();
  const Encoder = load('@point-of-sale/receipt-printer-encoder');
  const bytes = new Encoder({ language: 'esc-pos', columns: 48 })
    .initialize()
    .align('center')
    .bold(true)
    .line('The Corner Shop')
    .bold(false)
    .align('left')
    .codepage('auto')
    .line('café 12,50 €')
    .qrcode('https://shop.example/2')
    .barcode('3130630574613', 'ean13', 60)
    .cut()
    .encode();
  const line = connect({ host: '127.0.0.1', port });
  line.end(bytes);
  await once(line, 'close');
  await twin.prints(/full cut/);
  for (const text of [
    'The Corner Shop',
    'café 12,50 €',
    '[QR: https://shop.example/2]',
    '[EAN-13: 3130630574613]',
  ])
    expect(twin.stdout).toContain(text);
});

/** Asks for the paper as node-thermal-printer does, and returns the byte that is answered. */
async function paperAt(address: string): Promise<number[]> {
  const { printer: Printer, types } = load('node-thermal-printer');
  const printer = new Printer({ type: types.EPSON, interface: address, options: { timeout: 2_000 } });
  await printer.getStatus();
  const status: Uint8Array = await printer.execute({ waitForResponse: true });
  return [...status];
}

test('printing libraries: node-thermal-printer is told how much paper there is, and not while there is none', async () => {
  const [full, ending, empty] = [
    await startPrinter(),
    await startPrinter('--roll', '30'),
    await startPrinter('--roll', '0'),
  ];
  expect(await paperAt(full.address)).toEqual([0x00]);
  expect(await paperAt(ending.address)).toEqual([0x03]);
  // The question waits with what is to be printed.
  await expect(paperAt(empty.address)).rejects.toThrow('Socket timeout');
});
