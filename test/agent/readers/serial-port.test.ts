import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listSysfsPorts } from '../../../agent/readers/serial-port.ts';

let sys: string;
beforeEach(() => (sys = mkdtempSync(join(tmpdir(), 'sys-'))));
afterEach(() => rmSync(sys, { recursive: true }));

test('listSysfsPorts: lists USB ports with the ids of their device, and no others', async () => {
  const usb = join(sys, 'devices', 'usb1', '1-2');
  const port = join(usb, '1-2:1.0', 'ttyUSB0');
  mkdirSync(port, { recursive: true });
  writeFileSync(join(usb, 'idVendor'), '1a86\n');
  writeFileSync(join(usb, 'idProduct'), '7523\n');
  for (const name of ['ttyUSB0', 'ttyS0', 'ttyUSB7']) mkdirSync(join(sys, 'tty', name), { recursive: true });
  symlinkSync(port, join(sys, 'tty', 'ttyUSB0', 'device'));
  expect(await listSysfsPorts(join(sys, 'tty'))).toEqual([
    {
      path: '/dev/ttyUSB0',
      vendorId: '1a86',
      productId: '7523',
      manufacturer: undefined,
      serialNumber: undefined,
    },
  ]);
  expect(await listSysfsPorts(join(sys, 'nothing'))).toEqual([]);
});
