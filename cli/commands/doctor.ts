import { Fault } from '../../protocol/failures.ts';
import { VERSION } from '../../protocol/version.ts';
import { commandLog, LOG_OPTIONS } from '../log/command-log.ts';
import { command, EXIT, required } from '../command-line/command.ts';
import { coloured, json, printJsonLine } from '../command-line/output.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { booleanOption, type Values } from '../command-line/option.ts';
import type { ExaminedStep } from '../readers/examine-reader.ts';
import { PRINTER_LINE_OPTIONS, refusePrinterOptions } from '../readers/receipt-printer-options.ts';
import { READER_OPTIONS } from '../terminals/terminal-options.ts';

/** First step of every driver. Which driver is right shows after it. */
const OPENING = 'open the port';

const OPTIONS = {
  driver: READER_OPTIONS.driver,
  terminalSettings: READER_OPTIONS.terminalSettings,
  printer: booleanOption(
    '--printer',
    'The device is a receipt printer (ESC/POS): its state is read, and a test page is printed',
  ),
  ...PRINTER_LINE_OPTIONS,
  ...LOG_OPTIONS,
  json,
};

export const doctor = command({
  name: 'doctor',
  details:
    'Takes no payment and reads no card number. Stops after the first step that fails, and names the other drivers that may fit. With --json the first line has the versions and the platform, and each step the bytes on the line, without cardholder data, so that the output can be attached to a report.',
  parameters: { port: required('Serial port, tcp://host:port or tls://host:port') },
  options: OPTIONS,
  examples: [
    {
      line: 'tapbench doctor /dev/ttyUSB0 --driver pn532',
      description: 'opens the port, wakes the reader, reads its version',
    },
    {
      line: 'tapbench doctor tcp://192.168.1.50 --printer',
      description: 'reads the state of a receipt printer, and prints a test page',
    },
  ],
  exitCodes: { [EXIT.failed]: 'a step failed, or an invalid setting' },
  async run({ context, args, options }) {
    const { out } = context;
    const { driver, findings, others } = options.printer
      ? await examinationOfPrinter(context, args.port, options)
      : await examinationOfReader(context, args.port, options);
    if (options.json) printJsonLine(out, environment(driver));
    let healthy = true;
    for await (const { frames, ...finding } of findings) {
      if (context.interrupted.aborted) return EXIT.interrupted;
      healthy &&= finding.ok;
      const otherDrivers = finding.ok ? [] : await others();
      if (options.json) {
        printJsonLine(out, { ...finding, ...(!finding.ok && { otherDrivers }), frames });
        continue;
      }
      const mark = finding.ok ? coloured(out, 'green', 'ok  ') : coloured(out, 'red', 'FAIL');
      out.write(`${mark}  ${finding.step}: ${finding.detail}\n`);
      if (finding.advice) out.write(`      ${finding.advice}\n`);
      if (otherDrivers.length > 0 && finding.step !== OPENING)
        out.write(`      if it is another device: --driver ${otherDrivers.join(', --driver ')}\n`);
    }
    return healthy ? EXIT.ok : EXIT.failed;
  },
});

/** What is examined, its steps, and the drivers that may fit instead. */
interface Examination {
  driver: string;
  findings: AsyncIterable<ExaminedStep>;
  others(): Promise<string[]>;
}

type DoctorOptions = Values<typeof OPTIONS>;

async function examinationOfReader(
  context: CommandContext,
  port: string,
  { printer: _none, ...options }: DoctorOptions,
): Promise<Examination> {
  refusePrinterOptions(options);
  const [{ chooseDriver, otherDrivers }, { readTerminalSettings }, { diagnoseReader }] = await Promise.all([
    import('../readers/reader-port.ts'),
    import('../readers/terminal-settings.ts'),
    import('../readers/examine-reader.ts'),
  ]);
  const row = await chooseDriver(options.driver, port);
  const findings = diagnoseReader(context, row, port, {
    log: commandLog(context, options),
    settings: readTerminalSettings(row, options.terminalSettings),
  });
  const others = async () => (await otherDrivers(row, port)).map(({ name }) => name);
  return { driver: row.name, findings, others };
}

async function examinationOfPrinter(
  context: CommandContext,
  port: string,
  options: DoctorOptions,
): Promise<Examination> {
  const { driver, terminalSettings } = options;
  if (driver !== undefined || terminalSettings !== undefined) {
    const flag = driver === undefined ? '--terminal-settings' : '--driver';
    throw new Fault('bad_setting', `${flag} is for a reader, not for a --printer: leave it out`);
  }
  const { examinePrinter } = await import('../readers/examine-printer.ts');
  return { driver: 'escpos', findings: examinePrinter(context, port, options), others: async () => [] };
}

/** Where the examination runs, in the shape of a step. */
function environment(driver: string) {
  const { platform, arch, version } = process;
  const detail = `tapbench ${VERSION}, Node.js ${version}, ${platform} ${arch}, driver ${driver}`;
  return { step: 'environment', ok: true, detail, tapbench: VERSION, node: version, platform, arch, driver };
}
