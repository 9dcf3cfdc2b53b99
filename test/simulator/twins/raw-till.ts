import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { memoryOf } from '../../../simulator/twins/stand-alone/journal.ts';
import { createCardTray, type Twin, type TwinModule } from '../../../simulator/twins/twin.ts';
import { bytePipe } from '../../../simulator/twins/byte-pipe.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';

/** Longer than a card and its bank take at the terminal. */
const A_WHILE_MS = 5_000;

/** What the till hears: bytes in hexadecimal with their time, or that the line was closed. */
interface Heard {
  atMs: number;
  hex: string;
}

/** A till of which every byte is written in the test, at the twin of a stand-alone terminal, in virtual time. */
export function rawTill({ createTwin, controlsOf }: TwinModule, path = 'tcp://192.0.2.1') {
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
  const tray = createCardTray();
  const heard: Heard[] = [];
  let line: ReturnType<typeof bytePipe>[0];
  let twin: Twin | undefined;
  let answer: (heard: string) => string | undefined = () => undefined;

  const connect = () => {
    const [ours, theirs] = bytePipe({ clock, latencyMs: 1, path });
    line = ours;
    line.onData((bytes) => {
      const hex = Buffer.from(bytes).toString('hex');
      heard.push({ atMs: clock.nowMs(), hex });
      const back = answer(hex);
      if (back !== undefined) void line.write(Buffer.from(back, 'hex'));
    });
    line.onClose(() => heard.push({ atMs: clock.nowMs(), hex: 'closed' }));
    twin = createTwin({
      port: { ...theirs, path },
      clock,
      random: seededRandom('twin'),
      log: silentLog,
      tray,
    });
  };
  const till = {
    clock,
    tray,
    memory: memoryOf(tray),
    heard,
    connect,
    present: (card: string) => tray.insert(createChipCard(card)!),
    control: (name: string, argument?: string) => (controlsOf?.(tray) ?? twin!.controls)[name]!.run(argument),
    /** Answers what it hears, such as an acknowledgement to a message. */
    onHear: (react: typeof answer) => void (answer = react),
    /** Sends bytes in hexadecimal. @returns what it heard within `ms`, in hexadecimal. */
    async send(hex: string, ms: number = A_WHILE_MS): Promise<string[]> {
      const before = heard.length;
      await line.write(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
      await clock.advance(ms);
      return heard.slice(before).map((one) => one.hex);
    },
    close: () => line.close(),
  };
  connect();
  return till;
}

/** The bytes of a text in hexadecimal. */
export const hexOf = (text: string): string => Buffer.from(text, 'latin1').toString('hex');
/** The text of bytes in hexadecimal. */
export const textOf = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1');
