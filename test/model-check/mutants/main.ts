import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { monotonicMs } from '../../../protocol/clock.ts';
import { reasonOf } from './survivors.ts';
import type { Verdict } from './trial.ts';
import { verdictsOf, type Part } from './verdicts.ts';

const USAGE = `npm run model-check -- --mutants [options]

Changes one thing after another in the machines and rules, and takes steps and runs until a property does not hold. Prints
the properties with how many changes each caught, and the changes that none caught with the reason.

  --sample <n>    only so many of the changes, chosen by the seed
  --seed <n>      1 by default; also chooses among the states that a changed transition may lead to
  --steps-only    take single steps only, and no runs of both sides for what these do not catch
  --threads <n>   how many are tried at a time; one on each core by default
  --json          print the verdicts as JSON
  --help          print this
`;

function readArguments() {
  const { values } = parseArgs({
    options: {
      mutants: { type: 'boolean' },
      sample: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: '1' },
      'steps-only': { type: 'boolean', default: false },
      threads: { type: 'string', default: String(availableParallelism()) },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [sample, seed, threads] = [values.sample, values.seed, values.threads].map(Number) as [
    number,
    number,
    number,
  ];
  if (!(sample >= 1) || !Number.isInteger(seed) || !(threads >= 1)) throw new Error(USAGE);
  return { ...values, stepsOnly: values['steps-only'], sample, seed, threads };
}

type Options = ReturnType<typeof readArguments>;

/** Tries the mutants of one part and posts each verdict. */
async function tryPart(part: Part): Promise<void> {
  for await (const verdict of verdictsOf(part)) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    parentPort!.postMessage(verdict);
  }
}

/** Tries all mutants, divided among threads. */
async function tryAll({ threads: parts, sample, seed, stepsOnly }: Options): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const tried = Array.from({ length: parts }, (_, index) => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { sample, seed, stepsOnly, index, parts },
    });
    worker.on('message', (verdict: Verdict) => verdicts.push(verdict));
    return new Promise<void>((resolve, reject) => {
      worker.once('error', reject);
      worker.once('exit', () => resolve());
    });
  });
  await Promise.all(tried);
  return verdicts.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function textOf(verdicts: readonly Verdict[], seconds: number): string {
  const reached = verdicts.filter((verdict) => verdict.reached);
  const caught = reached.flatMap((verdict) => verdict.caught ?? []);
  const bySteps = caught.filter(({ by }) => by === 'single steps').length;
  const left = verdicts.filter((verdict) => !verdict.caught);
  const of = (kind: string | undefined) => left.filter(({ id }) => reasonOf(id)?.kind === kind).length;
  const names = [...new Set(caught.map(({ property }) => property))];
  const counted = names
    .map((name) => [name, caught.filter(({ property }) => property === name).length] as const)
    .sort(([, a], [, b]) => b - a);
  const percent = (whole: number) => `${((100 * caught.length) / whole).toFixed(1)} %`;
  return [
    ...counted.map(([name, count]) => `${String(count).padStart(6)}  ${name}`),
    '',
    ...left.map(
      ({ id, reached: isReached }) =>
        `${isReached ? 'survived' : 'not reached'}  ${id}: ${reasonOf(id)?.reason ?? 'NO REASON KNOWN'}`,
    ),
    '',
    `${verdicts.length} mutants, ${caught.length} caught: ${bySteps} by single steps, ${caught.length - bySteps} by runs`,
    `${verdicts.length - reached.length} at places that nothing comes to; ${percent(reached.length)} of the others caught`,
    `${of('changesNothing')} change nothing, ${of('unreachable')} cannot be reached; ${percent(verdicts.length - of('changesNothing') - of('unreachable'))} of the others caught`,
    `${of('missed')} missed for a reason, ${of(undefined)} without a known reason; ${seconds.toFixed(0)} s`,
  ].join('\n');
}

if (!isMainThread) await tryPart(workerData as Part);
else {
  const options = readArguments();
  if (options.help) console.log(USAGE);
  else {
    const beginMs = monotonicMs();
    const verdicts = await tryAll(options);
    const isOpen = ({ id, caught }: Verdict) => !caught && !reasonOf(id);
    if (options.json) console.log(JSON.stringify(verdicts, null, 2));
    else console.log(textOf(verdicts, (monotonicMs() - beginMs) / 1000));
    process.exitCode = verdicts.some(isOpen) ? 1 : 0;
  }
}
