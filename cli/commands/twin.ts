import { resolve } from 'node:path';
import type { OpenPort } from '../../agent/readers/byte-port.ts';
import { Fault } from '../../protocol/failures.ts';
import { seededRandom } from '../../protocol/ids.ts';
import type { ChipCard } from '../../simulator/cards/chip-card.ts';
import { commandLog, LOG_OPTIONS } from '../command-log.ts';
import { command, required } from '../command.ts';
import type { PluggedTwin } from '../plugged-twin.ts';
import { stringOption, integerOption } from '../option.ts';
import { DRIVER_NAMES } from '../reader-options.ts';
import { acquireLock } from '../process-lock.ts';
import { untilInterrupted, type Sink } from '../command-context.ts';

export const twin = command({
  name: 'twin',
  summary: 'Play a card reader at the end of a serial line',
  details:
    'Makes a pty, or with --tcp a TCP port, that behaves as the device: its protocol, its pace, its errors, a simulated card in its field or slot. Whatever speaks to such a device can speak to it. While it runs, type `card NAME`, `remove`, or what `help` lists.',
  parameters: { device: required(`Which device: ${DRIVER_NAMES.join(', ')}`) },
  options: {
    link: stringOption({
      flag: '--link <path>',
      description: 'Name of the line',
      defaultValue: './ttyReader',
    }),
    tcp: integerOption(
      { min: 0, max: 65_535 },
      {
        flag: '--tcp <port>',
        description:
          'Listen on this port of the loopback address, as a terminal in the network does; 0 for any (zvt)',
        defaultText: 'a serial line',
      },
    ),
    card: stringOption({
      flag: '--card <name>',
      description: 'The card that lies there, such as visa-contactless; `none` for none',
      defaultText: 'visa-contactless; visa-contact-pin for ccid',
    }),
    faults: stringOption({
      flag: '--faults <seed>',
      description:
        'Noise, lost bytes, split frames, delays and an unplugged cable, the same for the same seed',
      defaultText: 'a good line',
    }),
    ...LOG_OPTIONS,
  },
  examples: [
    {
      line: 'tapbench twin pn532 --link ./ttyReader --card visa-contactless',
      description: 'a contactless reader',
    },
    {
      line: 'tapbench twin ccid --card visa-contact-pin',
      description: 'a contact reader with a chip and PIN card',
    },
    { line: 'tapbench twin zvt --tcp 20007', description: 'a payment terminal in the network' },
    {
      line: 'tapbench agent --driver pn532 --port ./ttyReader',
      description: 'a terminal that takes cards with it',
    },
  ],
  async run({ context, args, options }) {
    const [twins, ptys, trays, cards, wires, plugs] = await Promise.all([
      import('../../simulator/twins/twins.ts'),
      import('../../simulator/twins/pty.ts'),
      import('../../simulator/twins/card-tray.ts'),
      import('../twin-card.ts'),
      import('../../simulator/twins/wire-faults.ts'),
      import('../plugged-twin.ts'),
    ]);
    const { openWithWireFaults } = wires;
    const { plugInTwin } = plugs;
    const { createPty } = ptys;
    const row = twins.twinNamed(args.device);
    if (!row) throw new Fault('bad_setting', `DEVICE must be one of: ${DRIVER_NAMES.join(', ')}`);
    const { clock, random, keyboard, out } = context;
    const cardNamed = (name: string) => cards.cardForTwin(row, name, { clock, random });
    const first = options.card ?? row.defaultCard;
    const tray = trays.createCardTray(first === 'none' ? undefined : cardNamed(first));
    const log = commandLog(context, options);
    const { createTwin } = await row.load();
    const line = { ...row.line };
    const seed = options.faults;
    const twinRandom = seededRandom(`twin ${seed ?? ''}`);
    const device = { createTwin, clock, random: twinRandom, log, tray };
    const plugIn = async (): Promise<{ plugged: PluggedTwin; at: string }> => {
      if (options.tcp !== undefined) {
        if (!row.overTcp)
          throw new Fault('bad_setting', `--tcp is not for ${row.name}: it has a serial line`);
        if (seed !== undefined)
          throw new Fault('bad_setting', '--faults makes a serial line bad: leave out --tcp');
        const { startTcpTwin } = await import('../tcp-twin.ts');
        const plugged = await startTcpTwin({ ...device, port: options.tcp });
        return { plugged, at: plugged.address };
      }
      const ptyAt: OpenPort = (settings) => createPty({ link: options.link, clock, ...settings });
      const open = seed === undefined ? ptyAt : openWithWireFaults(ptyAt, { clock, seed });
      return { plugged: await plugInTwin({ ...device, open, line }), at: options.link };
    };
    const release = options.tcp === undefined ? await holdLink(options.link) : () => {};
    try {
      const { plugged, at } = await plugIn();
      out.write(
        `${row.title} at ${at}, ${tray.card?.name ?? 'no card'} there. Type help for what you can do. Control-C ends it.\n`,
      );
      const stop = keyboard.onLine((typed) => obey(typed, { out, plugged, cardNamed }));
      await untilInterrupted(context);
      stop();
      await plugged.close();
    } finally {
      release();
    }
  },
});

/** Also while the cable is out and the link is gone, the name stays with the twin that has it. */
function holdLink(link: string): Promise<() => void> {
  return acquireLock(
    `${resolve(link)}.lock`,
    `another twin is running at ${link}: stop it, or choose another name with --link`,
  );
}

interface Hand {
  out: Sink;
  plugged: PluggedTwin;
  /** @throws Fault `bad_setting` for a name that is no card's, or a card that the device cannot read. */
  cardNamed(name: string): ChipCard;
}

/** Does what a person typed, or says why not. */
function obey(line: string, { out, plugged, cardNamed }: Hand): void {
  const { tray, device } = plugged;
  const [word = '', argument] = line.trim().split(/\s+/);
  if (word === '') return;
  const said = () => out.write(`${tray.card?.name ?? 'no card'} there\n`);
  if (word === 'remove') {
    tray.remove();
    return said();
  }
  if (word === 'card') {
    if (argument === undefined) return out.write('card NAME: which card?\n');
    try {
      tray.insert(cardNamed(argument));
      return said();
    } catch (error) {
      return out.write(`${(error as Error).message}\n`);
    }
  }
  const controls = device?.controls ?? {};
  const control = controls[word];
  if (control) return control.run(argument);
  const others = Object.entries(controls).map(([name, { argument: named }]) =>
    [name, named].filter(Boolean).join(' '),
  );
  out.write(`${['card NAME', 'remove', ...others].join(', ')}\n`);
}
