import { cellsOf, headOf, HEADINGS, warningsOf, withoutBefore, type Report } from './report.ts';

/** What the CPU profiles of 2026-11-24 to 30 show of the rows that miss their aim, as paragraphs of Markdown. */
const BOUNDS = [
  'CPU profiles (`--profile`) of 2026-11-24 to 26 show where the server spends its time in the rows that miss their aim. No single part ' +
    'stands out any more; one that did, the log of requests, was mended that day.',
  '**Payments at 200 terminals.** The server has one thread, so the rate is a second divided by the CPU time of a payment. Of that, SQLite ' +
    'takes 22 % to 28 %: some 45 statements, and a third of it for commits. About thirty transactions share a commit, which ' +
    'writes 134 pages of 4 KiB. Socket writes take 9 %: MQTT packets, the reply, four webhooks. Garbage collection takes 6 %, masking and ' +
    'storing what the dashboard shows 5 %. No other source file has more than 2.5 %. The bare parts append a line to a file where ' +
    'Tapbench updates tables and their indexes, and check, mask and record nothing.',
  '**Checkpoints.** Of the time for commits two thirds go to checkpoints, 0.2 to 0.3 ms for each payment: after a thousand pages SQLite copies the ' +
    'log into the database, and the server stands still for 10 to 30 ms. A log of 4,000 to 16,000 pages cut that by a third to a half ' +
    'for payments, and made each create a fifth slower, so it stays as it is. A checkpoint on another thread was not tried.',
  '**One payment at a time.** Of the 12 ms some 3 ms are the disk and the network, as in the baseline; the rest is the CPU time of the ' +
    'server and of the terminal, one after the other. Three transactions follow one another, each synced, between four messages.',
  '**Create and fetch.** A create is 18 % SQLite (a row of forty columns and three indexes, and its share of a commit), 8 % the handover of the sync to another ' +
    'thread, 7 % the write of the reply. The baseline reuses its ' +
    'connections, as ours does; the aims were set when it did not, and dd4ce52 then had 0.34 and 0.40 of it.',
  '**Fleets.** A terminal takes 1.4 to 2.4 times the CPU time of the bare client, in its process and in the server: it also registers and pairs, and reports who it is.',
  '**Hunts.** A plan takes 22 ms: 5 for the fork, 14 for the scenario, 1 for the hour after it, 2 to judge and to close. It is 29 requests, seven MQTT connections, ' +
    '220 statements and 590 turns of the event loop, 160 since a world waits fewer turns to be idle. No source file takes more than 2.5 % but the one that runs the SQL (9 %) and one of light-my-request (6 %). Garbage collection takes 5 ms of CPU ' +
    'time with its threads, 2 of them in the way of the plan: V8 collects the young generation, and keeps each closed sandbox, some 480 KB, until it collects the old one. ' +
    'V8 allocates some things in the old generation at once, and what they refer to lives as long as they do: a function that is written where it is assigned to a property ' +
    '(`this.send = () => …`, as in aedes, reusify, mqtt.js and XState), a getter of a single object, a generator function and a class that is declared within a function. ' +
    'One of them keeps a whole sandbox, so that all have to go; in a changed copy of the bundle that took 0.94 of the CPU time. Besides, a plan makes some 240 hidden classes, most where an object is ' +
    'spread and then added to (`{ ...one, size: 2 }`, on Node 20 only); without those a plan took 0.96 to 0.99 of the CPU time, and a payment as much as before. The first 200 plans take ' +
    "1.7 times as long as later ones, while V8 compiles. A larger young generation, V8's Maglev, one thread for the collector and baseline code from the first call made no " +
    'difference beyond the noise.',
  '**Payment terminals.** With a load of 14 each time that the process wakes up costs more, and a payment at a terminal is little else: a ' +
    'payment in ZVT on a serial line has 184 frames in 248 pieces of 16 bytes or less, each with timers at both ends, and in a network ' +
    'fewer. Half of its CPU time is that of the baseline, about a quarter garbage collection. A nexo payment has two connections with TLS: ' +
    'their handshakes are half of its time. Three things were mended on 2026-11-30: a TLS server and the context of a client are no longer ' +
    'made for each connection, which took nexo from 12 to 7 ms; the file of a card is checked once, which took up to 0.4 ms; bytes are read ' +
    'without an array for each. Waits of ZVT that leave nothing behind made no difference beyond the noise. To resume TLS sessions was not ' +
    'tried.',
  '**PostgreSQL.** A sandbox is a schema. Its tables are made beforehand; a fork then copies the rows with one statement for each ' +
    'table, all sent at once.',
];

/** Returns the content of docs/benchmarks.md. */
export function benchmarksDocument(report: Report): string {
  const { takenAt, results, machine, run } = report;
  const warnings = warningsOf(machine.cores, run).filter((line) => line !== '');
  return [
    '# Benchmarks',
    `Written by \`npm run bench -- --write-docs\` on ${takenAt.slice(0, 10)}: ${headOf(report)}.`,
    ...warnings,
    'Each row compares Tapbench with a bare baseline that does only what has to be done, such as an append to a file ' +
      'for a request that must be durable. Both run in turns in the same run, so other load affects both, and the ' +
      'ratio means more than the figures: machines differ threefold. The ratio is ours divided by the baseline: the ' +
      'median of all rounds, then the lowest and the highest.' +
      beforeNote(run.compared),
    tableOf(report),
    '## What bounds the rows that miss their aim',
    ...BOUNDS,
    '## Rows',
    ...results.map(({ name, details }) =>
      [`**${name}**`, '', ...details.map((line) => `- ${line}`)].join('\n'),
    ),
    '## To repeat it',
    ['```', 'npm ci', ...fullRun(run.compared), 'npm run bench -- --only start,http --quick', '```'].join(
      '\n',
    ),
    `This run took ${Math.ceil(run.minutes)} minutes; the machine should do nothing else. \`--peers\` installs other servers ` +
      'for the run and measures beside them, `--compare` measures another checkout, `--only memory --payments 100000` takes ' +
      'as many payments, `--only fleet-payments` takes one at each of 10,000 terminals, `--only soak-engines --minutes 60` loads two ' +
      'servers on PostgreSQL for an hour. `--profile` also writes CPU profiles of our servers, `--help` lists the ' +
      'options. `bench/results/latest.json` has the results of the last run.',
  ].join('\n\n');
}

function beforeNote(compared: string | undefined): string {
  if (compared === undefined) return '';
  return (
    ` Before is ours at the commit ${compared}, measured in turns with both; it has a dash where that commit ` +
    'cannot be driven from outside.'
  );
}

function fullRun(compared: string | undefined): string[] {
  if (compared === undefined) return ['npm run bench'];
  return [
    `git worktree add ../before ${compared} && (cd ../before && npm ci)`,
    'npm run bench -- --compare ../before',
  ];
}

function tableOf({ results, run }: Report): string {
  const line = (cells: string[]) => `| ${withoutBefore(cells, run).join(' | ')} |`;
  const rules = HEADINGS.map((heading) => (RIGHT_ALIGNED.includes(heading) ? '---:' : '---'));
  const rows = results.map(cellsOf).map((cells) => cells.map((cell) => (cell === 'NO' ? '**no**' : cell)));
  return [HEADINGS, rules, ...rows].map(line).join('\n');
}

const RIGHT_ALIGNED = ['before', 'ours', 'bare'];
