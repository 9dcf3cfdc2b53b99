import { expect, test } from 'vitest';
import { acceptAnyCard } from '../../../agent/readers/card-policy.ts';
import type { CheckResult, DriverParts } from '../../../agent/readers/driver.ts';
import { DRIVERS } from '../../../agent/readers/drivers.ts';
import { after } from '../../../protocol/clock.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';
import { Fault } from '../../../protocol/failures.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { ACTION_ID } from '../agent-fixture.ts';

/** Bytes that a device, or noise, may send again and again without an answer among them. */
const CHATTER = {
  'FF: a request for more time in CCID': 'FF',
  '80, the least of those': '80',
  'an acknowledgement of a PN532': '0000FF00FF00',
  'a corrupt frame of a PN532': '0000FF03FDD503000000',
  'an intermediate status of a ZVT terminal over TCP': '04FF010A',
  'a block of a ZVT terminal on a serial line': '100204FF010A1003C0E5',
  'a request of a ViVOtech2 reader': '5669564F7465636832006102000000000000',
  'a ViVOtech2 frame that says that it works': '5669564F7465636832006063000000000FF0E0',
  'a corrupt CCID message': '0306810000000000000000',
};
const EVERY_MS = [1_000, 300, 20];

// Five minutes is the longest transaction of a reader; a payment terminal has ten.
const LONGEST_MS = 11 * 60_000;

const LINES = DRIVERS.filter((row) => !row.overPcsc).flatMap((row) =>
  Object.entries(CHATTER).flatMap(([what, bytes]) =>
    EVERY_MS.map((everyMs) => ({ row, driver: row.name, what, bytes, everyMs })),
  ),
);

function chattyParts(bytes: string, everyMs: number): { clock: VirtualClock; parts: DriverParts } {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5, 9));
  const parts: DriverParts = {
    async open() {
      const [ours, device] = bytePipe({ clock, latencyMs: 1, path: 'chatty' });
      let isOpen = true;
      ours.onClose(() => (isOpen = false));
      const chatter = () => {
        if (!isOpen) return;
        void device.write(fromHex(bytes)).catch(() => {});
        after(clock, everyMs, chatter);
      };
      chatter();
      return ours;
    },
    clock,
    random: seededRandom('chatty'),
    log: silentLog,
    pinPad: { requestPin: async () => undefined, onCancel() {} },
    protection: {
      transaction: () => {
        throw new Fault('internal', 'no card is read');
      },
    },
    cards: acceptAnyCard,
    countryCode: '0826',
    allowRealTerminal: true,
    terminalSettings: { poiId: 'P400Plus-123456789' },
  };
  return { clock, parts };
}

test.each(LINES)(
  '$driver: diagnose ends on a line with $what every $everyMs ms',
  async ({ row, bytes, everyMs }) => {
    const { clock, parts } = chattyParts(bytes, everyMs);
    const { diagnose } = await row.load();
    const findings: CheckResult[] = [];
    let ended = false;
    void (async () => {
      for await (const finding of diagnose(parts)) findings.push(finding);
      ended = true;
    })();
    await clock.advance(LONGEST_MS);
    expect([ended, findings.at(-1)?.ok]).toEqual([true, false]);
  },
);

test.each(LINES)(
  '$driver: a reader closes at once on a line with $what every $everyMs ms',
  async ({ row, bytes, everyMs }) => {
    const { clock, parts } = chattyParts(bytes, everyMs);
    const { createReader } = await row.load();
    const reader = createReader(parts);
    reader.begin({ actionId: ACTION_ID, type: 'Payment', amountMinor: 100, currency: 'GBP' }, () => {});
    reader.awaitCard();
    await clock.advance(2_000);
    reader.end();
    let closed = false;
    void reader.close().then(() => (closed = true));
    await clock.advance(1_000);
    expect(closed).toBe(true);
  },
);
