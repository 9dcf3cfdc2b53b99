import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions, Result } from './report.ts';
import { startChild } from './child.ts';
import { alternate, median, medianBefore, spreadOf, type Round, msSince } from './measure.ts';
import type { FleetOrder, FleetResult } from './processes/fleet-run.ts';
import type { ProcessUsage } from './processes/parent-requests.ts';
import { startOtherServer, startOtherTerminals } from './other-shop.ts';

/** Rounds of each size; a first one is not counted. */
const SIZES = [
  { count: 100, rounds: 5 },
  { count: 1_000, rounds: 3 },
  { count: 10_000, rounds: 1 },
];
const QUICK_SIZES = [
  { count: 100, rounds: 1 },
  { count: 1_000, rounds: 1 },
];

const RATE_MIN = 0.7;
const LARGEST_SECONDS_MAX = 30;
const LAST_RATE_MIN = 0.8;
const TERMINAL_KB_MAX = 60;
const SERVER_KB_MAX = 25;

// More may not be online within the time of a round.
const COMPARED_MAX = 1_000;

// Fewer terminals take less memory than a process varies by.
const MEMORY_TERMINALS_MIN = 1_000;
// The first terminals of a process also load code, have it compiled and make the heap grow. Beside fewer than this many
// that is more than the terminals take, so the memory of a second fleet in the same processes is measured.
const WHOLE_MEMORY_TERMINALS_MIN = 10_000;

/** One fleet in one process, and its server or broker in another. */
interface Measured extends FleetResult {
  /** CPU time that the process of the server or broker used for it, milliseconds. */
  serverCpuMs: number;
  /** Resident memory that `count` terminals took, bytes. */
  memory: { fleet: number; server: number };
}

type Rounds = Round<Measured, Measured>[];

/** Measures fleets of simulated terminals beside as many bare MQTT clients with a bare broker. */
export async function benchFleet({ quick, profileDir, compare }: BenchOptions): Promise<Result[]> {
  const results: Result[] = [];
  for (const { count, rounds } of quick ? QUICK_SIZES : SIZES) {
    const taken = await alternate(
      rounds,
      () => measure(count, 'bare-broker', 'bare-fleet', undefined),
      () => measure(count, 'our-server', 'our-fleet', profileDir),
      compare === undefined || count > COMPARED_MAX ? undefined : () => measureBefore(compare, count),
    );
    results.push(...resultsOf(taken, count));
  }
  return results;
}

/** Measures what `tapbench sim` of another checkout shows from outside: when all are online. */
async function measureBefore(compare: string, count: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  try {
    const onlineAtMs = [await measureOtherFleet(compare, folder, count)];
    const unknown = Number.NaN;
    const memory = { fleet: unknown, server: unknown };
    return { onlineAtMs, cpuMs: unknown, bytes: unknown, serverCpuMs: unknown, memory };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs new processes, so that earlier rounds have no effect. */
async function measure(
  count: number,
  serverProgram: string,
  fleetProgram: string,
  profileDir: string | undefined,
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-bench-'));
  const server = startChild(serverProgram, { exposeGc: true, profileDir });
  const fleet = startChild(fleetProgram, { exposeGc: true, profileDir });
  try {
    const started = await server.ask<Omit<FleetOrder, 'count'>>('start', {
      dataDir: join(folder, 'ours'),
      withTerminal: false,
    });
    const connect = async () => {
      const before = await server.ask<ProcessUsage>('usage');
      const result = await fleet.ask<FleetResult>('connect', { ...started, count } satisfies FleetOrder);
      const { cpuMs, bytes } = await server.ask<ProcessUsage>('usage');
      const memory = { fleet: result.bytes, server: bytes - before.bytes };
      return { ...result, serverCpuMs: cpuMs - before.cpuMs, memory };
    };
    const first = await connect();
    const takesSecond = count >= MEMORY_TERMINALS_MIN && count < WHOLE_MEMORY_TERMINALS_MIN;
    return takesSecond ? { ...first, memory: (await connect()).memory } : first;
  } finally {
    await fleet.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultsOf(taken: Rounds, count: number): Result[] {
  const fleet = `fleet of ${count.toLocaleString('en-GB')}`;
  const largest = count === SIZES.at(-1)!.count;
  const secondsOf = ({ onlineAtMs }: Measured) => onlineAtMs.at(-1)! / 1000;
  const seconds = median(taken.map(({ ours }) => secondsOf(ours)));
  const rows = [
    rowOf(taken, `${fleet}: terminals online`, '/s', (measured) => count / secondsOf(measured), {
      aim: `at least ${RATE_MIN} of bare${largest ? `, or all in ${LARGEST_SECONDS_MAX} s` : ''}`,
      isMet: ({ ratio }) => ratio >= RATE_MIN || (largest && seconds <= LARGEST_SECONDS_MAX),
      details: [
        `${taken.length} rounds, each with new processes; all online after ${seconds.toFixed(1)} s`,
        'ours: what `tapbench sim` does at a server that stores: registers, pairs and connects them; each reports who it is and asks for its action',
        `CPU of a terminal, in its process and in the server's: ${cpuOf(taken, 'ours', count)}; bare ${cpuOf(taken, 'bare', count)}`,
        'bare: mqtt.js clients and aedes, connected with a last will and subscribed to the same two filters',
      ],
    }),
  ];
  if (count > HUNDRED) {
    const growth = median(taken.map(({ ours }) => lastRate(ours) / firstRate(ours)));
    rows.push(
      rowOf(taken, `${fleet}: the last hundred`, '/s', lastRate, {
        aim: `at least ${LAST_RATE_MIN} of the first hundred`,
        isMet: () => growth >= LAST_RATE_MIN,
        details: [`${growth.toFixed(2)} of the first hundred of the same fleet`],
      }),
    );
  }
  if (count >= MEMORY_TERMINALS_MIN) rows.push(...memoryRows(taken, fleet, count));
  return rows;
}

function cpuOf(taken: Rounds, side: 'ours' | 'bare', count: number): string {
  const ms = (value: (measured: Measured) => number) =>
    `${(median(taken.map((round) => value(round[side]))) / count).toFixed(2)} ms`;
  return `${ms(({ cpuMs }) => cpuMs)} and ${ms(({ serverCpuMs }) => serverCpuMs)}`;
}

function memoryRows(taken: Rounds, fleet: string, count: number): Result[] {
  const atMost = (kilobytesMax: number) => ({
    aim: `at most ${kilobytesMax} KB`,
    isMet: ({ ours }: { ours: number }) => ours <= kilobytesMax,
  });
  const kilobytes = ({ memory }: Measured, side: keyof Measured['memory']) => memory[side] / count / 1024;
  const how =
    count < WHOLE_MEMORY_TERMINALS_MIN
      ? `a second fleet of ${count} in the same processes takes: what the first one loads and compiles is not counted`
      : `all ${count} take, less that before the first`;
  return [
    rowOf(taken, `${fleet}: memory of a terminal`, 'KB', (measured) => kilobytes(measured, 'fleet'), {
      ...atMost(TERMINAL_KB_MAX),
      details: [`resident memory of the process, after a collection of garbage, that ${how}`],
    }),
    rowOf(taken, `${fleet}: its share of the server`, 'KB', (measured) => kilobytes(measured, 'server'), {
      ...atMost(SERVER_KB_MAX),
      details: ['the same of the process of the server; of the broker alone for bare'],
    }),
  ];
}

const HUNDRED = 100;

/** Terminals a second between the first of a hundred and its last. */
function rateOf(instantsMs: readonly number[]): number {
  return ((instantsMs.length - 1) * 1000) / (instantsMs.at(-1)! - instantsMs[0]!);
}

const firstRate = ({ onlineAtMs }: Measured) => rateOf(onlineAtMs.slice(0, HUNDRED));
const lastRate = ({ onlineAtMs }: Measured) => rateOf(onlineAtMs.slice(-HUNDRED));

interface Aim {
  aim: string;
  isMet(medians: { ours: number; ratio: number }): boolean;
  details: string[];
}

function rowOf(
  taken: Rounds,
  name: string,
  unit: Result['unit'],
  value: (measured: Measured) => number,
  { aim, isMet, details }: Aim,
): Result {
  const ratio = spreadOf(taken.map(({ ours, bare }) => value(ours) / value(bare)));
  const ours = median(taken.map((round) => value(round.ours)));
  const bare = median(taken.map((round) => value(round.bare)));
  const before = medianBefore(taken, value);
  const met = isMet({ ours, ratio: ratio.median });
  return { name, unit, ours, bare, before, ratio, aim, met, details };
}

/**
 * Measures `tapbench sim` of another checkout at a server of its own.
 * @returns the milliseconds until `count` terminals are online, less those for one, in which its process starts
 */
async function measureOtherFleet(checkout: string, dataDir: string, count: number): Promise<number> {
  const server = await startOtherServer(checkout, dataDir);
  const timeOf = async (terminals: number) => {
    const startNs = process.hrtime.bigint();
    const stop = await startOtherTerminals(checkout, server, terminals);
    const ms = msSince(startNs);
    await stop();
    return ms;
  };
  try {
    const startMs = await timeOf(1);
    return (await timeOf(count)) - startMs;
  } finally {
    await server.stop();
  }
}
