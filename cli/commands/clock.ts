import type { Reply } from '../../protocol/api-client.ts';
import { Fault } from '../../protocol/failures.ts';
import { YEAR_SECONDS } from '../../server/sandbox-controls/clock.schema.ts';
import { connectApi, SANDBOX_OPTIONS, type ServerApi } from '../client/api-client.ts';
import { command, optional } from '../command-line/command.ts';
import type { Sink } from '../command-line/command-context.ts';
import { timestampOption } from '../command-line/option.ts';
import { printJson } from '../command-line/output.ts';

type SandboxTime = Reply<'GET /sandbox/clock'>;

export const clock = command({
  name: 'clock',
  parameters: {},
  options: SANDBOX_OPTIONS,
  examples: [
    { line: 'tapbench clock', description: 'prints the time, and how far it is ahead of real time' },
  ],
  async run({ context, options }) {
    printTime(context.out, options.json, await connectApi(context, options).call('GET /sandbox/clock'));
  },
});

export const clockAdvance = command({
  name: 'clock advance',
  details:
    'What becomes due happens in order, each at its time, such as billings, payouts and retries of webhooks. The command ends when that is done, or after ten seconds for each year with what is left. The time cannot go back.',
  parameters: { by: optional('seconds, or a number with s, m, h or d, such as 36h') },
  options: {
    to: timestampOption({
      flag: '--to <time>',
      description: 'The time to advance to, as a Unix timestamp or such as 2026-01-31T09:00Z',
    }),
    ...SANDBOX_OPTIONS,
  },
  examples: [
    { line: 'tapbench clock advance 30d', description: 'advances it by 30 days' },
    { line: 'tapbench clock advance --to 2030-01-01', description: 'advances it to the start of 2030, UTC' },
  ],
  async run({ context, args, options }) {
    const { to } = options;
    if ((args.by === undefined) === (to === undefined))
      throw new Fault('bad_setting', 'BY or --to is required, and only one of them');
    const api = connectApi(context, options);
    const seconds =
      to === undefined ? secondsOf(args.by!) : to - (await api.call('GET /sandbox/clock')).nowTimestamp;
    if (seconds < 1) throw new Fault('bad_setting', '--to must be in the future of the sandbox');
    printTime(context.out, options.json, await advance(api, seconds));
  },
});

/** Advances the clock in steps, each as long as a request may be. */
async function advance(api: ServerApi, seconds: number): Promise<SandboxTime> {
  const step = Math.min(seconds, YEAR_SECONDS);
  const time = await api.call('POST /sandbox/clock/advance', { body: { seconds: step } });
  return step === seconds ? time : advance(api, seconds - step);
}

const UNIT_SECONDS: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** Parses a duration. @throws Fault `bad_setting` when it is none, or no time at all */
function secondsOf(typed: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd]?)$/.exec(typed) ?? [];
  const seconds = Number(count) * UNIT_SECONDS[unit ?? '']!;
  if (seconds > 0) return seconds;
  throw new Fault(
    'bad_setting',
    `BY must be seconds, or a number with s, m, h or d, such as 36h, not '${typed.slice(0, 40)}'`,
  );
}

function printTime(out: Sink, asJson: boolean, time: SandboxTime): void {
  if (asJson) return printJson(out, time);
  const { nowTimestamp, offsetSeconds } = time;
  const now = new Date(nowTimestamp * 1000).toISOString().replace('.000Z', 'Z');
  out.write(`${now}  ${describeOffset(offsetSeconds)}${describePending(time.pending)}\n`);
}

function describePending({ jobs, deliveries }: SandboxTime['pending']): string {
  const parts = [
    ...(jobs > 0 ? [`${jobs} ${jobs === 1 ? 'job' : 'jobs'}`] : []),
    ...(deliveries > 0 ? [`${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'}`] : []),
  ];
  return parts.length === 0 ? '' : `, still under way: ${parts.join(', ')}`;
}

function describeOffset(seconds: number): string {
  if (seconds === 0) return 'real time';
  // The seconds are of interest within the first hour only.
  const exact = Math.abs(seconds);
  const size = exact < 3600 ? exact : Math.round(exact / 60) * 60;
  const parts = [
    [Math.floor(size / 86_400), 'd'],
    [Math.floor(size / 3600) % 24, 'h'],
    [Math.floor(size / 60) % 60, 'min'],
    [size % 60, 's'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return `${shown.join(' ')} ${seconds > 0 ? 'ahead of' : 'behind'} real time`;
}
