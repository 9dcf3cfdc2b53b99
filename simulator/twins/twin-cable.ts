import type { BytePort } from '../../agent/readers/byte-port.ts';
import { Fault } from '../../protocol/failures.ts';
import { bytePipe } from './byte-pipe.ts';
import type { Twin, TwinEntry, TwinModule, TwinParts } from './twin.ts';

interface TwinCableParts extends Omit<TwinParts, 'port'>, TwinModule, Pick<TwinEntry, 'line'> {
  /** Whether it is reached in a network, where bytes are not paced. */
  inNetwork: boolean;
}

/** A cable of this process, with a twin at its end. */
export interface TwinCable {
  /** Connects. The device is a new twin, with what its tray remembers. @throws Fault `reader` while it is unplugged. */
  open(): Promise<BytePort>;
  /** The device of the last connection. */
  readonly twin: Twin | undefined;
  /** What a person can do at the device, also while nothing is connected where it has a memory. */
  readonly controls: Twin['controls'];
  unplug(): Promise<void>;
  plugIn(): void;
}

/** Lays a cable to a twin, which is powered by it. */
export function layTwinCable({
  inNetwork,
  line,
  createTwin,
  controlsOf,
  ...parts
}: TwinCableParts): TwinCable {
  const { clock, tray } = parts;
  let plugged = true;
  let twin: Twin | undefined;
  let end: BytePort | undefined;
  return {
    async open() {
      if (!plugged) throw new Fault('reader', 'no such port');
      const pace = inNetwork ? { path: 'tcp://127.0.0.1' } : { baudRate: line.baudRate };
      const [ours, device] = bytePipe({ clock, ...pace });
      end = device;
      twin = createTwin({ ...parts, port: device });
      return { ...ours, isLocal: true };
    },
    get twin() {
      return twin;
    },
    get controls() {
      return controlsOf?.(tray) ?? twin?.controls ?? {};
    },
    async unplug() {
      plugged = false;
      await twin?.close();
      await end?.close();
    },
    plugIn: () => void (plugged = true),
  };
}
