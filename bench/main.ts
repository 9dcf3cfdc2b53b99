import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../protocol/package-root.ts';
import { type BenchOptions, reportOf, tableOf, writeReport, type Result } from './report.ts';
import { benchmarksDocument } from './document.ts';
import { msSince } from './measure.ts';

/** Benchmarks by name, in the order of the table, loaded on demand. */
const BENCHES: Record<string, (options: BenchOptions) => Promise<Result[]>> = {
  http: async (options) => (await import('./http.ts')).benchHttp(options),
  sizes: async (options) => (await import('./http.ts')).benchSizes(options),
  payment: async (options) => (await import('./payment.ts')).benchPayment(options),
  payments: async (options) => (await import('./payments.ts')).benchPayments(options),
  memory: async (options) => (await import('./payments.ts')).benchPaymentMemory(options),
  command: async (options) => (await import('./command.ts')).benchCommand(options),
  fleet: async (options) => (await import('./fleet.ts')).benchFleet(options),
  engines: async (options) => (await import('./engines.ts')).benchEngines(options),
  'two-servers': async (options) => (await import('./two-servers.ts')).benchTwoServers(options),
  start: async (options) => (await import('./start.ts')).benchStart(options),
  sandboxes: async (options) => (await import('./sandboxes.ts')).benchSandboxes(options),
  'sandbox-engines': async (options) => (await import('./sandbox-engines.ts')).benchSandboxEngines(options),
  suite: async (options) => (await import('./suite.ts')).benchSuite(options),
  world: async (options) => (await import('./world.ts')).benchWorld(options),
  hunt: async (options) => (await import('./world.ts')).benchHunt(options),
  tills: async (options) => (await import('./tills.ts')).benchTills(options),
  twins: async (options) => (await import('./twins.ts')).benchTwins(options),
  receipt: async (options) => (await import('./receipt.ts')).benchReceipt(options),
};

/** Measured after the others with `--peers`: it needs the network, to install what it compares with. */
const PEERS = 'peers';

/** Run only when they are named: they take long, or need the network. */
const CHECKS: typeof BENCHES = {
  [PEERS]: async (options) => (await import('./peers.ts')).benchPeers(options),
  soak: async (options) => (await import('./soak.ts')).benchSoak(options),
  'soak-engines': async (options) => (await import('./soak-engines.ts')).benchSoakEngines(options),
  stalls: async (options) => (await import('./stalls.ts')).benchStalls(options),
  'fleet-payments': async (options) => (await import('./fleet-payments.ts')).benchFleetPayments(options),
};

const RESULTS = join(packageRoot(), 'bench/results');

const DOCUMENT = join(packageRoot(), 'docs/benchmarks.md');

const USAGE = `npm run bench -- [options]

Measures Tapbench beside bare baselines of the same run, prints a table of ratios, writes bench/results/latest.json.

  --only <names>  some of: ${Object.keys(BENCHES).join(',')}
                  or by itself: ${Object.keys(CHECKS).join(',')}
  --peers         also measure beside Prism, json-server and Fastify, the first two installed for this run only
  --quick         fewer rounds, for a first look
  --payments <n>  how many payments memory takes; 10,000 by default
  --minutes <n>   how long soak-engines takes; 10 by default
  --compare <dir> measure another checkout, built, in turns with this one
  --json          print the results as JSON
  --profile       write CPU profiles of our servers to bench/results/profiles
  --write-docs    write docs/benchmarks.md
  --help          print this
`;

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        peers: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        payments: { type: 'string' },
        minutes: { type: 'string' },
        compare: { type: 'string' },
        json: { type: 'boolean', default: false },
        profile: { type: 'boolean', default: false },
        'write-docs': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const chosen = values.only?.split(',') ?? Object.keys(BENCHES);
    const names = values.peers ? [...chosen, PEERS] : chosen;
    const unknown = names.find((name) => !Object.hasOwn({ ...BENCHES, ...CHECKS }, name));
    if (unknown !== undefined) throw new Error(`--only does not know '${unknown}'`);
    const payments = values.payments === undefined ? undefined : Number(values.payments);
    if (payments !== undefined && !(Number.isInteger(payments) && payments > 1_000))
      throw new Error('--payments needs a number above 1000');
    const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
    if (minutes !== undefined && !(Number.isInteger(minutes) && minutes > 0))
      throw new Error('--minutes needs a whole number above 0');
    const compare = values.compare === undefined ? undefined : resolve(values.compare);
    if (compare !== undefined && !existsSync(join(compare, 'dist/cli/main.js')))
      throw new Error(
        `--compare needs a folder in which Tapbench is built: ${compare} has no dist/cli/main.js`,
      );
    return { ...values, names, payments, minutes, compare };
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return undefined;
  }
}

function commitOf(folder: string): string {
  return execFileSync('git', ['-C', folder, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
}

async function run(): Promise<number> {
  const given = readArguments();
  if (!given) return 1;
  const { names, quick, json, profile, payments, minutes, compare, help } = given;
  if (help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const profileDir = profile ? join(RESULTS, 'profiles') : undefined;
  const compared = compare === undefined ? undefined : commitOf(compare);
  const loadBefore = loadavg()[0]!;
  const startNs = process.hrtime.bigint();
  const results: Result[] = [];
  let failed = 0;
  for (const name of names) {
    process.stderr.write(`measuring ${name} ...\n`);
    try {
      results.push(
        ...(await (BENCHES[name] ?? CHECKS[name]!)({ quick, profileDir, payments, minutes, compare })),
      );
    } catch (error) {
      // The others took minutes to measure.
      failed += 1;
      process.stderr.write(`bench: ${name}: ${error instanceof Error ? error.stack : String(error)}\n`);
    }
  }
  const report = reportOf(results, {
    quick,
    loadBefore,
    minutes: msSince(startNs) / 60_000,
    compared,
  });
  writeReport(join(RESULTS, 'latest.json'), report);
  if (given['write-docs']) writeFileSync(DOCUMENT, `${benchmarksDocument(report)}\n`);
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : `\n${tableOf(report)}`);
  return Math.min(failed, 1);
}

try {
  // Open handles of a failed benchmark may keep the process alive.
  process.exitCode = await run();
  if (process.exitCode > 0) process.exit();
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.stack : String(error)}\n`);
  // Open handles may keep the process alive.
  process.exit(1);
}
