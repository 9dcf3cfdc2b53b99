import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSerialPort } from '../../../agent/readers/serial-port.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

const CUT = '\x1dV\x00';
const bytes = (text: string) => Buffer.from(text, 'latin1');

test('twin escpos: one printer on a serial line and a TCP port prints, replies on the line, and keeps its receipts', async () => {
  const folder = fixture.folder();
  const [link, out] = [join(folder, 'ttyPrinter'), join(folder, 'receipts')];
  const twin = fixture.command(['twin', 'escpos', '--tcp', '0', '--link', link, '--out', out]);
  await twin.prints(/Ctrl-C/);

  const port = await openSerialPort(link)({ baudRate: 9_600 });
  const replied = new Promise<Uint8Array>((resolve) => port.onData(resolve));
  await port.write(bytes(`line\n${CUT}\x10\x04\x01`));
  expect(Buffer.from(await replied).toString('hex')).toBe('16');
  await port.close();
  await twin.prints(/receipt 1, full cut/);

  const address = new URL(/tcp:\S+/.exec(twin.stdout)![0]);
  createConnection({ host: '127.0.0.1', port: Number(address.port) }).end(bytes(`network\n${CUT}`));
  await twin.prints(/receipt 2, full cut/);

  expect(await twin.kill('SIGINT')).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(join(out, 'receipt-0001.txt'), 'utf8')).toBe('line\n');
  expect(readFileSync(join(out, 'receipt-0002.txt'), 'utf8')).toBe('network\n');
});
