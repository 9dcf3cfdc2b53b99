import { expect, onTestFinished, test, vi } from 'vitest';
import { DEVICE_PROTECTION } from '../../kit/device-protection.ts';
import { driver } from '../../../agent/readers/nexo/nexo.driver.ts';
import type { ReaderEvent } from '../../../agent/readers/reader.ts';
import { openTlsPort } from '../../../agent/readers/tls-port.ts';
import { startTcpTwin } from '../../../cli/readers/plugged-twin.ts';
import { SystemClock } from '../../../protocol/clock.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { createCardTray } from '../../../simulator/twins/twin.ts';
import { createTwin } from '../../../simulator/twins/nexo.twin.ts';
import { REQUEST } from '../../agent/readers/till/scripted-line.ts';

const KEY = { passphrase: 'tapbench-local-passphrase', keyIdentifier: 'tapbench', keyVersion: 1 };

/** Pays at the twin over TLS, with these settings besides the name of the terminal. */
async function pays(settings: object, card: string): Promise<ReaderEvent[]> {
  const clock = new SystemClock();
  const random = seededRandom('nexo');
  const tray = createCardTray(createChipCard(card, { clock, random }));
  const parts = { clock, random, log: silentLog };
  const twin = await startTcpTwin({ ...parts, tray, createTwin, port: 0, manyConnections: true });
  onTestFinished(() => twin.close());
  const address = twin.address.replace('tcp:', 'tls:');
  const reader = driver.createReader({
    ...parts,
    open: openTlsPort(address, { port: 8_443, setTo: 'local communication' }, undefined),
    ...DEVICE_PROTECTION,
    countryCode: '0528',
    terminalSettings: { poiId: 'P400Plus-123456789', ...settings },
  });
  onTestFinished(() => reader.close());
  const events: ReaderEvent[] = [];
  reader.begin(REQUEST, (event) => {
    events.push(event);
    if (event.type === 'device.ready') reader.sendToDevice!();
  });
  reader.awaitCard();
  await vi.waitUntil(() => events.some(({ type }) => type !== 'device.ready'), { timeout: 25_000 });
  return events;
}

test.each([
  ['in clear', {}],
  ['encrypted', KEY],
])(
  'nexo twin over TLS: a payment is approved, %s',
  async (_, settings) => {
    const events = await pays(settings, 'visa-contactless');
    expect(events).toMatchObject([
      { type: 'device.ready' },
      { type: 'device.approved', card: { scheme: 'Visa' } },
    ]);
  },
  30_000,
);

test('nexo twin over TLS: another passphrase gets no payment', async () => {
  const events = await pays({ ...KEY, passphrase: 'another' }, 'visa-contactless');
  expect(events).toMatchObject([{ type: 'reader.failed', reason: expect.stringContaining('crypto error') }]);
}, 30_000);
