import type { LineSettings, OpenPort } from '../../agent/readers/byte-port.ts';
import { after, type Clock } from '../../protocol/clock.ts';
import type { CardTray, Twin, TwinParts } from '../../simulator/twins/twin.ts';

const TRY_AGAIN_MS = 250;

export interface PluggedTwinParts extends Omit<TwinParts, 'port'> {
  open: OpenPort;
  line: LineSettings;
  createTwin(parts: TwinParts): Twin;
}

/** A twin on a line. It is created again each time the line comes back after an unplug. */
export interface PluggedTwin {
  readonly tray: CardTray;
  /** The current device; undefined while unplugged. */
  readonly device: Twin | undefined;
  close(): Promise<void>;
}

/** Opens the line and creates the twin on it. @throws Fault when the line cannot be opened the first time. */
export async function plugInTwin(parts: PluggedTwinParts): Promise<PluggedTwin> {
  const { open, line, createTwin, clock } = parts;
  let device: Twin | undefined;
  let closed = false;
  const plugIn = async (): Promise<void> => {
    const port = await open(line);
    device = createTwin({ ...parts, port });
    port.onClose(() => {
      device = undefined;
      if (!closed) again(clock);
    });
  };
  const again = (on: Clock) =>
    after(on, TRY_AGAIN_MS, () => {
      if (!closed) plugIn().catch(() => again(on));
    });
  await plugIn();
  return {
    tray: parts.tray,
    get device() {
      return device;
    },
    async close() {
      closed = true;
      await device?.close();
    },
  };
}
