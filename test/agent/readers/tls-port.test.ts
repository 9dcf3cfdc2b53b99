import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { openTlsPort } from '../../../agent/readers/tls-port.ts';

const SETTINGS = { port: 8_443, setTo: 'local communication' };
const LINE = { baudRate: 9_600 };

/** A certificate with this common name that signs itself. */
function certificateFor(name: string): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-terminal-'));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-subj', `/CN=${name}`, '-out', cert, '-keyout', key], {
    stdio: 'ignore',
  });
  const made = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
}

/** A terminal that sends back what it receives. */
async function terminalNamed(name: string) {
  const made = certificateFor(name);
  const server = createServer(made, (socket) => {
    socket.on('error', () => {});
    socket.pipe(socket);
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return { path: `tls://127.0.0.1:${(server.address() as AddressInfo).port}`, ca: made.cert };
}

test.each([
  'P400Plus-123456789.test.terminal.adyen.com',
  'legacy-terminal-certificate.live.terminal.adyen.com',
])('TLS port: trusts %s, whatever the address', async (name) => {
  const { path, ca } = await terminalNamed(name);
  const port = await openTlsPort(path, SETTINGS, ca)(LINE);
  const heard = new Promise<Uint8Array>((resolve) => port.onData(resolve));
  await port.write(Uint8Array.of(1, 2));
  expect([...(await heard)]).toEqual([1, 2]);
  expect(port.isLocal).toBe(true);
  await port.close();
});

test.each(['localhost', 'P400Plus-123456789.test.terminal.adyen.com.example', 'x.test.terminal.adyen.com'])(
  'TLS port: does not trust %s',
  async (name) => {
    const { path, ca } = await terminalNamed(name);
    await expect(openTlsPort(path, SETTINGS, ca)(LINE)).rejects.toThrow('has not the name of a terminal');
  },
);

test('TLS port: does not trust the certificate of another authority, and without one only this machine', async () => {
  const name = 'P400Plus-123456789.test.terminal.adyen.com';
  const { path } = await terminalNamed(name);
  await expect(openTlsPort(path, SETTINGS, certificateFor(name).cert)(LINE)).rejects.toThrow('does not open');
  const port = await openTlsPort(path, SETTINGS, undefined)(LINE);
  await port.close();
  expect(() => openTlsPort('tls://', SETTINGS, undefined)).toThrow('is not an address like');
});
