import type { FrameParser } from '../../../agent/readers/frame-channel.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import type { ChipCard } from '../../../simulator/cards/chip-card.ts';
import { createCardTray } from '../../../simulator/twins/card-tray.ts';
import type { Twin, TwinParts } from '../../../simulator/twins/twin.ts';
import { bytePipe } from '../../kit/byte-pipe.ts';
import { VirtualClock } from '../../kit/virtual-clock.ts';

/** A twin at the end of a cable, and what it says to bytes that a test writes. */
export function talkTo<F>(
  createTwin: (parts: TwinParts) => Twin,
  parser: FrameParser<F>,
  show: (frame: F) => string,
  card?: ChipCard,
) {
  const clock = new VirtualClock(0);
  const [host, device] = bytePipe({ clock });
  const tray = createCardTray(card);
  const twin = createTwin({ port: device, clock, tray, random: seededRandom('twin'), log: silentLog });
  let heard: string[] = [];
  host.onData((bytes) => heard.push(...parser.push(bytes).map(show)));
  const listen = async (forMs: number) => {
    await clock.advance(forMs);
    const frames = heard;
    heard = [];
    return frames;
  };
  return {
    clock,
    tray,
    twin,
    host,
    listen,
    /** Writes bytes and returns what comes within `forMs`. */
    async say(bytes: Uint8Array | string, forMs: number = 400): Promise<string[]> {
      await host.write(typeof bytes === 'string' ? fromHex(bytes) : bytes);
      return listen(forMs);
    },
  };
}
