import { delay, type Clock } from '../../../protocol/clock.ts';
import { type VirtualClock, turn } from '../../../world/virtual-clock.ts';
import type { ShopCall } from '../../../world/shop-calls.ts';
import type { ShopEnvironment } from '../../../world/shop-variables.ts';
import type { World } from '../../world/world.ts';
import type { HuntedFault, IntegratorFault } from '../hunted-fault.ts';
import { NO_STOPS } from '../integrator.ts';
import { tellStop, type Judgement } from '../plan-on-world.ts';
import { recordStory } from '../story/record-story.ts';
import { createQuiet } from './quiet.ts';
import type { SandboxPort } from './sandbox-port.ts';
import { createCustomers } from './customers.ts';
import { openCommandProcess, type CommandProcess, type ProcessParts } from './command-process.ts';

/** What a hunt does with each plan, where the shop is a process of its own. */
export interface CommandSetUp extends Judgement {
  command: string;
  /** Command lines of the processes beside it, by name. */
  processes: Readonly<Record<string, string>>;
  /** A path that the process serves, or a command line that prints them; undefined for none. */
  books: string | undefined;
  /** What is posted to the process to sell; none where the command sells by itself. */
  calls: readonly ShopCall[];
  /** A file or a folder of which each plan gets a copy as the store of the process; undefined for none. */
  store: string | undefined;
  /** Variables of the process, besides what it is told. */
  env: Record<string, string | undefined>;
  /** What the process is told, besides what each plan has of its own. */
  told: Omit<ShopEnvironment, 'url' | 'store'> & { port: number };
  speed: number;
  quietMs: number;
  /** Real time that the process gets at most. */
  limitMs: number;
  real: Clock;
  /** Aborted when the hunt is over: the trial under way then throws. */
  over: AbortSignal | undefined;
}

const TICK_MS = 4;
// What happens within a world takes some turns of the event loop. On a busy machine time must not outrun it.
const STEP_MS_MAX = 250;

/** Lets the time of a world pass with real time, `speed` times as fast, until `work` has ended. */
async function letTimePass(
  clock: VirtualClock,
  { real, speed }: Pick<CommandSetUp, 'real' | 'speed'>,
  work: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  clock.settleWith(turn);
  const pass = async () => {
    for (let lastMs = real.nowMs(); !isOver;) {
      await delay(real, TICK_MS);
      const nowMs = real.nowMs();
      await clock.advance(Math.min((nowMs - lastMs) * speed, STEP_MS_MAX));
      lastMs = nowMs;
    }
  };
  const passed = pass();
  try {
    await work();
  } finally {
    isOver = true;
    await passed;
  }
}

/** Longer than all attempts of a webhook take. */
const QUIET_MINUTES = 60;
// What a process does after an hour gets an hour too. Some never come to rest.
const QUIET_HOURS_MAX = 3;

interface SceneParts {
  /** Returns how many events were sent to the process so far. */
  deliveries(): number;
  /** The faults that strike; undefined for none. */
  plan: readonly HuntedFault[] | undefined;
  /** Called with the index of each step of the story. */
  onStep(index: number): void;
}

/** Opens the shop's process with its way to the sandbox, and the time of both. */
export async function openCommandScene(
  fork: World,
  setUp: CommandSetUp,
  { deliveries, plan, onStep }: SceneParts,
) {
  const { told, calls, real, over, quietMs, limitMs } = setUp;
  const { server, clock } = fork;
  const { settings } = server.services;
  const stopped = new Set<IntegratorFault>();
  let isUnfinished = false;
  // The time that has passed since the sandbox was prepared.
  await clock.advance(Math.max(0, real.nowMs() - clock.nowMs()));
  const story = recordStory(fork, { orderMember: setUp.orderMember, plan }, onStep);
  const onStop = (fault: IntegratorFault) => (stopped.add(fault), tellStop(fork, fault));
  const urlOf = (path: string) => settings.publicUrl + path;
  const parts = { fork, real, speed: setUp.speed, over, story, urlOf, onStop };
  const { shop, beside, all, ports } = await openProcesses(setUp, parts);
  settings.publicUrl = shop.port.url;
  const quiet = createQuiet({ fork, port: ports, real, quietMs, over });
  const untilQuiet = (goesOn: () => boolean) => quiet.until({ endMs: Infinity, goesOn });
  const customers = createCustomers(calls, { port: told.port, clock: real, quiet: untilQuiet });
  const isRunning = () => all.some((process) => process.isRunning);
  // A shop that has ended sells no more.
  const isSelling = () => shop.isRunning && !customers.isDone;
  const waits = () => all.some(({ isDown, isStarting }) => isDown || isStarting) || isSelling();

  return {
    url: shop.port.url,
    endStory: story.end,
    /** Returns the faults that have not stopped the process. */
    unstopped: (stops: readonly IntegratorFault[]) => stops.filter((fault) => !stopped.has(fault)),
    /** Returns whether the process was still selling when its time was over. */
    isUnfinished: () => isUnfinished,
    seen: () => ({
      restartable: shop.requests,
      processes: Object.fromEntries(
        beside.map(({ name, requests }) => [name, { ...NO_STOPS, request: requests }]),
      ),
      recoveries: all.flatMap(({ recovery }) => recovery ?? []),
      output: shop.last?.lastOutput ?? '',
    }),
    async run(env: Record<string, string | undefined>, stops: readonly IntegratorFault[]): Promise<void> {
      const endMs = real.nowMs() + limitMs * Math.max(1, calls.length);
      let isOver = false;
      const goesOn = () => real.nowMs() < endMs && !isOver;
      await letTimePass(clock, setUp, async () => {
        for (const process of all) process.start(env, stops);
        const sent = customers.send(goesOn);
        try {
          await quiet.until({ endMs, waits, goesOn: isRunning });
        } finally {
          isOver = true;
          isUnfinished = real.nowMs() >= endMs;
          await sent;
        }
      });
    },
    assertSold: () => assertSold(all, customers.problem),
    passQuietHours: (isWaitedFor: boolean) =>
      passQuietHours(setUp, {
        clock,
        quiet,
        isRunning,
        waits: isWaitedFor,
        activity: () => ports.passed + deliveries(),
      }),
    async close(): Promise<void> {
      await Promise.all(all.map((process) => process.close()));
      clock.settleWith(fork.settled);
    },
  };
}

/** Opens the process of the shop and those beside it, in the order in which they are started, and all their ports as one. */
async function openProcesses({ command, processes, told }: CommandSetUp, parts: ProcessParts) {
  const shop = await openCommandProcess({ name: undefined, command, listensOn: told.port }, parts);
  const open = ([name, line]: [string, string]) =>
    openCommandProcess({ name, command: line, listensOn: undefined }, parts);
  const beside = await Promise.all(Object.entries(processes).map(open));
  const all = [shop, ...beside];
  const sum = (count: (port: SandboxPort) => number) => all.reduce((most, { port }) => most + count(port), 0);
  const ports = {
    get open() {
      return sum(({ open: left }) => left);
    },
    get passed() {
      return sum(({ passed }) => passed);
    },
  };
  return { shop, beside, all, ports };
}

interface QuietParts {
  clock: VirtualClock;
  quiet: ReturnType<typeof createQuiet>;
  /** Whether a process runs. */
  isRunning(): boolean;
  /** Whether the process is waited for also when nothing reached it or came from it in that hour. */
  waits: boolean;
  /** Returns how much has reached the process or come from it. */
  activity(): number;
}

/** Lets an hour pass, and another one when the process did something meanwhile. */
async function passQuietHours(
  setUp: Pick<CommandSetUp, 'real' | 'speed' | 'limitMs' | 'over'>,
  { clock, quiet, isRunning, waits, activity }: QuietParts,
): Promise<void> {
  const endMs = setUp.real.nowMs() + setUp.limitMs;
  for (let hours = 0, before = -1; hours < QUIET_HOURS_MAX && before !== activity(); hours += 1) {
    before = activity();
    clock.settleWith(quiet.settled);
    await clock.advance(QUIET_MINUTES * 60_000, setUp.over);
    if (!waits && activity() === before) return;
    // What the process begins now ends only while time passes.
    await letTimePass(clock, setUp, () => quiet.until({ endMs, goesOn: isRunning }));
  }
}

/** @throws Error unless processes, of which the first is the shop, have sent requests and none has failed */
function assertSold(all: readonly CommandProcess[], problemOfCalls: string | undefined): void {
  all.forEach(assertNotFailed);
  const shop = all[0]!;
  if (problemOfCalls !== undefined) throw new Error(`${problemOfCalls}${saidBy(shop)}`);
  if (all.every(({ requests }) => requests === 0))
    throw new Error(`the command sent no request to TAPBENCH_URL${saidBy(shop)}`);
}

/** @throws Error when a process has ended with another exit code than 0 */
function assertNotFailed(process: CommandProcess): void {
  const { name, last } = process;
  const which = name === undefined ? 'the command' : `the process ${name}`;
  if (last?.code !== undefined && last.code !== 0)
    throw new Error(`${which} failed with exit code ${last.code} without any fault${saidBy(process)}`);
}

function saidBy({ last }: CommandProcess): string {
  const said = last?.lastOutput.trim() ?? '';
  return said === '' ? '' : `:\n${said}`;
}
