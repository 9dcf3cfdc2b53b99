import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openTcpPort } from '../../../agent/readers/tcp-port.ts';

const LINE = { baudRate: 9_600 };
const ZVT = { port: 20_007, setTo: 'ZVT over TCP' };

/** A TCP server that echoes what it receives. */
async function echo() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.pipe(socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    path: `tcp://127.0.0.1:${port}`,
    hangUp: () => sockets.forEach((socket) => socket.end()),
    close: () => new Promise((closed) => server.close(closed)),
  };
}

test('TCP port: writes and receives bytes, and reports its close once', async () => {
  const terminal = await echo();
  const port = await openTcpPort(terminal.path, ZVT)(LINE);
  expect(port.isLocal).toBe(true);
  const heard = new Promise<Uint8Array>((resolve) => port.onData(resolve));
  const reasons: string[] = [];
  port.onClose((reason) => reasons.push(reason));
  await port.write(Uint8Array.of(0x80, 0x00, 0x00));
  expect([...(await heard)]).toEqual([0x80, 0x00, 0x00]);
  await port.close();
  await port.close();
  expect(reasons).toEqual(['closed']);
  await expect(port.write(Uint8Array.of(1))).rejects.toThrow('closed');
  await terminal.close();
});

test('TCP port: closes when the terminal closes the connection', async () => {
  const terminal = await echo();
  const port = await openTcpPort(terminal.path, ZVT)(LINE);
  const ended = new Promise<string>((resolve) => port.onClose(resolve));
  const heard = new Promise<Uint8Array>((resolve) => port.onData(resolve));
  await port.write(Uint8Array.of(1));
  await heard;
  terminal.hangUp();
  expect(await ended).toBe('the terminal closed the connection');
  await terminal.close();
});

test('openTcpPort: rejects with advice when nothing listens, and throws at once for an invalid address', async () => {
  const terminal = await echo();
  await terminal.close();
  await expect(openTcpPort(terminal.path, ZVT)(LINE)).rejects.toThrow('set to ZVT over TCP');
  expect(() => openTcpPort('tcp://', ZVT)).toThrow('is not an address like');
  expect(() => openTcpPort('/dev/ttyUSB0', ZVT)).toThrow('is not an address like');
});
