import { delay, type Clock } from '../../../protocol/clock.ts';
import { type VirtualClock, turn } from '../../../world/virtual-clock.ts';
import type { ShopCall } from '../../../world/shop-calls.ts';
import type { ShopEnvironment } from '../../../world/shop-variables.ts';
import type { World } from '../../world/world.ts';
import type { HuntedFault, IntegratorFault } from '../hunted-fault.ts';
import { createIntegrator } from '../integrator.ts';
import { tellStop, type Judgement } from '../plan-on-world.ts';
import { recordStory } from '../story/record-story.ts';
import { createQuiet } from './quiet.ts';
import { openSandboxPort } from './sandbox-port.ts';
import { createCustomers } from './customers.ts';
import { isListening, watchPort, startShop, type ShopProcess } from './shop-process.ts';

/** What a hunt does with each plan, where the shop is a process of its own. */
export interface CommandSetUp extends Judgement {
  command: string;
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
  const environment = { fetch: fork.fetch, sleep: (ms: number) => delay(real, ms) };
  let integrator = createIntegrator(environment, []);
  let shop: ShopProcess | undefined;
  let requests = 0;
  const stopped = new Set<IntegratorFault>();
  let isUnfinished = false;
  let send: typeof globalThis.fetch;
  const port = await openSandboxPort((path, init) => send(settings.publicUrl + path, init));
  settings.publicUrl = port.url;
  // The time that has passed since the sandbox was prepared.
  await clock.advance(Math.max(0, real.nowMs() - clock.nowMs()));
  const story = recordStory(fork, { orderMember: setUp.orderMember, plan }, onStep);
  send = story.recordCalls((input, init) => integrator.fetch(input, init), false);
  const quiet = createQuiet({ fork, port, real, quietMs, over });
  const untilQuiet = (goesOn: () => boolean) => quiet.until({ endMs: Infinity, goesOn });
  const customers = createCustomers(calls, { port: told.port, clock: real, quiet: untilQuiet });
  const isSelling = () => !customers.isDone;

  return {
    url: port.url,
    endStory: story.end,
    /** Returns the faults that have not stopped the process. */
    unstopped: (stops: readonly IntegratorFault[]) => stops.filter((fault) => !stopped.has(fault)),
    /** Returns whether the process was still selling when its time was over. */
    isUnfinished: () => isUnfinished,
    seen: () => ({ restartable: requests, output: shop?.lastOutput ?? '' }),
    async run(env: Record<string, string | undefined>, stops: readonly IntegratorFault[]): Promise<void> {
      const endMs = real.nowMs() + limitMs * Math.max(1, calls.length);
      let stop: IntegratorFault | undefined;
      let isOver = false;
      const goesOn = () => real.nowMs() < endMs && !isOver;
      const onStop = (fault: IntegratorFault) => (stopped.add(fault), tellStop(fork, fault));
      integrator = createIntegrator(environment, stops, { onStop });
      void integrator.stopped.then((fault) => (stop = fault));
      await letTimePass(clock, setUp, async () => {
        shop = start(setUp, env);
        const sent = customers.send(goesOn);
        try {
          await quiet.until({ endMs, waits: isSelling, goesOn: () => shop!.isRunning && !stop });
          requests = integrator.requests();
          if (!stop) return;
          // A process that listened is not quiet before it listens again.
          const isBack = (await isListening(told.port)) ? watchPort(told.port) : () => true;
          await shop.kill();
          await delay(real, (stop.downMs ?? 0) / setUp.speed);
          integrator = createIntegrator(environment, []);
          shop = start(setUp, env);
          await quiet.until({ endMs, waits: () => !isBack() || isSelling(), goesOn: () => shop!.isRunning });
        } finally {
          isOver = true;
          isUnfinished = real.nowMs() >= endMs;
          await sent;
        }
      });
    },
    assertSold: () => assertSold(shop!, customers.problem, requests),
    passQuietHours: (waits: boolean) =>
      passQuietHours(setUp, { clock, quiet, shop: shop!, waits, activity: () => port.passed + deliveries() }),
    async close(): Promise<void> {
      await shop?.kill();
      await port.close();
      clock.settleWith(fork.settled);
    },
  };
}

/** Starts the process. @throws the reason of `over`: nobody would end it */
function start({ command, real, over }: CommandSetUp, env: Record<string, string | undefined>): ShopProcess {
  over?.throwIfAborted();
  return startShop(command, env, real);
}

interface QuietParts {
  clock: VirtualClock;
  quiet: ReturnType<typeof createQuiet>;
  shop: ShopProcess;
  /** Whether the process is waited for also when nothing reached it or came from it in that hour. */
  waits: boolean;
  /** Returns how much has reached the process or come from it. */
  activity(): number;
}

/** Lets an hour pass, and another one when the process did something meanwhile. */
async function passQuietHours(
  setUp: Pick<CommandSetUp, 'real' | 'speed' | 'limitMs' | 'over'>,
  { clock, quiet, shop, waits, activity }: QuietParts,
): Promise<void> {
  const endMs = setUp.real.nowMs() + setUp.limitMs;
  for (let hours = 0, before = -1; hours < QUIET_HOURS_MAX && before !== activity(); hours += 1) {
    before = activity();
    clock.settleWith(quiet.settled);
    await clock.advance(QUIET_MINUTES * 60_000, setUp.over);
    if (!waits && activity() === before) return;
    // What the process begins now ends only while time passes.
    await letTimePass(clock, setUp, () => quiet.until({ endMs, goesOn: () => shop.isRunning }));
  }
}

/** @throws Error unless the process has sent requests and did not fail */
function assertSold(
  { code, lastOutput }: ShopProcess,
  problemOfCalls: string | undefined,
  requests: number,
): void {
  const said = lastOutput === '' ? '' : `:\n${lastOutput.trim()}`;
  if (code !== undefined && code !== 0)
    throw new Error(`the command failed with exit code ${code} without any fault${said}`);
  if (problemOfCalls !== undefined) throw new Error(`${problemOfCalls}${said}`);
  if (requests === 0) throw new Error(`the command sent no request to TAPBENCH_URL${said}`);
}
