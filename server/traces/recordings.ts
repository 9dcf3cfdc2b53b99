import type { Dashboard } from '../dashboard/serve-dashboard.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Services } from '../platform/services.ts';
import type { TraceLimits } from './trace-items.ts';
import { startRecorder, type ServerEnd, type TraceRecorder } from './trace-recorder.ts';

/** Recordings that a sandbox holds at once, ended ones included. */
const RECORDINGS_MAX = 5;
const LIMITS: TraceLimits = { items: 100_000, characters: 64_000_000 };

/** A recording of a sandbox, which this process holds. */
export interface Recording {
  id: string;
  title: string;
  startedMs: number;
  /** Null while it is under way. */
  endedMs: number | null;
  items: number;
}

interface Held {
  listed: ReadonlyMap<string, TraceRecorder>;
  unlisted: ReadonlySet<TraceRecorder>;
  /** Number of those that were ever listed. */
  readonly count: number;
}

/** Records spans of a sandbox as trace files. */
export interface Recordings {
  /** Starts one. @throws Refusal `too_many_recordings` */
  start(title: string): Promise<Recording>;
  list(): Recording[];
  find(id: string): Recording | undefined;
  /** Returns the file of one, which ends it. */
  file(id: string): Promise<Buffer>;
  remove(id: string): Promise<void>;
  /** Whether a recording is under way, which the end of the process would lose. */
  isRecording(): boolean;
  /** Starts a recorder that is not listed. */
  startRecorder(title: string): Promise<TraceRecorder>;
  /** Goes on with what another server on the same store was recording, which ended. */
  continueFrom(other: Recordings, ended: ServerEnd): void;
  /** Those under way and those that have ended. */
  readonly held: Held;
}

/** What the routes of recordings need: the services of the platform, and the recordings of the sandbox. */
export interface RecordedServices extends Services {
  /** None with live keys. */
  recordings: Recordings | undefined;
}

/** Creates the recordings of a sandbox. */
export function createRecordings(services: Services, dashboard: Dashboard, idle: () => boolean): Recordings {
  const recorders = new Map<string, TraceRecorder>();
  const unlisted = new Set<TraceRecorder>();
  let count = 0;
  const startOne = (title: string) => startRecorder({ services, dashboard, idle, title, limits: LIMITS });

  function show(id: string, { header, endMs, size }: TraceRecorder): Recording {
    return { id, title: header.title, startedMs: header.clockMs, endedMs: endMs ?? null, items: size };
  }

  return {
    held: {
      listed: recorders,
      unlisted,
      get count() {
        return count;
      },
    },
    async startRecorder(title) {
      const recorder = await startOne(title);
      unlisted.add(recorder);
      return recorder;
    },
    continueFrom({ held }, ended) {
      for (const [id, recorder] of held.listed) recorders.set(id, recorder);
      for (const recorder of held.unlisted) unlisted.add(recorder);
      ({ count } = held);
      for (const recorder of [...recorders.values(), ...unlisted])
        recorder.continueWith({ services, dashboard, idle }, ended);
    },
    isRecording: () => [...recorders.values()].some(({ endMs }) => endMs === undefined),
    async start(title) {
      if (recorders.size >= RECORDINGS_MAX)
        throw new Refusal('too_many_recordings', { limit: RECORDINGS_MAX });
      const recorder = await startOne(title);
      // Not random: an id of the sandbox's own would change those that come after it.
      const id = `rec_${(count += 1)}`;
      recorders.set(id, recorder);
      return show(id, recorder);
    },
    list: () => [...recorders].map(([id, recorder]) => show(id, recorder)),
    find(id) {
      const recorder = recorders.get(id);
      return recorder && show(id, recorder);
    },
    file: (id) => recorders.get(id)!.file(),
    async remove(id) {
      recorders.get(id)?.end();
      recorders.delete(id);
    },
  };
}

/** Returns the recordings of a sandbox, where their routes are served. */
export function recordingsOf({ recordings }: RecordedServices): Recordings {
  if (!recordings) throw new Error('a server with live keys has no recordings');
  return recordings;
}
