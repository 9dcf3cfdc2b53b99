import type { FrameParser } from '../../../agent/readers/frame-channel.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import type { ChipCard } from '../../../simulator/cards/chip-card.ts';
import { createCardTray, type Twin, type TwinParts } from '../../../simulator/twins/twin.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';

/** A twin and its connection, with which a test writes bytes and receives frames. */
export function connectToTwin<F>(
  createTwin: (parts: TwinParts) => Twin,
  parser: FrameParser<F>,
  show: (frame: F) => string,
  card?: ChipCard,
) {
  const clock = new VirtualClock(0);
  const [host, device] = bytePipe({ clock });
  const tray = createCardTray(card);
  const twin = createTwin({ port: device, clock, tray, random: seededRandom('twin'), log: silentLog });
  let received: string[] = [];
  host.onData((bytes) => received.push(...parser.push(bytes).map(show)));
  const receive = async (forMs: number) => {
    await clock.advance(forMs);
    const frames = received;
    received = [];
    return frames;
  };
  return {
    clock,
    tray,
    twin,
    host,
    receive,
    /** Writes bytes and returns the frames received within `forMs`. */
    async send(bytes: Uint8Array | string, forMs: number = 400): Promise<string[]> {
      await host.write(typeof bytes === 'string' ? fromHex(bytes) : bytes);
      return receive(forMs);
    },
  };
}
