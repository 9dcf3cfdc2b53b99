import { percentile, spreadOf } from './measure.ts';
import type { Result } from './report.ts';
import type { Part } from './soak-engines.ts';

const GROWTH_MAX = 2;
const CATALOGUE_GROWTH_MAX = 1.25;
// Of two servers, as docs/deploying.md says.
const CONNECTIONS_MAX = 68;
const MEMORY_GROWTH_MAX = 1.5;
const ROLLBACKS_MAX = 2;
const TABLES_SHOWN = 12;

const p99 = (waits: readonly number[]) => percentile(waits, 0.99);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
const residentOf = ({ memory }: Part) => sum(memory.map(({ bytes }) => bytes));

/** Returns what a part shows, in one line. */
export function lineOf(part: Part, first: Part): string {
  const { waitsMs, sandboxesMs, payments, sandboxes, failures, database, memory, load } = part;
  return [
    `  ${payments} payments, p50 ${percentile(waitsMs, 0.5).toFixed(1)}, p99 ${p99(waitsMs).toFixed(1)} ms`,
    `${sandboxes} sandboxes, p99 ${p99(sandboxesMs).toFixed(1)} ms`,
    `database ${megabytes(database.bytes)}, catalogue ${megabytes(database.catalogueBytes)}`,
    `${database.connections} connections of ${megabytes(database.connectionBytes)}`,
    `memory ${memory.map(({ bytes, heapBytes }) => `${megabytes(bytes)}, heap ${megabytes(heapBytes)}`).join('; ')}`,
    `${database.rollbacks - first.database.rollbacks} rollbacks of ${database.commits} commits`,
    `load ${load.toFixed(1)}`,
    `${failures.length} failures ${failures[0] ?? ''}`,
  ].join('; ');
}

export function resultsOf(parts: readonly Part[]): Result[] {
  const payments = sum(parts.map((part) => part.payments));
  const shown = (valueOf: (part: Part) => number) => parts.map((part) => valueOf(part).toFixed(0)).join(', ');
  const shownMegabytes = (bytesOf: (part: Part) => number) =>
    `${shown((part) => bytesOf(part) / 2 ** 20)} MB`;
  const compared = (
    name: string,
    unit: Result['unit'],
    valueOf: (part: Part) => number,
    growthMax: number | null,
    details: string[],
  ): Result => {
    const [first, last] = [valueOf(parts[0]!), valueOf(parts.at(-1)!)];
    return {
      name: `soak on PostgreSQL: ${name}`,
      unit,
      ours: last,
      bare: first,
      ratio: spreadOf(parts.map((part) => valueOf(part) / first)),
      aim: growthMax === null ? null : `under ${growthMax} times`,
      met: growthMax === null ? null : last < growthMax * first,
      details: [
        ...details,
        'ours: at the end of the last tenth; bare: of the first; ratio: each beside the first',
      ],
    };
  };
  const failures = parts.flatMap((part) => part.failures);
  return [
    compared('99th percentile of waits in default', 'ms', ({ waitsMs }) => p99(waitsMs), GROWTH_MAX, [
      `${payments} payments on two servers, ${sum(parts.map(({ sandboxes }) => sandboxes))} sandboxes created, used and deleted`,
      `tenths: ${shown(({ waitsMs }) => p99(waitsMs))} ms; of sandboxes: ${shown(({ sandboxesMs }) => p99(sandboxesMs))} ms`,
      `load average: ${shown(({ load }) => load)}; ${failures.length} failures ${[...new Set(failures)].slice(0, 5).join('; ')}`,
    ]),
    compared('database', 'KB', ({ database }) => database.bytes / 1024, null, [
      `tenths: ${shownMegabytes(({ database }) => database.bytes)}; what is older than a day of the sandbox is deleted, a day in each tenth`,
      `rows of default, and by how many they grew for each payment: ${rowsPerPayment(parts)}`,
    ]),
    compared('catalogue', 'KB', ({ database }) => database.catalogueBytes / 1024, CATALOGUE_GROWTH_MAX, [
      `tenths: ${shownMegabytes(({ database }) => database.catalogueBytes)}`,
    ]),
    {
      ...compared('connections', 'connections', ({ database }) => database.connections, null, [
        `tenths: ${shown(({ database }) => database.connections)}`,
        `memory of their processes: ${shownMegabytes(({ database }) => database.connectionBytes)}`,
      ]),
      aim: `at most ${CONNECTIONS_MAX}`,
      met: parts.every(({ database }) => database.connections <= CONNECTIONS_MAX),
    },
    compared('memory of both servers', 'KB', (part) => residentOf(part) / 1024, MEMORY_GROWTH_MAX, [
      `resident, after garbage collection: ${shownMegabytes(residentOf)}`,
      `heap: ${shownMegabytes(({ memory }) => sum(memory.map(({ heapBytes }) => heapBytes)))}`,
    ]),
    rollbacksRow(parts),
  ];
}

function rollbacksRow(parts: readonly Part[]): Result {
  const rollbacks = parts.map(({ database }) => database.rollbacks);
  const perHundred = parts
    .slice(1)
    .map((part, index) => ((rollbacks[index + 1]! - rollbacks[index]!) * 100) / part.payments);
  const [first, last] = [perHundred[0]!, perHundred.at(-1)!];
  return {
    name: 'soak on PostgreSQL: rollbacks for 100 payments',
    unit: 'rollbacks',
    ours: last,
    bare: first,
    ratio: spreadOf(perHundred.map((value) => value / first)),
    aim: `under ${ROLLBACKS_MAX}`,
    met: Math.max(...perHundred) < ROLLBACKS_MAX,
    details: [
      `tenths from the second: ${perHundred.map((value) => value.toFixed(2)).join(', ')}; sandboxes that come and go included`,
      `${rollbacks.at(-1)! - rollbacks[0]!} rollbacks beside ${parts.at(-1)!.database.commits - parts[0]!.database.commits} commits`,
    ],
  };
}

/** Returns the growth of the tables with the most rows, for each payment since the first tenth. */
function rowsPerPayment(parts: readonly Part[]): string {
  const [first, last] = [parts[0]!.database.rows, parts.at(-1)!.database.rows];
  const later = sum(parts.slice(1).map(({ payments }) => payments));
  return [...last]
    .sort(([, a], [, b]) => b - a)
    .slice(0, TABLES_SHOWN)
    .map(([table, rows]) => `${table} ${rows} (${((rows - first.get(table)!) / later).toFixed(2)})`)
    .join(', ');
}
