import { existsSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSerialPort } from '../../../agent/readers/serial-port.ts';
import { SystemClock } from '../../../protocol/clock.ts';
import { messageOf } from '../../../protocol/failures.ts';
import { createPty } from '../../../simulator/twins/pty.ts';

let folder: string;
const clock = new SystemClock();
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'pty-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

// Every value that a line discipline might touch: XON, XOFF, carriage return, line feed, interrupt, end of file.
const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, n) => n);

for (const maker of ['koffi', 'socat'] as const) {
  test(`pty: one made by ${maker} is a serial port that changes no byte, under its link's name`, async () => {
    const link = join(folder, 'ttyReader');
    const pty = await createPty({ clock, link, maker, baudRate: 115_200 });
    expect(pty.path).toBe(link);
    expect(readlinkSync(link)).toBe(pty.device);
    const open = openSerialPort(link);
    for (let round = 0; round < 2; round++) {
      const port = await open({ baudRate: 115_200 });
      expect(await exchange(port, pty)).toEqual(EVERY_BYTE);
      expect(await exchange(pty, port)).toEqual(EVERY_BYTE);
      expect(await open({ baudRate: 115_200 }).catch(messageOf)).toContain('is in use by another program');
      await port.close();
    }
    await pty.close();
    expect(existsSync(link)).toBe(false);
    expect(await open({ baudRate: 115_200 }).catch(messageOf)).toContain(`there is no port ${link}`);
  });

  test(`pty: a program notices that one made by ${maker} is gone`, async () => {
    const pty = await createPty({ clock, maker });
    const port = await openSerialPort(pty.path)({ baudRate: 9600 });
    const gone = new Promise<string>((resolve) => port.onClose(resolve));
    await pty.close();
    expect(await gone).not.toBe('');
    expect(await port.write(Uint8Array.of(1)).catch(messageOf)).toContain(pty.path);
  });
}

test('pty: a link is taken over from an ended twin, and nothing else is overwritten', async () => {
  const link = join(folder, 'ttyReader');
  const first = await createPty({ clock, link });
  const second = await createPty({ clock, link });
  await first.close();
  expect(readlinkSync(link)).toBe(second.device);
  await second.close();
  const file = join(folder, 'notes');
  writeFileSync(file, 'mine');
  expect(await createPty({ clock, link: file }).catch(messageOf)).toContain('is no link to a line');
  const reader = join(folder, 'ttyUSB0');
  symlinkSync('/dev/null', reader);
  expect(await createPty({ clock, link: reader }).catch(messageOf)).toContain('is no link to a line');
  expect(readlinkSync(reader)).toBe('/dev/null');
  expect(await createPty({ clock, link: join(folder, 'no', 'folder') }).catch(messageOf)).toContain(
    'cannot be made',
  );
});

test('pty: a path that is no serial port is refused with a reason', async () => {
  const file = join(folder, 'notes');
  writeFileSync(file, 'mine');
  expect(await openSerialPort(file)({ baudRate: 9600 }).catch(messageOf)).toContain('is no serial port');
});

interface Talker {
  write(bytes: Uint8Array): Promise<void>;
  onData(listener: (bytes: Uint8Array) => void): void;
}

/** What `to` hears of every byte that `from` writes. */
async function exchange(from: Talker, to: Talker): Promise<Uint8Array> {
  const heard: number[] = [];
  const all = new Promise<void>((resolve) =>
    to.onData((bytes) => {
      heard.push(...bytes);
      if (heard.length >= EVERY_BYTE.length) resolve();
    }),
  );
  await from.write(EVERY_BYTE);
  await all;
  return Uint8Array.from(heard);
}
