import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { createCardTray, type Twin } from '../../../simulator/twins/twin.ts';
import { createTwin } from '../../../simulator/twins/zvt.twin.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { messagesIn } from '../../kit/zvt-messages.ts';

/** Longer than a card, its bank and two receipts take at the twin. */
const A_WHILE_MS = 5_000;

/**
 * A cash register of which every byte is written in the test, as other programs send them: it shares nothing
 * with the driver. It answers all that the twin sends with 80 00 00.
 */
export function rawCashRegister() {
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
  const tray = createCardTray();
  const path = 'tcp://192.0.2.1';
  let heard: string[] = [];
  const exchanged: { atMs: number; message: string }[] = [];
  let line: ReturnType<typeof bytePipe>[0];
  let twin: Twin;
  const note = (message: string) => exchanged.push({ atMs: clock.nowMs(), message });
  /** Opens a line to the same terminal; the one before ends. */
  const connect = () => {
    const [ours, theirs] = bytePipe({ clock, latencyMs: 1, path });
    line = ours;
    line.onData((bytes) => {
      for (const message of messagesIn(bytes)) {
        heard.push(message);
        note(message);
        if (/^8[04]/.test(message)) continue;
        note('800000');
        void line.write(Uint8Array.of(0x80, 0, 0));
      }
    });
    const port = { ...theirs, path };
    twin = createTwin({ port, clock, random: seededRandom('twin'), log: silentLog, tray });
  };
  connect();
  const fixture = {
    clock,
    tray,
    /** All that went over the line, both ways, in hexadecimal. */
    exchanged,
    get twin() {
      return twin;
    },
    present: (card: string) => tray.insert(createChipCard(card)!),
    /** Sends a command. @returns in hexadecimal all that the twin sent within `ms`. */
    async send(command: string, ms: number = A_WHILE_MS): Promise<string[]> {
      heard = [];
      note(command.replaceAll(' ', ''));
      await line.write(Buffer.from(command.replaceAll(' ', ''), 'hex'));
      await clock.advance(ms);
      return heard;
    },
    async reconnect() {
      await line.close();
      await clock.advance(100);
      connect();
    },
  };
  return fixture;
}

/** The bytes of a text in hexadecimal, as ASCII. */
export const ascii = (text: string): string => Buffer.from(text, 'ascii').toString('hex').toUpperCase();
