import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findDriver } from '../../../agent/readers/drivers.ts';
import type { Reader } from '../../../agent/readers/reader.ts';
import { startHardwareTerminal } from '../../../cli/readers/hardware-terminal.ts';
import type { CommandContext } from '../../../cli/command-line/command-context.ts';
import { systemRandom } from '../../../protocol/ids.ts';

const CREDENTIALS = { clientId: 'tml', username: 'tml', password: 'secret' };
const KEYS = { scheme: 'AES', initialKeyId: '1234567890123456', initialKey: '00'.repeat(16) };

test('startHardwareTerminal: runs without a control link when the server refuses one, until it is closed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'real-terminal-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  let closed = 0;
  const reader: Reader = {
    name: 'of the test',
    authoriser: 'server',
    begin() {},
    awaitCard() {},
    awaitPin() {},
    verifyPin() {},
    end() {},
    close: async () => void (closed += 1),
  };
  const context = { random: systemRandom, interrupted: new AbortController().signal } as CommandContext;
  const started = startHardwareTerminal(context, {
    options: {
      mqtt: 'mqtt://127.0.0.1:1',
      url: 'http://127.0.0.1:1',
      logLevel: 'silent',
      logFormat: undefined,
      dataDir,
      allowAnyCard: false,
      allowRealTerminal: false,
    },
    api: {
      request: async (_, path) =>
        path === '/pairing/simulators'
          ? { status: 404, body: {} }
          : { status: 200, body: { ...CREDENTIALS, keys: KEYS } },
    },
    terminalId: 'tml_01J9Z6M1N2P3Q4R5S6T7V8W9XA',
    driver: {
      ...findDriver('pn532')!,
      load: async () => ({ createReader: () => reader, async *diagnose() {} }),
    },
    port: '/dev/null',
    onScreen() {},
    onPrinted() {},
    onOnline() {},
    onRefused() {},
  });
  const terminal = await started;
  expect(closed).toBe(0);
  await terminal!.close();
  expect(closed).toBe(1);
});
