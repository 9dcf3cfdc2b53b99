import type { BytePort, LineSettings } from '../../../agent/readers/byte-port.ts';
import { Fault } from '../../../protocol/failures.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import type { ChipCard } from '../../../simulator/cards/chip-card.ts';
import { pacedPort } from '../../../simulator/twins/device-port.ts';
import { createCardTray, type Twin, type TwinParts } from '../../../simulator/twins/twin.ts';
import { openWithWireFaults, type WireFaults } from '../../../simulator/twins/wire-faults.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';

interface TwinLineParts {
  createTwin(parts: TwinParts): Twin;
  line: LineSettings;
  card?: ChipCard | undefined;
  faults?: { seed: string; faults?: WireFaults };
}

/** A twin at the end of a line in virtual time. Each opening finds the device as after power-up. */
export function twinLine({ createTwin, line, card, faults }: TwinLineParts) {
  const clock = new VirtualClock(0);
  const tray = createCardTray(card);
  const state = { plugged: true, opened: 0, device: undefined as BytePort | undefined };
  /** All bytes that the host has written. */
  const written: number[] = [];
  const openPlain = async () => {
    state.opened++;
    if (!state.plugged) throw new Fault('reader', 'the device is unplugged');
    const [host, device] = bytePipe({ clock });
    state.device = device;
    const port = pacedPort(device, { clock, line });
    createTwin({ port, clock, tray, random: seededRandom('twin'), log: silentLog });
    return {
      ...host,
      write: (bytes: Uint8Array) => {
        written.push(...bytes);
        return host.write(bytes);
      },
    };
  };
  return {
    clock,
    tray,
    state,
    written,
    open: faults ? openWithWireFaults(openPlain, { clock, ...faults }) : openPlain,
    unplug() {
      state.plugged = false;
      void state.device?.close();
    },
    plugIn: () => void (state.plugged = true),
    /** Advances the clock until `promise` settles. @throws when it does not within `limitMs`. */
    async within<T>(limitMs: number, promise: Promise<T>): Promise<T> {
      let settled = false;
      const settle = () => void (settled = true);
      promise.then(settle, settle);
      const endMs = clock.nowMs() + limitMs;
      await clock.advance(0);
      while (!settled) {
        const next = clock.due[0];
        if (next === undefined || next > endMs)
          throw new Error(`the promise did not settle within ${limitMs} ms`);
        await clock.advance(Math.max(next - clock.nowMs(), 0));
      }
      return promise;
    },
  };
}
