import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { askToStop, openStopPort, readRunningProcess } from '../../../cli/data-folder/stop-port.ts';
import { SystemClock } from '../../../protocol/clock.ts';

const KEY = 'a-key';
const LONG = { clock: new SystemClock(), timeoutMs: 20_000 };

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tapbench-stop-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** A program that is no Tapbench server. */
async function foreignProgram(onConnected: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => onConnected(socket.on('error', () => {}))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('stop port: the folder names the process for its owner alone, until the port is closed', async () => {
  const dataDir = folder();
  expect(readRunningProcess(dataDir)).toBeUndefined();
  const port = await openStopPort(dataDir, KEY);
  expect(readRunningProcess(dataDir)).toEqual({ pid: process.pid, port: expect.any(Number), key: KEY });
  expect(statSync(join(dataDir, 'process.json')).mode & 0o777).toBe(0o600);
  port.close();
  expect(existsSync(join(dataDir, 'process.json'))).toBe(false);
});

test.each(['another', '', 'a-key2', 'x'.repeat(10_000)])(
  'stop port: the key %s stops nothing, and is answered by nothing',
  async (key) => {
    const dataDir = folder();
    const port = await openStopPort(dataDir, KEY);
    onTestFinished(() => port.close());
    let asked = false;
    void port.asked.then(() => (asked = true));
    expect(await askToStop({ ...readRunningProcess(dataDir)!, key }, LONG)).toBe('absent');
    expect(asked).toBe(false);
  },
);

test('stop port: the key asks the process to stop, and who asks waits for its end', async () => {
  const dataDir = folder();
  const port = await openStopPort(dataDir, KEY);
  onTestFinished(() => port.close());
  // This process does not end.
  const outcome = askToStop(readRunningProcess(dataDir)!, { ...LONG, timeoutMs: 300 });
  await port.asked;
  expect(await outcome).toBe('timed_out');
});

test('askToStop: a port where nothing listens belongs to no process', async () => {
  const dataDir = folder();
  const port = await openStopPort(dataDir, KEY);
  const running = readRunningProcess(dataDir)!;
  port.close();
  expect(await askToStop(running, LONG)).toBe('absent');
});

test.each([
  ['replies something else', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'absent'],
  ['says nothing', '', 'silent'],
])('askToStop: another program on the port %s', async (_title, reply, outcome) => {
  const port = await foreignProgram((socket) => void (reply === '' ? socket.resume() : socket.write(reply)));
  const timeoutMs = reply === '' ? 300 : LONG.timeoutMs;
  expect(await askToStop({ port, key: KEY }, { ...LONG, timeoutMs })).toBe(outcome);
});

test.each(['', '{}', '[]', 'null', '{"pid":1,"port":0,"key":"a"}', '{"pid":1,"port":"80","key":"a"}'])(
  'readRunningProcess: a file with %s is refused by its path',
  (text) => {
    const dataDir = folder();
    const path = join(dataDir, 'process.json');
    writeFileSync(path, text);
    expect(() => readRunningProcess(dataDir)).toThrow(`${path} names no process`);
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);
