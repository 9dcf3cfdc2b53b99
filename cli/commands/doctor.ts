import { commandLog, LOG_OPTIONS } from '../command-log.ts';
import { command, EXIT, required } from '../command.ts';
import { coloured, json, printJsonLine } from '../output.ts';
import { READER_OPTIONS } from '../reader-options.ts';

export const doctor = command({
  name: 'doctor',
  details: 'Takes no payment and reads no card number. Stops after the first step that fails.',
  parameters: { port: required('Serial port, or tcp://host:port') },
  options: { driver: READER_OPTIONS.driver, ...LOG_OPTIONS, json },
  examples: [
    {
      line: 'tapbench doctor /dev/ttyUSB0 --driver pn532',
      description: 'opens the port, wakes the reader, reads its version',
    },
  ],
  exitCodes: { [EXIT.failed]: 'a step failed, or an invalid setting' },
  async run({ context, args, options }) {
    const [{ chooseDriver }, { diagnoseReader }] = await Promise.all([
      import('../reader-port.ts'),
      import('../examine-reader.ts'),
    ]);
    const { out } = context;
    const row = await chooseDriver(options.driver, args.port);
    const findings = diagnoseReader(context, row, args.port, commandLog(context, options));
    let healthy = true;
    for await (const finding of findings) {
      if (context.interrupted.aborted) return EXIT.interrupted;
      healthy &&= finding.ok;
      if (options.json) {
        printJsonLine(out, finding);
        continue;
      }
      const mark = finding.ok ? coloured(out, 'green', 'ok  ') : coloured(out, 'red', 'FAIL');
      out.write(`${mark}  ${finding.step}: ${finding.detail}\n`);
      if (finding.advice) out.write(`      ${finding.advice}\n`);
    }
    return healthy ? EXIT.ok : EXIT.failed;
  },
});
