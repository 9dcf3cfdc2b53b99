import { expect, test } from 'vitest';
import { messageOf } from '../../../protocol/failures.ts';
import { pacedPort, portStream } from '../../../simulator/twins/device-port.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';

test('paced port: carries 960 bytes a second at 9600 baud, in each direction', async () => {
  const clock = new VirtualClock(0);
  const [host, device] = bytePipe({ clock, baudRate: 9600 });
  let heard = 0;
  let answered = 0;
  device.onData((bytes) => void (heard += bytes.length));
  host.onData((bytes) => void (answered += bytes.length));
  void host.write(new Uint8Array(960));
  void device.write(new Uint8Array(480));

  await clock.advance(500);
  expect(heard).toBeGreaterThan(440);
  expect(heard).toBeLessThanOrEqual(480);
  expect(answered).toBeGreaterThan(440);
  await clock.advance(500);
  expect(heard).toBe(960);
  expect(answered).toBe(480);
});

test('paced port: a new baud rate applies to later writes', async () => {
  const clock = new VirtualClock(0);
  const [near, device] = bytePipe({ clock });
  const host = pacedPort(near, { clock, line: { baudRate: 9_600 } });
  let heard = 0;
  device.onData((bytes) => void (heard += bytes.length));
  void host.write(new Uint8Array(96));
  await clock.advance(101);
  expect(heard).toBe(96);
  host.setBaudRate?.(115_200);
  void host.write(new Uint8Array(960));
  await clock.advance(85);
  expect(heard).toBe(96 + 960);
});

test('paced port: keeps the order of writes, and resolves a write when its last byte has passed', async () => {
  const clock = new VirtualClock(0);
  const [host, device] = bytePipe({ clock, baudRate: 115_200 });
  const heard: number[] = [];
  device.onData((bytes) => heard.push(...bytes));
  let writtenAtMs: number | undefined;
  void host.write(Uint8Array.from({ length: 100 }, (_, n) => n));
  void host.write(Uint8Array.of(100)).then(() => (writtenAtMs = clock.nowMs()));

  await clock.advance(20);
  expect(heard).toEqual(Array.from({ length: 101 }, (_, n) => n));
  // Clocks count whole milliseconds.
  expect(writtenAtMs).toBe(Math.ceil((101 * 10_000) / 115_200));
});

test('paced port: keeps bytes for the first listener, and closing one end closes the other', async () => {
  const clock = new VirtualClock(0);
  const [host, device] = bytePipe({ clock });
  await device.write(Uint8Array.of(1, 2));
  await clock.advance(1);
  const heard: number[] = [];
  host.onData((bytes) => heard.push(...bytes));
  expect(heard).toEqual([1, 2]);

  const reasons: string[] = [];
  host.onClose((reason) => reasons.push(reason));
  await device.close();
  await device.close();
  await clock.advance(1);
  expect(reasons).toEqual(['the other end hung up']);
  await expect(host.write(Uint8Array.of(3))).rejects.toThrow('pipe is closed');
});

test('paced port: a write rejects when the port closes first', async () => {
  const clock = new VirtualClock(0);
  const [host] = bytePipe({ clock, baudRate: 9600 });
  const written = host.write(new Uint8Array(960)).catch(messageOf);
  await clock.advance(100);
  await host.close();
  await clock.advance(1_000);
  expect(await written).toBe('pipe is closed');
});

test('stream of a port: what is written together arrives as one piece', async () => {
  const clock = new VirtualClock(0);
  const [host, device] = bytePipe({ clock });
  const pieces: string[] = [];
  host.onData((bytes) => void pieces.push(Buffer.from(bytes).toString()));
  const stream = portStream(device);
  stream.cork();
  for (const part of ['HTTP/1.1 200 OK', '\r\n\r\n', '{}']) stream.write(part);
  stream.uncork();
  await clock.advance(1);
  expect(pieces).toEqual(['HTTP/1.1 200 OK\r\n\r\n{}']);
});
