import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort } from '../kit/free-port.ts';

test('freePort: returns each port once', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  expect(new Set(ports).size).toBe(50);
});

/** Claims as another process of tests does, and prints whether it could. */
const CLAIM = `
const server = require('node:net').createServer().listen({ path: '\\0tapbench-test-port-' + process.argv[1] });
server.on('listening', () => { console.log('claimed'); server.close(); });
server.on('error', ({ code }) => console.log(code));
`;

test('freePort: no other process can claim the port', async () => {
  const port = await freePort();
  const claim = async (wanted: number) =>
    (await promisify(execFile)(process.execPath, ['-e', CLAIM, String(wanted)])).stdout.trim();
  expect(await claim(port)).not.toBe('claimed');
});
