import { join } from 'node:path';
import { Fault } from '../../protocol/failures.ts';
import type { FleetActivity } from '../../simulator/fleet.ts';
import {
  brokerOption,
  CARDHOLDER_OPTIONS,
  parseCardholder,
  portOption,
  READER_OPTIONS,
} from '../terminals/terminal-options.ts';
import { CLIENT_OPTIONS } from '../client/api-client.ts';
import { commandLog, LOG_OPTIONS } from '../log/command-log.ts';
import { command } from '../command-line/command.ts';
import { formatTime } from '../log/activity-printer.ts';
import { stringOption, booleanOption } from '../command-line/option.ts';
import { RECEIPT_PRINTER_OPTIONS } from '../readers/receipt-printer-options.ts';
import { runWithReader } from '../readers/run-with-reader.ts';
import { coloured, printJsonLine } from '../command-line/output.ts';
import { brokerWait, createRefusedTerminals, endAgent } from '../terminals/refused-terminals.ts';
import { claimTerminal, takeOver, resolveTerminal } from '../terminals/terminal-claim.ts';
import { untilInterrupted, type CommandContext } from '../command-line/command-context.ts';

export const agent = command({
  name: 'agent',
  details:
    'Pairs the terminal with the secret key, which revokes its earlier credentials, or uses the credentials that `tapbench pair --out` wrote. A terminal that is online is refused without --take-over, which ends the process that ran it. The journal is in DATA_DIR/terminals, so an interrupted action resumes at the next start. Prints the display. With --port the terminal has a real reader, or a twin, which is tested first as by `tapbench doctor`. Without --terminal a terminal is registered for it. Receipts are printed here, or at the receipt printer of --printer, which keeps its own paper, and a PIN is read from the keyboard.',
  parameters: {},
  options: {
    terminal: stringOption({
      flag: '--terminal <id>',
      description: 'Id or serial number',
      defaultText: 'the only terminal, or the one of --credentials',
    }),
    credentials: stringOption({
      flag: '--credentials <file>',
      description: 'File with MQTT credentials, instead of pairing',
    }),
    device: stringOption({
      flag: '--device <model>',
      description: 'Device model, such as pocket-reader',
      defaultValue: 'pax-a920-pro',
    }),
    ...CARDHOLDER_OPTIONS,
    takeOver,
    port: portOption,
    ...READER_OPTIONS,
    ...RECEIPT_PRINTER_OPTIONS,
    allowAnyCard: booleanOption('--allow-any-card', 'Accept cards outside the published test ranges'),
    mqtt: brokerOption,
    brokerWait,
    ...LOG_OPTIONS,
    ...CLIENT_OPTIONS,
  },
  examples: [
    {
      line: 'tapbench agent --terminal 1853012345',
      description: 'simulates that terminal; its cardholder taps',
    },
    {
      line: 'tapbench agent --credentials till-2.json --url http://10.0.0.5:8080',
      description: 'on another machine',
    },
    { line: 'tapbench agent --driver pn532 --port /dev/ttyUSB0', description: 'takes cards with a reader' },
    {
      line: 'tapbench agent --terminal 1853012345 --printer tcp://192.168.1.50',
      description: 'prints its receipts at a receipt printer in the network',
    },
  ],
  async run({ context, options }) {
    const { port } = options;
    if (port !== undefined) return runWithReader(context, { ...options, port });
    if (options.driver !== undefined) throw new Fault('bad_setting', '--driver requires --port');
    const [{ startRemoteFleet }, { fileJournal }, { DEVICE_NAMES, deviceNamed }, printing] =
      await Promise.all([
        import('../terminals/remote-fleet.ts'),
        import('../../agent/lifecycle/action-journal.ts'),
        import('../../simulator/profiles/device-profile.ts'),
        import('../readers/receipt-printer.ts'),
      ]);
    const device = deviceNamed(options.device);
    if (!device) throw new Fault('bad_setting', `--device must be one of: ${DEVICE_NAMES.join(', ')}`);
    const cardholder = await parseCardholder(options);
    const printer = await printing.chooseReceiptPrinter(context, options);
    const { terminalId, api } = await resolveTerminal(context, options);
    const log = commandLog(context, options);
    const claim = await claimTerminal(context, { terminalId, api, options, log });
    if (!claim) return;
    const refusals = createRefusedTerminals(context, { options, api: claim.api, end: endAgent });
    const fleet = startRemoteFleet(context, {
      options,
      api: refusals.api,
      cardholder,
      createPrinter: printer?.create,
      journalFor: (id) => fileJournal(join(options.dataDir, 'terminals', `${id}.json`), { sync: true }),
      onActivity(activity) {
        if (activity.what === 'refused') refusals.refused(terminalId, activity.reason);
        if (activity.what === 'online') refusals.online(terminalId);
        printScreen(context, activity, options.json);
      },
    });
    try {
      await fleet.add({ terminalId, deviceType: device.deviceType });
      await Promise.race([untilInterrupted(context), refusals.failed]);
    } finally {
      refusals.close();
      await fleet.close();
      await printer?.close();
      claim.release();
    }
  },
});

function printScreen({ out, clock }: CommandContext, activity: FleetActivity, asJson: boolean): void {
  if (activity.what !== 'screen') return;
  const { terminalId, lines } = activity;
  if (asJson) return printJsonLine(out, { terminalId, screen: lines });
  out.write(`${coloured(out, 'dim', formatTime(clock.nowMs()))}  ${lines.filter(Boolean).join(' | ')}\n`);
}
