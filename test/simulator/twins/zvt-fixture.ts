import type { BytePort } from '../../../agent/readers/byte-port.ts';
import { DEVICE_PROTECTION } from '../../kit/device-protection.ts';
import type { PendingReversalStore } from '../../../agent/readers/pending-reversal-store.ts';
import type { DriverParts } from '../../../agent/readers/driver.ts';
import type { CardRequest, DeviceReversal, Reader, ReaderEvent } from '../../../agent/readers/reader.ts';
import { driver } from '../../../agent/readers/zvt/zvt.driver.ts';
import { Fault } from '../../../protocol/failures.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { createCardTray, type Twin } from '../../../simulator/twins/twin.ts';
import { openWithWireFaults } from '../../../simulator/twins/wire-faults.ts';
import { createTwin } from '../../../simulator/twins/zvt.twin.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';

export const ACTION_ID = 'tmlact_00000000000000000000000001_00000000000000000000000001';

/** Wraps both ends of the connection, to change bytes. */
type Cable = (driverEnd: BytePort, twinEnd: BytePort) => [BytePort, BytePort];

interface ZvtFixtureParts {
  /** Path of the port; `tcp://...` uses no blocks. */
  path?: string;
  cable?: Cable;
  allowRealTerminal?: boolean;
  /** Stores pending reversals across agents. */
  pendingReversals?: PendingReversalStore;
  /** A bad line, by seed: noise, lost and changed bytes, delays, unplugging. */
  badLine?: string;
}

/** Driver and twin in one process, in virtual time; the twin can be unplugged. */
export function createZvtFixture({ path = 'cable', cable, badLine, ...more }: ZvtFixtureParts = {}) {
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
  const tray = createCardTray();
  const facts: ReaderEvent[] = [];
  const reversals: DeviceReversal[] = [];
  let twin: Twin | undefined;
  let twinEnd: BytePort | undefined;
  let plugged = true;

  const open = async (): Promise<BytePort> => {
    if (!plugged) throw new Fault('reader', `${path} is not there`);
    const ends = bytePipe({ clock, latencyMs: 1, path });
    const [driverSide, twinSide] = cable ? cable(...ends) : ends;
    twinEnd = twinSide;
    twin = createTwin({
      port: isTcp(path) ? { ...twinSide, path } : twinSide,
      clock,
      random: seededRandom('twin'),
      log: silentLog,
      tray,
    });
    return driverSide;
  };
  const parts: DriverParts = {
    open: badLine === undefined ? open : openWithWireFaults(open, { clock, seed: badLine }),
    clock,
    random: seededRandom('driver'),
    log: silentLog,
    ...DEVICE_PROTECTION,
    countryCode: '0276',
    onReversal: (reversal) => void reversals.push(reversal),
    ...more,
  };
  const reader: Reader = driver.createReader(parts);
  const fixture = {
    clock,
    tray,
    facts,
    /** What the driver reported of reversals that it started by itself. */
    reversals,
    reader,
    parts,
    /** The twin of the current connection. */
    get twin(): Twin {
      return twin!;
    },
    start(change: Partial<CardRequest> = {}): CardRequest {
      const request: CardRequest = {
        actionId: ACTION_ID,
        type: 'Payment',
        amountMinor: 1742,
        currency: 'EUR',
        ...change,
      };
      reader.begin(request, (fact) => facts.push(fact));
      reader.awaitCard();
      return request;
    },
    present: (card: string) => tray.insert(createChipCard(card)!),
    /** The last event. */
    get last(): ReaderEvent | undefined {
      return facts.at(-1);
    },
    async unplug() {
      plugged = false;
      await twinEnd!.close();
    },
    plugIn: () => void (plugged = true),
  };
  return fixture;
}

function isTcp(path: string): boolean {
  return path.startsWith('tcp://');
}
