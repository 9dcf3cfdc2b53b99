import { VERSION } from '../../protocol/version.ts';
import { commandLog, LOG_OPTIONS } from '../log/command-log.ts';
import { command, EXIT, required } from '../command-line/command.ts';
import { coloured, json, printJsonLine } from '../command-line/output.ts';
import { READER_OPTIONS } from '../terminals/terminal-options.ts';

/** First step of every driver. Which driver is right shows after it. */
const OPENING = 'open the port';

export const doctor = command({
  name: 'doctor',
  details:
    'Takes no payment and reads no card number. Stops after the first step that fails, and names the other drivers that may fit. With --json the first line has the versions and the platform, and each step the bytes on the line, without cardholder data, so that the output can be attached to a report.',
  parameters: { port: required('Serial port, tcp://host:port or tls://host:port') },
  options: {
    driver: READER_OPTIONS.driver,
    terminalSettings: READER_OPTIONS.terminalSettings,
    ...LOG_OPTIONS,
    json,
  },
  examples: [
    {
      line: 'tapbench doctor /dev/ttyUSB0 --driver pn532',
      description: 'opens the port, wakes the reader, reads its version',
    },
  ],
  exitCodes: { [EXIT.failed]: 'a step failed, or an invalid setting' },
  async run({ context, args, options }) {
    const [{ chooseDriver, otherDrivers }, { readTerminalSettings }, { diagnoseReader }] = await Promise.all([
      import('../readers/reader-port.ts'),
      import('../readers/terminal-settings.ts'),
      import('../readers/examine-reader.ts'),
    ]);
    const { out } = context;
    const row = await chooseDriver(options.driver, args.port);
    const findings = diagnoseReader(context, row, args.port, {
      log: commandLog(context, options),
      settings: readTerminalSettings(row, options.terminalSettings),
    });
    if (options.json) printJsonLine(out, environment(row.name));
    let healthy = true;
    for await (const { frames, ...finding } of findings) {
      if (context.interrupted.aborted) return EXIT.interrupted;
      healthy &&= finding.ok;
      const others = finding.ok ? [] : (await otherDrivers(row, args.port)).map(({ name }) => name);
      if (options.json) {
        printJsonLine(out, { ...finding, ...(!finding.ok && { otherDrivers: others }), frames });
        continue;
      }
      const mark = finding.ok ? coloured(out, 'green', 'ok  ') : coloured(out, 'red', 'FAIL');
      out.write(`${mark}  ${finding.step}: ${finding.detail}\n`);
      if (finding.advice) out.write(`      ${finding.advice}\n`);
      if (others.length > 0 && finding.step !== OPENING)
        out.write(`      if it is another device: --driver ${others.join(', --driver ')}\n`);
    }
    return healthy ? EXIT.ok : EXIT.failed;
  },
});

/** Where the examination runs, in the shape of a step. */
function environment(driver: string) {
  const { platform, arch, version } = process;
  const detail = `tapbench ${VERSION}, Node.js ${version}, ${platform} ${arch}, driver ${driver}`;
  return { step: 'environment', ok: true, detail, tapbench: VERSION, node: version, platform, arch, driver };
}
