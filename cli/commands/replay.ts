import { Fault } from '../../protocol/failures.ts';
import { readTrace } from '../../server/traces/trace-file.ts';
import { describeDivergence, type DescribedDivergence } from '../../world/replay/describe-divergence.ts';
import { replayTrace } from '../../world/replay/replay-trace.ts';
import { command, EXIT, required, readFileOf } from '../command-line/command.ts';
import { formatTime } from '../log/activity-printer.ts';
import { json, printJson, printLine, sanitizeText } from '../command-line/output.ts';

export const replay = command({
  name: 'replay',
  details:
    'Needs no server. Repeats the recorded requests, cards and keys in a sandbox of its own, on virtual time, and compares what comes of them.',
  parameters: { file: required('file of the trace, such as session.tapbench') },
  options: { json },
  examples: [
    {
      line: 'tapbench replay session.tapbench',
      description: 'prints "identical", or the first difference with both sides',
    },
  ],
  exitCodes: { [EXIT.failed]: 'the replay differs, or the file cannot be replayed' },
  async run({ context: { out, err, interrupted }, args, options }) {
    const trace = await readTrace(readFileOf(args.file));
    const result = await replayTrace(trace, interrupted);
    if (result.outcome === 'notReplayable')
      throw new Fault('bad_setting', `${args.file} cannot be replayed: ${result.reasons.join('; ')}`);
    const { outcome, compared } = result;
    if (result.outcome === 'identical') {
      if (options.json) printJson(out, { outcome, compared });
      else printLine(out, `identical: ${compared} replies, messages, steps, events and webhooks`);
      if (trace.summary.isCut) err.write('the recording ended because it was as large as it may be\n');
      return EXIT.ok;
    }
    const divergence = describeDivergence(trace, result.divergence);
    if (options.json) printJson(out, { outcome, compared, divergence });
    else out.write(`${divergenceText(divergence, compared)}\n`);
    return EXIT.failed;
  },
});

function divergenceText(
  { what, atMs, path, recorded, replayed }: DescribedDivergence,
  compared: number,
): string {
  const at = atMs === null ? '' : ` at ${formatTime(atMs)}`;
  const lines = [
    `differs${at}, after ${compared} that are identical: ${what}`,
    ...(path === '' ? [] : [`  at        ${path}`]),
    `  recorded  ${sideText(recorded)}`,
    `  replayed  ${sideText(replayed)}`,
  ];
  return lines.map(sanitizeText).join('\n');
}

function sideText(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
