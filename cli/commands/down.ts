import { Fault } from '../../protocol/failures.ts';
import { command } from '../command-line/command.ts';
import { SETTINGS } from '../command-line/config.ts';
import { integerOption } from '../command-line/option.ts';
import { printLine } from '../command-line/output.ts';
import { withProgress } from '../command-line/progress.ts';
import { askToStop, readRunningProcess } from '../data-folder/stop-port.ts';

export const down = command({
  name: 'down',
  details:
    'Asks the server that runs with DATA_DIR to stop, as Ctrl-C does, and waits until it has ended: one of `tapbench up --detach`, or any other. Does nothing when none runs. It never ends a process by its id.',
  parameters: {},
  options: {
    timeout: integerOption(
      { min: 1, max: 86_400 },
      { flag: '--timeout <seconds>', description: 'Give up after this long', defaultValue: '30' },
    ),
    dataDir: SETTINGS.dataDir,
  },
  examples: [
    { line: 'tapbench down', description: 'stops the server' },
    {
      line: 'tapbench up --detach && npm run e2e; tapbench down',
      description: 'runs the tests beside a server, and stops it',
    },
  ],
  async run({ context, options: { dataDir, timeout } }) {
    const running = readRunningProcess(dataDir);
    const stopping = async () =>
      running && askToStop(running, { clock: context.clock, timeoutMs: timeout * 1000 });
    switch (await withProgress(context, 'Waiting for the server to stop', stopping)) {
      case 'stopped':
        return printLine(context.out, `the server with DATA_DIR ${dataDir} has stopped`);
      case 'timed_out':
        throw new Fault(
          'timed_out',
          `the server with DATA_DIR ${dataDir} has not stopped after ${timeout} s: end its process ${running!.pid} if it hangs`,
        );
      case 'silent':
        throw new Fault(
          'timed_out',
          `what listens on port ${running!.port}, which was that of the server with DATA_DIR ${dataDir}, does not reply after ${timeout} s: it is another program, or the server hangs`,
        );
      default:
        return printLine(context.out, `no server runs with DATA_DIR ${dataDir}`);
    }
  },
});
