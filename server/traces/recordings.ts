import type { Dashboard } from '../dashboard/serve-dashboard.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Services } from '../platform/services.ts';
import type { PackedTrace } from './trace-file.ts';
import type { TraceLimits } from './trace-items.ts';
import { startRecording, type ServerEnd, type Recording } from './recording.ts';

/** Recordings that a sandbox holds at once, ended ones included. */
const RECORDINGS_MAX = 5;
const LIMITS: TraceLimits = { items: 100_000, characters: 64_000_000 };

/** A recording of a sandbox, which this process holds. */
export interface RecordingSummary {
  id: string;
  title: string;
  startedMs: number;
  /** Null while it is under way. */
  endedMs: number | null;
  items: number;
}

interface Held {
  listed: ReadonlyMap<string, Recording>;
  unlisted: ReadonlySet<Recording>;
  /** Number of those that were ever listed. */
  readonly count: number;
}

/** The recordings of a sandbox, each of which becomes a trace file. */
export interface Recordings {
  /** Starts one. @throws Refusal `too_many_recordings` */
  start(title: string): Promise<RecordingSummary>;
  list(): RecordingSummary[];
  find(id: string): RecordingSummary | undefined;
  /** Returns the file of one, which ends it. */
  file(id: string): Promise<Buffer>;
  /** Returns what one has recorded so far. */
  trace(id: string): Promise<PackedTrace>;
  remove(id: string): Promise<void>;
  /** Whether a recording is under way, which the end of the process would lose. */
  isRecording(): boolean;
  /** Starts one that is not listed. */
  startUnlisted(title: string): Promise<Recording>;
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
  const listed = new Map<string, Recording>();
  const unlisted = new Set<Recording>();
  let count = 0;
  const startOne = (title: string) => startRecording({ services, dashboard, idle, title, limits: LIMITS });

  function show(id: string, { header, endMs, size }: Recording): RecordingSummary {
    return { id, title: header.title, startedMs: header.clockMs, endedMs: endMs ?? null, items: size };
  }

  return {
    held: {
      listed,
      unlisted,
      get count() {
        return count;
      },
    },
    async startUnlisted(title) {
      const recording = await startOne(title);
      unlisted.add(recording);
      return recording;
    },
    continueFrom({ held }, ended) {
      for (const [id, recording] of held.listed) listed.set(id, recording);
      for (const recording of held.unlisted) unlisted.add(recording);
      ({ count } = held);
      for (const recording of [...listed.values(), ...unlisted])
        recording.continueWith({ services, dashboard, idle }, ended);
    },
    isRecording: () => [...listed.values()].some(({ endMs }) => endMs === undefined),
    async start(title) {
      if (listed.size >= RECORDINGS_MAX) throw new Refusal('too_many_recordings', { limit: RECORDINGS_MAX });
      const recording = await startOne(title);
      // Not random: an id of the sandbox's own would change those that come after it.
      const id = `rec_${(count += 1)}`;
      listed.set(id, recording);
      return show(id, recording);
    },
    list: () => [...listed].map(([id, recording]) => show(id, recording)),
    find(id) {
      const recording = listed.get(id);
      return recording && show(id, recording);
    },
    file: (id) => listed.get(id)!.file(),
    trace: (id) => listed.get(id)!.trace(),
    async remove(id) {
      listed.get(id)?.end();
      listed.delete(id);
    },
  };
}

/** Returns the recordings of a sandbox, where their routes are served. */
export function recordingsOf({ recordings }: RecordedServices): Recordings {
  if (!recordings) throw new Error('a server with live keys has no recordings');
  return recordings;
}
