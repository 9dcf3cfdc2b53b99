import { userWorldOf, type UserWorld } from '../world/user-world.ts';
import type { Till } from '../world/till.ts';
import type { World } from '../world/world.ts';
import { createDisk, type Disk } from './disk.ts';
import type { IntegratorFault, Observed } from './hunted-fault.ts';
import {
  createIntegrator,
  NO_STOPS,
  type IntegratorParts,
  type IntegratorProcess,
  type StopCounts,
} from './integrator.ts';
import { tellStop } from './plan-on-world.ts';
import type { StoryRecording } from './story/record-story.ts';

/** What the scenario of a hunt is given: its own sandbox, and the ways to it. */
export interface HuntScene {
  world: UserWorld;
  /** Reaches this sandbox, faults and all. */
  fetch: typeof globalThis.fetch;
  /** The till of the first terminal that was prepared. */
  till: Till;
  /** Waits on the clock of the sandbox, which goes on by itself while a scenario waits. */
  sleep(ms: number): Promise<void>;
  /** What the processes have written, empty at first: a stop takes the memory of one and leaves this. */
  disk: Disk;
  /** Sets what begins this process again after a fault has stopped it. Without it none stops it. */
  restart(begin: (scene: HuntScene) => unknown): void;
}

/** What a process did in its last start, at which it can be stopped. Of one that was started again. */
export interface Recovery {
  /** Its name; undefined for that of the scenario. */
  process: string | undefined;
  /** How often it had done each before that start. */
  before: Readonly<StopCounts>;
  /** How often it has done each in all its starts. */
  counts: Readonly<StopCounts>;
  /** What had happened before that start, where faults could strike. */
  happened: readonly Observed[];
}

/** What a process does. */
export type Work = (scene: HuntScene) => unknown;

interface ProcessParts {
  /** The first terminal that was prepared; undefined for none. */
  terminalId: string | undefined;
  stops: readonly IntegratorFault[];
  story: StoryRecording;
  /** Returns what has happened, where faults could strike. */
  observed(): Observed[];
  /** Called at each moment at which a fault can stop a process. */
  addMoment(stop: IntegratorFault): void;
}

/** The processes of a trial: that of the scenario, which has no name, and those beside it. */
interface Processes {
  /** Runs a process until its work has returned, in one of its starts. */
  run(work: Work, name?: string): Promise<void>;
  /** How often processes were started. */
  readonly begun: number;
  /** Returns how many are down, and will be started again. */
  down(): number;
  /** What processes threw that were started again after their work had returned. */
  readonly thrown: readonly unknown[];
  /** Returns how often a process did so far what it can be stopped at; nothing where it cannot be started again. */
  stoppable(name?: string): StopCounts;
  /** Returns what each process that was started again did since it was, the last time. */
  recoveries(): Recovery[];
  /** Returns the faults that have stopped no process. */
  unstopped(): IntegratorFault[];
  /** Leaves all as they are. */
  leave(): void;
}

function firstTill(world: UserWorld, terminalId: string | undefined): Till {
  if (terminalId === undefined) throw new Error('hunt: prepare opened no till');
  return world.tillOf(terminalId);
}

/** Returns what a process is given in one of its starts. */
function sceneOf(
  { fetch, sleep, endpoint }: Pick<IntegratorProcess, 'fetch' | 'sleep' | 'endpoint'>,
  { world, terminalId, disk }: Pick<ProcessParts, 'terminalId'> & { world: UserWorld; disk: Disk },
): Omit<HuntScene, 'restart'> {
  return {
    world: { ...world, receiver: (receiver: string) => endpoint(world.receiver(receiver)) },
    fetch,
    sleep,
    disk,
    get till() {
      return firstTill(world, terminalId);
    },
  };
}

export function createProcesses(
  whole: World,
  { terminalId, stops, story, observed, addMoment }: ProcessParts,
): Processes {
  const world = userWorldOf(whole);
  const openDisk = createDisk();
  const stopped = new Set<IntegratorFault>();
  const thrown: unknown[] = [];
  const all: IntegratorProcess[] = [];
  let down = 0;
  /** Those that can be started again, and those that were, by their names. */
  const restartable = new Map<string | undefined, StopCounts>();
  const recovered = new Map<string | undefined, Recovery>();
  const onStop = (fault: IntegratorFault, name?: string) => {
    stopped.add(fault);
    tellStop(whole, fault, name);
  };
  const isDown = async ({ refuse }: IntegratorProcess, ms: number): Promise<void> => {
    const listenAgain = refuse();
    down += 1;
    await whole.sleep(ms);
    down -= 1;
    listenAgain();
  };
  const sceneFor = (process: IntegratorProcess, name?: string) => {
    const fetch = story.recordCalls(process.fetch, true, name);
    return sceneOf({ ...process, fetch }, { world, terminalId, disk: openDisk(process.write) });
  };

  async function run(first: Work, name?: string): Promise<void> {
    const faults = stops.filter(({ process }) => process === name);
    const counts: StopCounts = { ...NO_STOPS };
    let begin: Work | undefined;
    const restart = (again: Work) => {
      begin = again;
      restartable.set(name, counts);
    };
    const onMoment: IntegratorParts['onMoment'] = (stop) =>
      begin && addMoment({ at: 'integrator', ...stop, ...(name !== undefined && { process: name }) });
    const parts = { onStop, onMoment, counts };
    const runOnce = async (work: Work): Promise<void> => {
      // The next process has connections of its own: what the one before still waits for never comes.
      const process = createIntegrator({ fetch: whole.fetch, sleep: whole.sleep }, faults, parts);
      all.push(process);
      const ended = Promise.resolve()
        .then(() => work(Object.assign(sceneFor(process, name), { restart })))
        .finally(process.finish);
      let hasReturned = false;
      // A process that has done its work takes events, and can be stopped then.
      const restarted = process.stopped.then(async ({ downMs = 0 }) => {
        if (!begin) return;
        if (downMs > 0) await isDown(process, downMs);
        recovered.set(name, { process: name, before: { ...counts }, counts, happened: observed() });
        await runOnce(begin);
      });
      restarted.catch((problem: unknown) => hasReturned && thrown.push(problem));
      await Promise.race([ended, restarted]);
      hasReturned = true;
    };
    await runOnce(first);
  }

  return {
    run,
    get begun() {
      return all.length;
    },
    down: () => down,
    thrown,
    stoppable: (name) => ({ ...(restartable.get(name) ?? NO_STOPS) }),
    recoveries: () => [...recovered.values()].map((each) => ({ ...each, counts: { ...each.counts } })),
    unstopped: () => stops.filter((fault) => !stopped.has(fault)),
    leave: () => all.forEach((process) => process.leave()),
  };
}
