import { DEVICE_PROTECTION } from '../../../kit/device-protection.ts';
import type { CheckResult, DriverModule, DriverParts } from '../../../../agent/readers/driver.ts';
import type { CardRequest, DeviceReversal, ReaderEvent } from '../../../../agent/readers/reader.ts';
import { seededRandom } from '../../../../protocol/ids.ts';
import { silentLog } from '../../../../protocol/log.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';
import { bytePipe } from '../../../../simulator/twins/byte-pipe.ts';
import { ACTION_ID } from '../../agent-fixture.ts';

/** A connection to the scripted terminal. */
interface Line {
  /** Number of the connection, from 1. */
  number: number;
  /** Sends bytes to the till. */
  say(bytes: string | Uint8Array): void;
  hangUp(): void;
}

/** Called with the bytes that the till sends, in the pieces in which it sends them. */
export type Script = (bytes: Buffer, line: Line) => void;

/**
 * A terminal at the other end of a line that does what a test says. It shares no code with the drivers and the twins.
 */
export function scriptedLine(script: Script, more: Partial<DriverParts> & { path?: string } = {}) {
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
  const reversals: DeviceReversal[] = [];
  const held = new Set<DeviceReversal>();
  const heard: Buffer[] = [];
  let connections = 0;
  const { path = 'tcp://192.0.2.1', ...others } = more;
  const parts: DriverParts = {
    async open() {
      const [ours, device] = bytePipe({ clock, latencyMs: 1, path });
      const line: Line = {
        number: ++connections,
        say: (bytes) => void device.write(Buffer.from(bytes)).catch(() => {}),
        hangUp: () => void device.close(),
      };
      device.onData((bytes) => {
        heard.push(Buffer.from(bytes));
        script(Buffer.from(bytes), line);
      });
      return ours;
    },
    clock,
    random: seededRandom('driver'),
    log: silentLog,
    ...DEVICE_PROTECTION,
    countryCode: '0250',
    allowRealTerminal: true,
    onReversal: (reversal) => void reversals.push(reversal),
    holdReversal(reversal) {
      held.add(reversal);
      return () => void held.delete(reversal);
    },
    ...others,
  };
  return { clock, parts, heard, reversals, held, text: () => heard.map((bytes) => bytes.toString('latin1')) };
}

export const REQUEST: CardRequest = {
  actionId: ACTION_ID,
  type: 'Payment',
  amountMinor: 2500,
  currency: 'EUR',
};

/** Starts an action at a reader as a terminal does: the request is sent once the reader is ready. */
export function startAction(
  driver: DriverModule,
  fixture: ReturnType<typeof scriptedLine>,
  request: CardRequest = REQUEST,
) {
  const reader = driver.createReader(fixture.parts);
  const events: ReaderEvent[] = [];
  const begin = (next: CardRequest) => {
    reader.begin(next, (event) => {
      events.push(event);
      if (event.type === 'device.ready') reader.sendToDevice?.();
    });
    reader.awaitCard();
  };
  begin(request);
  return { reader, events, begin };
}

/** Runs the checks of `tapbench doctor`. */
export async function diagnosisOf(driver: DriverModule, fixture: ReturnType<typeof scriptedLine>) {
  const steps: CheckResult[] = [];
  const run = (async () => {
    for await (const step of driver.diagnose(fixture.parts)) steps.push(step);
  })();
  await fixture.clock.advance(60_000);
  await run;
  return steps;
}
