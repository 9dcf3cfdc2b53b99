import { Fault } from '../../protocol/failures.ts';
import { seededRandom } from '../../protocol/ids.ts';
import { createLog } from '../../protocol/log.ts';
import type { ChipCard } from '../../simulator/cards/chip-card.ts';
import type { Twin } from '../../simulator/twins/twin.ts';
import type { CardTray } from '../../simulator/twins/card-tray.ts';
import { command, needed } from '../command.ts';
import { SETTINGS } from '../config.ts';
import { text } from '../option.ts';
import { DRIVER_NAMES } from '../reader-options.ts';
import { untilInterrupted, type Sink } from '../surroundings.ts';

export const twin = command({
  name: 'twin',
  summary: 'Play a card reader at the end of a serial line',
  details:
    'Makes a pty that behaves as the device: its protocol, its pace, its errors, a simulated card in its field or slot. Whatever speaks to such a device can speak to it. While it runs, type `card NAME`, `remove`, or what `help` lists.',
  parameters: { device: needed(`Which device: ${DRIVER_NAMES.join(', ')}`) },
  options: {
    link: text({ flag: '--link <path>', meaning: 'Name of the line', fallback: './ttyReader' }),
    card: text({
      flag: '--card <name>',
      meaning: 'The card that lies there, such as visa-contactless; `none` for none',
      fallback: 'visa-contactless',
    }),
    faults: text({
      flag: '--faults <seed>',
      meaning: 'Noise, lost bytes, split frames, delays and an unplugged cable, the same for the same seed',
      otherwise: 'a good line',
    }),
    logLevel: SETTINGS.logLevel,
  },
  examples: [
    { line: 'tapbench twin pn532 --link ./ttyReader --card visa-contactless', does: 'a contactless reader' },
    { line: 'tapbench twin ccid --card visa-contact-pin', does: 'a contact reader with a chip and PIN card' },
    { line: 'tapbench agent --driver pn532 --port ./ttyReader', does: 'a terminal that takes cards with it' },
  ],
  async run({ around, words, options }) {
    const [{ twinNamed }, { createPty }, { createCardTray }, { chipCardNamed, CHIP_CARD_NAMES }] =
      await Promise.all([
        import('../../simulator/twins/twins.ts'),
        import('../../simulator/twins/pty.ts'),
        import('../../simulator/twins/card-tray.ts'),
        import('../../simulator/cards/chip-box.ts'),
      ]);
    const row = twinNamed(words.device);
    if (!row) throw new Fault('bad_setting', `DEVICE must be one of: ${DRIVER_NAMES.join(', ')}`);
    const { clock, random, keyboard, out } = around;
    const cardNamed = (name: string) => {
      const card = chipCardNamed(name, { clock, random });
      if (!card)
        throw new Fault('bad_setting', `--card must be none or one of: ${CHIP_CARD_NAMES.join(', ')}`);
      return card;
    };
    const tray = createCardTray(options.card === 'none' ? undefined : cardNamed(options.card));
    const log = createLog({ level: options.logLevel });
    const pty = await createPty({ link: options.link, baudRate: row.line.baudRate, clock });
    const port = options.faults === undefined ? pty : await faulty(pty, options.faults);
    const { createTwin } = await row.load();
    const device = createTwin({
      port,
      clock,
      random: seededRandom(`twin ${options.faults ?? ''}`),
      log,
      tray,
    });
    out.write(`${row.title} at ${options.link}, ${tray.card?.name ?? 'no card'} there. Control-C ends it.\n`);
    const stop = keyboard.onLine((line) => obey(line, { out, tray, device, cardNamed }));
    try {
      await untilInterrupted(around);
    } finally {
      stop();
      await device.close();
      await port.close();
    }

    async function faulty(line: typeof pty, seed: string) {
      const { withWireFaults } = await import('../../simulator/twins/wire-faults.ts');
      return withWireFaults(line, { clock, seed });
    }
  },
});

interface Hand {
  out: Sink;
  tray: CardTray;
  device: Twin;
  /** @throws Fault `bad_setting` for a name that is no card's. */
  cardNamed(name: string): ChipCard;
}

/** Does what a person typed, or says why not. */
function obey(line: string, { out, tray, device, cardNamed }: Hand): void {
  const [word = '', argument] = line.trim().split(/\s+/);
  if (word === '') return;
  if (word === 'remove') return tray.remove();
  if (word === 'card') {
    try {
      return tray.insert(cardNamed(argument ?? ''));
    } catch (error) {
      return out.write(`${(error as Error).message}\n`);
    }
  }
  const control = device.controls[word];
  if (control) return control(argument);
  out.write(
    `card NAME, remove${Object.keys(device.controls)
      .map((name) => `, ${name}`)
      .join('')}\n`,
  );
}
