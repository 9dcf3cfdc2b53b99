import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { gzipSync } from 'node:zlib';
import type { RunLogLine, LoggedHunt, LoggedTest } from '../run-log/run-log-format.ts';
import type { TakenStep } from '../../server/dashboard/chart/marks.ts';
import type { MachineShape } from '../../server/dashboard/view.ts';
import type { CountedSteps } from './coverage.ts';
import type { TestCall } from '../run-log/test-calls.ts';
import type { WorldTimeline } from './report-data.ts';

/** A line, with the name of its world, unique across workers. */
interface ReadLine {
  line: RunLogLine;
  world: string;
}

interface RunLogReader {
  /** Returns the lines since the last call. Lines of one world are in order. */
  read(): ReadLine[];
}

const CHUNK_BYTES = 1 << 18;

/** Reads the log of a test run as it grows. */
export function createRunLogReader(folder: string): RunLogReader {
  const places = new Map<string, { position: number; decoder: StringDecoder; begun: string }>();
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);

  function readFile(name: string): ReadLine[] {
    const place = places.get(name) ?? { position: 0, decoder: new StringDecoder('utf8'), begun: '' };
    places.set(name, place);
    const found: ReadLine[] = [];
    const descriptor = openSync(join(folder, name), 'r');
    try {
      for (;;) {
        const bytes = readSync(descriptor, buffer, 0, CHUNK_BYTES, place.position);
        if (bytes === 0) return found;
        place.position += bytes;
        const lines = (place.begun + place.decoder.write(buffer.subarray(0, bytes))).split('\n');
        // A worker may be in the middle of a line.
        place.begun = lines.pop()!;
        for (const text of lines) found.push(lineOf(name, text));
      }
    } finally {
      closeSync(descriptor);
    }
  }

  return { read: () => readdirSync(folder).sort().flatMap(readFile) };
}

function lineOf(file: string, text: string): ReadLine {
  const line = JSON.parse(text) as RunLogLine;
  return { line, world: `${file} ${'world' in line ? line.world : 0}` };
}

// Bounds the size of a report: some tests repeat a call thousands of times.
const ENTRIES_MAX = 1_000;

/** A timeline as the workers recorded it. */
export interface RecordedTimeline extends WorldTimeline {
  /** Calls of the test file; of a world with a trace. */
  calls?: TestCall[];
}

/** The recorded entries of a run, by test. */
interface RunRecord {
  add(lines: readonly ReadLine[]): void;
  /** Removes the timelines of these tests and returns them. */
  release(matches: (testId: string) => boolean): RecordedTimeline[];
  /** Removes the hunts of a test and returns them: those of its last attempt. */
  releaseHunts(testId: string): LoggedHunt[];
  shapes(): MachineShape[];
  /** Steps of a machine over all tests so far. */
  steps(machineId: string): CountedSteps;
  /** Number of worlds that the tests started. */
  worlds(): number;
  /** Returns the current test of a world. */
  testOf(world: string): LoggedTest | undefined;
}

export function createRunRecord(): RunRecord {
  const timelines = new Map<string, RecordedTimeline>();
  const worlds = new Map<string, LoggedTest>();
  const hunts = new Map<string, { attempt: number; of: LoggedHunt[] }>();
  const shapes = new Map<string, MachineShape>();
  const steps = new Map<string, Map<string, { step: TakenStep; times: number }>>();

  function count(machineId: string, { event, from, state }: TakenStep): void {
    const counted = steps.get(machineId) ?? new Map<string, { step: TakenStep; times: number }>();
    steps.set(machineId, counted);
    const key = JSON.stringify([from, event, state]);
    const known = counted.get(key);
    if (known) known.times += 1;
    else counted.set(key, { step: { event, from, state }, times: 1 });
  }

  function addHunt({ id, attempt }: LoggedTest, hunt: LoggedHunt): void {
    const known = hunts.get(id);
    if (known?.attempt === attempt) known.of.push(hunt);
    else hunts.set(id, { attempt, of: [hunt] });
  }

  function timelineOf(world: string, { id, attempt }: LoggedTest): RecordedTimeline {
    const key = JSON.stringify([world, id, attempt]);
    const timeline = timelines.get(key) ?? { testId: id, attempt, entries: [], dropped: 0 };
    timelines.set(key, timeline);
    return timeline;
  }

  return {
    add(lines) {
      for (const { line, world } of lines) {
        if (line.kind === 'shape') {
          shapes.set(line.shape.machineId, line.shape);
          continue;
        }
        if (line.kind === 'hunt') {
          addHunt(line.test, line.hunt);
          continue;
        }
        if (line.test) worlds.set(world, line.test);
        if (line.kind === 'world') continue;
        if (line.kind === 'trace') {
          Object.assign(timelineOf(world, line.test), { trace: line.file, calls: line.calls });
          continue;
        }
        const timeline = timelineOf(world, worlds.get(world)!);
        if (timeline.entries.length < ENTRIES_MAX) timeline.entries.push(line.entry);
        else timeline.dropped += 1;
        if (line.entry.step) count(line.entry.step.machineId, line.entry.step);
      }
    },
    release(matches) {
      const released = [...timelines].filter(([, { testId }]) => matches(testId));
      for (const [key] of released) timelines.delete(key);
      return released.map(([, timeline]) => timeline);
    },
    releaseHunts(testId) {
      const { of = [] } = hunts.get(testId) ?? {};
      hunts.delete(testId);
      return of;
    },
    shapes: () => [...shapes.values()],
    steps: (machineId) => steps.get(machineId) ?? new Map(),
    worlds: () => worlds.size,
    testOf: (world) => worlds.get(world),
  };
}

/** Compresses timelines for a report. */
export function packTimelines(timelines: readonly WorldTimeline[]): Buffer {
  return gzipSync(JSON.stringify(timelines), { level: 7 });
}
