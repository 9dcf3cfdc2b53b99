import { Fault } from '../../protocol/failures.ts';
import { VERSION } from '../../protocol/version.ts';
import { commandLog, LOG_OPTIONS } from '../log/command-log.ts';
import type { CheckResult } from '../../agent/readers/driver.ts';
import { command, EXIT, optional } from '../command-line/command.ts';
import { coloured, json, printJson, printJsonLine, printLine } from '../command-line/output.ts';
import type { CommandContext, Sink } from '../command-line/command-context.ts';
import { booleanOption, stringOption, type Values } from '../command-line/option.ts';
import type { ExaminationRecord } from '../readers/examination/save-examination.ts';
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
  save: stringOption({ flag: '--save <file>', description: 'File for what was found, to send in' }),
  replay: stringOption({ flag: '--replay <file>', description: 'File of --save to run the driver against' }),
  ...LOG_OPTIONS,
  json,
};

export const doctor = command({
  name: 'doctor',
  details:
    'Takes no payment and reads no card number. Stops after the first step that fails, and names the other drivers that may fit. With --json the first line has the versions and the platform, and each step the bytes on the line, without cardholder data, so that the output can be attached to a report. --save writes a file to send in, with versions, steps, times and masked bytes, also when a step fails. --replay runs the driver against such a file, without a device, and says where it differs.',
  parameters: {
    port: optional('Serial port, tcp://host:port, tls://host:port or pcsc:NAME; none with --replay'),
  },
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
    {
      line: 'tapbench doctor --replay pn532.json',
      description: 'runs the driver against a file of --save; prints "identical", or where it differs',
    },
  ],
  exitCodes: {
    [EXIT.failed]: 'a step failed, the replay differs or played nothing, or an invalid setting',
  },
  async run({ context, args: { port }, options }) {
    if (options.replay !== undefined) {
      if (port !== undefined || options.save !== undefined)
        throw new Fault('bad_setting', '--replay needs no port, and saves nothing');
      return replaySaved(context, options.replay, options.json);
    }
    if (port === undefined) throw new Fault('bad_setting', 'the port is missing');
    return examine(context, port, options);
  },
});

async function examine(context: CommandContext, port: string, options: DoctorOptions): Promise<number> {
  const { out } = context;
  const { driver, findings, others, record } = options.printer
    ? await examinationOfPrinter(context, port, options)
    : await examinationOfReader(context, port, options);
  if (options.json) printJsonLine(out, environment(driver));
  let healthy = true;
  for await (const { frames, ...finding } of findings) {
    if (context.interrupted.aborted) return EXIT.interrupted;
    record?.addStep(finding);
    healthy &&= finding.ok;
    const otherDrivers = finding.ok ? [] : await others();
    if (options.json) {
      printJsonLine(out, { ...finding, ...(!finding.ok && { otherDrivers }), frames });
      continue;
    }
    printStep(out, finding);
    if (otherDrivers.length > 0 && finding.step !== OPENING)
      out.write(`      if it is another device: --driver ${otherDrivers.join(', --driver ')}\n`);
  }
  if (record && options.save !== undefined) {
    record.write(options.save);
    printLine(context.err, `saved to ${options.save}: 'tapbench doctor --replay ${options.save}' plays it`);
  }
  return healthy ? EXIT.ok : EXIT.failed;
}

function printStep(out: Sink, { ok, step, detail, advice }: CheckResult): void {
  const mark = ok ? coloured(out, 'green', 'ok  ') : coloured(out, 'red', 'FAIL');
  printLine(out, `${mark}  ${step}: ${detail}`);
  if (advice) printLine(out, `      ${advice}`);
}

/** Runs a driver against a file of --save. Only a replay that played something can be identical. */
async function replaySaved({ out }: CommandContext, file: string, asJson: boolean): Promise<number> {
  const [{ readExamination }, { replayExamination }] = await Promise.all([
    import('../readers/examination/saved-examination.ts'),
    import('../readers/examination/replay-examination.ts'),
  ]);
  const saved = readExamination(file);
  const { steps, outcome, played, notCompared, differences } = await replayExamination(saved);
  const exit = outcome === 'identical' ? EXIT.ok : EXIT.failed;
  if (asJson) {
    printJson(out, { outcome, played, differences, notCompared, steps });
    return exit;
  }
  printLine(out, `${saved.driver} at ${saved.port}, ${saved.platform}, tapbench ${saved.tapbench}`);
  for (const step of steps) printStep(out, step);
  if (outcome === 'nothingPlayed')
    printLine(out, 'nothing was played: the device of the file answered nothing');
  else if (outcome === 'identical') printLine(out, `identical: ${steps.length} steps, ${played} answers`);
  else printLine(out, `differs, after ${played} answers:`);
  if (notCompared !== undefined)
    printLine(out, `not compared: '${notCompared}' and what follows, whose answer has hidden bytes`);
  for (const { what, recorded, replayed } of differences)
    for (const line of [what, `  recorded  ${recorded}`, `  replayed  ${replayed}`]) printLine(out, line);
  return exit;
}

/** What is examined, its steps, and the drivers that may fit instead. */
interface Examination {
  driver: string;
  findings: AsyncIterable<ExaminedStep>;
  others(): Promise<string[]>;
  /** With --save. */
  record?: ExaminationRecord | undefined;
}

type DoctorOptions = Values<typeof OPTIONS>;

async function examinationOfReader(
  context: CommandContext,
  port: string,
  { printer: _none, ...options }: DoctorOptions,
): Promise<Examination> {
  refusePrinterOptions(options);
  const [{ chooseDriver, otherDrivers }, { readTerminalSettings }, { diagnoseReader }, { startRecord }] =
    await Promise.all([
      import('../readers/reader-port.ts'),
      import('../readers/terminal-settings.ts'),
      import('../readers/examine-reader.ts'),
      import('../readers/examination/save-examination.ts'),
    ]);
  const row = await chooseDriver(options.driver, port);
  const record = options.save === undefined ? undefined : startRecord(context, row, port);
  const findings = diagnoseReader(context, row, port, {
    log: commandLog(context, options),
    settings: readTerminalSettings(row, options.terminalSettings),
    ...(record && { record }),
  });
  const others = async () => (await otherDrivers(row, port)).map(({ name }) => name);
  return { driver: row.name, findings, others, record };
}

async function examinationOfPrinter(
  context: CommandContext,
  port: string,
  options: DoctorOptions,
): Promise<Examination> {
  const { driver, terminalSettings } = options;
  if (options.save !== undefined)
    throw new Fault('bad_setting', '--save is for a reader, not for a --printer');
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
