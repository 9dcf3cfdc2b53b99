import type { OpenPort } from '../../agent/readers/byte-port.ts';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { seededRandom } from '../../protocol/ids.ts';
import type { ChipCard } from '../../simulator/cards/chip-card.ts';
import { commandLog, LOG_OPTIONS } from '../log/command-log.ts';
import { command, required } from '../command-line/command.ts';
import type { PluggedTwin } from '../readers/plugged-twin.ts';
import { booleanOption, stringOption, integerOption } from '../command-line/option.ts';
import { TWIN_NAMES } from '../terminals/terminal-options.ts';
import { untilInterrupted, type Sink } from '../command-line/command-context.ts';
import { printLine } from '../command-line/output.ts';
import { controlNames, holdLink, runControl } from '../readers/twin-hand.ts';
import { PRINTER_OPTIONS } from '../readers/printer-options.ts';

/** A receipt printer, which takes no cards and has no driver. */
const PRINTER = 'escpos';
const DEVICES = [...TWIN_NAMES, PRINTER];

export const twin = command({
  name: 'twin',
  details:
    'Creates a pty, or with --tcp a TCP port, that behaves like the device: its protocol, timing and errors, with a simulated card in its field or slot. Any software for such a device can use it. While it runs, type `card NAME`, `remove`, or `help` for all commands. `escpos` is a receipt printer: it listens on TCP port 9100, shows the paper, and its paper, cover and drawer are worked by typing too.',
  parameters: { device: required(`Device: ${DEVICES.join(', ')}`) },
  options: {
    link: stringOption({
      flag: '--link <path>',
      description: 'Path of the serial line',
      defaultText: './ttyReader; for escpos none',
    }),
    tcp: integerOption(
      { min: 0, max: 65_535 },
      {
        flag: '--tcp <port>',
        description: 'Listen on this loopback port, as a network terminal does; 0 for any free port',
        defaultText: 'a serial line, or the port of a device that has none; 9100 for escpos without --link',
      },
    ),
    card: stringOption({
      flag: '--card <name>',
      description: 'Card in the reader, such as visa-contactless; `none` for none',
      defaultText: 'visa-contactless; visa-contact-pin for ccid',
    }),
    faults: stringOption({
      flag: '--faults <seed>',
      description:
        'Simulate noise, lost bytes, split frames, delays and an unplugged cable, or over TCP messages that are lost, late, doubled, split, damaged or cut off; the same seed gives the same faults',
      defaultText: 'no faults',
    }),
    ...PRINTER_OPTIONS,
    json: booleanOption('--json', 'Print what happens as lines of JSON, for programs (escpos)'),
    ...LOG_OPTIONS,
  },
  examples: [
    {
      line: 'tapbench twin pn532 --link ./ttyReader --card visa-contactless',
      description: 'simulates a contactless reader',
    },
    {
      line: 'tapbench twin ccid --card visa-contact-pin',
      description: 'simulates a contact reader with a chip and PIN card',
    },
    { line: 'tapbench twin zvt --tcp 20007', description: 'simulates a network payment terminal' },
    { line: 'tapbench twin caisse-ap --tcp 8888', description: 'simulates a French one' },
    {
      line: 'tapbench twin escpos --link ./ttyPrinter',
      description: 'simulates a receipt printer on a serial line',
    },
    {
      line: "tapbench twin escpos --tcp 9101 --out receipts --fault 'paper-out after cut 1'",
      description:
        'simulates one in the network, whose paper ends between two copies, and keeps its receipts as pictures',
    },
    {
      line: 'tapbench agent --driver pn532 --port ./ttyReader',
      description: 'runs a terminal that uses it',
    },
  ],
  async run({ context, args, options }) {
    if (args.device === PRINTER) {
      refuseOptions(PRINTER, { card: options.card });
      const { runPrinterTwin } = await import('../readers/printer-twin.ts');
      return runPrinterTwin(context, options);
    }
    const { columns, roll, nearEnd, drawerOpen, fault, out: folder, link = './ttyReader' } = options;
    const json = options.json || undefined;
    refuseOptions(args.device, { columns, roll, nearEnd, drawerOpen, fault: fault[0], out: folder, json });
    const [twins, ptys, trays, cards, wires, plugs] = await Promise.all([
      import('../../simulator/twins/twins.ts'),
      import('../../simulator/twins/pty.ts'),
      import('../../simulator/twins/twin.ts'),
      import('../readers/twin-card.ts'),
      import('../../simulator/twins/wire-faults.ts'),
      import('../readers/plugged-twin.ts'),
    ]);
    const { openWithWireFaults } = wires;
    const { plugInTwin } = plugs;
    const { createPty } = ptys;
    const row = twins.findTwin(args.device);
    if (!row) throw new Fault('bad_setting', `DEVICE must be one of: ${DEVICES.join(', ')}`);
    const { clock, random, keyboard, out } = context;
    if (row.networkPort !== undefined) refuseOptions(args.device, { link: options.link });
    if (options.tcp !== undefined && options.link !== undefined)
      throw new Fault('bad_setting', '--link is for serial lines: leave out --tcp');
    const tcp = options.tcp ?? row.networkPort;
    const cardNamed = (name: string) => cards.cardForTwin(row, name, { clock, random });
    const first = options.card ?? row.defaultCard;
    const tray = trays.createCardTray(first === 'none' ? undefined : cardNamed(first));
    const log = commandLog(context, options);
    const device = await row.load();
    const line = { ...row.line };
    const seed = options.faults;
    const twinRandom = seededRandom(`twin ${seed ?? ''}`);
    const parts = { ...device, clock, random: twinRandom, log, tray };
    const plugIn = async (): Promise<{ plugged: PluggedTwin; at: string }> => {
      if (tcp !== undefined) {
        if (!row.overTcp)
          throw new Fault('bad_setting', `--tcp is not available for ${row.name}, which has a serial line`);
        const { startTcpTwin } = await import('../readers/plugged-twin.ts');
        const plugged = await startTcpTwin({
          ...parts,
          port: tcp,
          manyConnections: row.manyConnections,
          ...(seed !== undefined && { fault: wires.messageFaultsOf(seed) }),
        });
        return { plugged, at: plugged.address };
      }
      const ptyAt: OpenPort = (settings) => createPty({ link, clock, ...settings });
      const open = seed === undefined ? ptyAt : openWithWireFaults(ptyAt, { clock, seed });
      return { plugged: await plugInTwin({ ...parts, open, line }), at: link };
    };
    const release = tcp === undefined ? await holdLink(link) : () => {};
    try {
      const { plugged, at } = await plugIn();
      out.write(
        `${row.title} at ${at}, ${tray.card?.name ?? 'no card'} present. Type help for the commands. Ctrl-C stops it.\n`,
      );
      const stop = keyboard.onLine((typed) => execute(typed, { out, plugged, cardNamed }));
      await untilInterrupted(context);
      stop();
      await plugged.close();
    } finally {
      release();
    }
  },
});

/** Refuses the options of another device. */
function refuseOptions(device: string, given: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new Fault('bad_setting', `${flag} is not available for ${device}: leave it out`);
  }
}

interface Hand {
  out: Sink;
  plugged: PluggedTwin;
  /** @throws Fault `bad_setting` for an unknown card, or one that the device cannot read. */
  cardNamed(name: string): ChipCard;
}

/** Runs a command that a person typed, or prints why it cannot. */
function execute(line: string, { out, plugged, cardNamed }: Hand): void {
  const { tray, controls } = plugged;
  const [word = '', argument] = line.trim().split(/\s+/);
  if (word === '') return;
  const said = () => printLine(out, `${tray.card?.name ?? 'no card'} present`);
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
      return printLine(out, messageOf(error));
    }
  }
  if (runControl(controls, { word, argument, out })) return;
  printLine(out, ['card NAME', 'remove', ...controlNames(controls)].join(', '));
}
