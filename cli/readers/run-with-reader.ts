import type { PrinterChoice } from './receipt-printer.ts';
import type { DriverEntry } from '../../agent/readers/driver.ts';
import { Fault } from '../../protocol/failures.ts';
import { requestOf } from '../../protocol/api-client.ts';
import type { ClientOptions } from '../client/api-client.ts';
import { keyForm } from '../../server/platform/key-form.ts';
import { commandLog, type LogOptions } from '../log/command-log.ts';
import { formatTime } from '../log/activity-printer.ts';
import { coloured, printJsonLine, printLine } from '../command-line/output.ts';
import { untilInterrupted, type CommandContext } from '../command-line/command-context.ts';
import { createRefusedTerminals, endAgent } from '../terminals/refused-terminals.ts';
import { claimTerminal, resolveTerminal } from '../terminals/terminal-claim.ts';

interface ReaderRun extends ClientOptions, LogOptions, PrinterChoice {
  port: string;
  driver: string | undefined;
  terminal: string | undefined;
  credentials: string | undefined;
  allowRealTerminal: boolean;
  terminalSettings: string | undefined;
  allowAnyCard: boolean;
  takeOver: boolean;
  mqtt: string | undefined;
  brokerWait: number;
  json: boolean;
}

/** Runs `tapbench agent --port` until it is interrupted. */
export async function runWithReader(context: CommandContext, options: ReaderRun): Promise<void> {
  const [
    { chooseDriver },
    { readTerminalSettings },
    { requireHealthyReader },
    { ensureReaderTerminal, startHardwareTerminal },
    { chooseReceiptPrinter },
  ] = await Promise.all([
    import('./reader-port.ts'),
    import('./terminal-settings.ts'),
    import('./examine-reader.ts'),
    import('./hardware-terminal.ts'),
    import('./receipt-printer.ts'),
  ]);
  const { out, err, clock, keyboard } = context;
  const driver = await chooseDriver(options.driver, options.port);
  refuseLiveKey(driver, options.secretKey);
  const settings = readTerminalSettings(driver, options.terminalSettings);
  const printer = await chooseReceiptPrinter(context, options);
  const log = commandLog(context, options);
  // Checked before a terminal is registered for it.
  await requireHealthyReader(context, driver, options.port, {
    log,
    settings,
    allowRealTerminal: options.allowRealTerminal,
  });
  const own = (api: Parameters<typeof ensureReaderTerminal>[0]) =>
    ensureReaderTerminal(api, driver.name, options.port);
  const choose = options.terminal === undefined ? own : undefined;
  const { terminalId, api } = await resolveTerminal(context, options, choose);
  const claim = await claimTerminal(context, { terminalId, api, options, log });
  if (!claim) return;
  const refusals = createRefusedTerminals(context, { options, api: claim.api, end: endAgent });
  const terminal = await startHardwareTerminal(context, {
    options,
    api: refusals.api,
    terminalId,
    driver,
    port: options.port,
    settings,
    printer,
    onScreen(lines) {
      if (options.json) return printJsonLine(out, { terminalId, screen: lines });
      out.write(`${coloured(out, 'dim', formatTime(clock.nowMs()))}  ${lines.filter(Boolean).join(' | ')}\n`);
    },
    onPrinted(text) {
      if (options.json) printJsonLine(out, { terminalId, printed: text });
      else printLine(out, text);
    },
    onOnline: () => refusals.online(terminalId),
    onRefused: (reason) => refusals.refused(terminalId, reason),
  }).catch((error: unknown) => {
    claim.release();
    throw error;
  });
  if (!terminal) return claim.release();
  printLine(err, `terminal ${terminalId}, ${driver.title}, at ${options.port}`);
  const { path } = requestOf('POST /v1/in-person/terminals/{id}/payment', { params: { id: terminalId } });
  err.write(`take a payment:  npx tapbench pay ${terminalId} 1742   (POST ${path})\n`);
  const silence = keyboard.onKey((key) => void terminal.pinPad.press([key]));
  try {
    await Promise.race([untilInterrupted(context), refusals.failed]);
  } finally {
    silence();
    refusals.close();
    await terminal.close();
    claim.release();
  }
}

/** With live keys there is no control with which a person settles an unknown outcome (docs/choices/sandbox.md). */
function refuseLiveKey({ name, mayLoseOutcome }: DriverEntry, secretKey: string | undefined): void {
  if (!mayLoseOutcome || secretKey === undefined || keyForm(secretKey)?.mode !== 'live') return;
  throw new Fault(
    'bad_setting',
    `--driver ${name} needs a sandbox key: with a live one nobody could settle an outcome that is unknown, and the terminal would take no other payment`,
  );
}
