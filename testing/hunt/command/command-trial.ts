import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { delay, type Clock } from '../../../protocol/clock.ts';
import { removeFolderSync } from '../../../protocol/system/remove-folder.ts';
import { createOutgoing } from '../../../server/platform/http/outgoing.ts';
import type { Outgoing } from '../../../server/platform/outgoing.ts';
import { shopVariables, type ShopEnvironment } from '../../../world/shop-variables.ts';
import type { World } from '../../world/world.ts';
import type { HuntedFault, IntegratorFault } from '../hunted-fault.ts';
import { warningsOf } from '../hunt-warnings.ts';
import { createIntegrator } from '../integrator.ts';
import { judge, putPlanOn, tellStop, unstruckFaults, type Judgement } from '../plan-on-world.ts';
import type { Trial } from '../trial.ts';
import { createQuiet } from './quiet.ts';
import { openSandboxPort, type SandboxPort } from './sandbox-port.ts';
import { createCashier, type Sale, readBooks } from './shop-orders.ts';
import { isListening, watchPort, startShop, type ShopProcess } from './shop-process.ts';
import { type VirtualClock, turn } from '../../../world/virtual-clock.ts';

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

/** What a hunt does with each plan, where the shop is a process of its own. */
export interface CommandSetUp extends Judgement {
  command: string;
  /** A path that the process serves, or a command line that prints them; undefined for none. */
  books: string | undefined;
  /** What is posted to the process to sell; undefined where the command sells by itself. */
  sale: Sale | undefined;
  /** Variables of the process, besides what it is told. */
  env: Record<string, string | undefined>;
  /** What the process is told, besides what each plan has of its own. */
  told: Omit<ShopEnvironment, 'url' | 'store'> & { port: number };
  speed: number;
  quietMs: number;
  /** Real time that the process gets at most. */
  limitMs: number;
  real: Clock;
  signal: AbortSignal | undefined;
}

/** What came of a plan, with the trace file of that very run. */
interface CommandTrial extends Trial {
  trace: Buffer;
  /** The end of what the process printed. */
  output: string;
}

/** Longer than all attempts of a webhook take. */
const QUIET_MINUTES = 60;
// What a process does after an hour gets an hour too. Some never come to rest.
const QUIET_HOURS_MAX = 3;

/**
 * Runs the command in a sandbox, with the faults of a plan or, without one, watching where they could strike. Then lets
 * all deadlines pass and judges.
 * @throws Error when the command does not sell anything although no fault strikes
 */
export async function tryCommand(
  prepared: World,
  setUp: CommandSetUp,
  plan: readonly HuntedFault[] | undefined,
): Promise<CommandTrial> {
  const { real, env, told, speed } = setUp;
  const fork = await prepared.fork({
    outgoing: () => atSpeed(createOutgoing({ publicOnly: false, clock: real }), speed),
  });
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-hunt-'));
  const scene = await openScene(fork, setUp);
  const variables = { ...env, ...shopVariables({ ...told, url: scene.url, store: join(folder, 'shop.db') }) };
  try {
    const recording = await fork.server.services.recordings!.start('hunt');
    const { stops, observed } = await putPlanOn(fork, plan);
    await scene.run(variables, stops);
    if (plan === undefined) scene.assertSold();
    const happened = observed();
    const left = unstruckFaults(fork).length;
    await scene.passQuietHours();
    const books = await readBooks(setUp.books, { port: told.port, env: variables, clock: real });
    const problem = books && 'problem' in books ? books.problem : undefined;
    if (plan === undefined && problem !== undefined) throw new Error(problem);
    const shop = books && 'orders' in books ? () => books : undefined;
    const unstruck = unstruckFaults(fork);
    const { verdict = problem, facts } = await judge(fork, setUp, shop);
    const trace = await fork.server.services.recordings!.file(recording.id);
    return {
      verdict,
      unstruck: [...unstruck, ...scene.unstopped(stops)],
      struckLater: unstruck.length < left,
      isUnfinished: scene.isUnfinished(),
      ...scene.seen(),
      observed: happened,
      trace,
      ...(plan === undefined && { warnings: warningsOf(setUp.orderMember, facts) }),
    };
  } finally {
    await scene.close();
    removeFolderSync(folder);
    await fork.close();
  }
}

/** Sends bodies that a fault makes slow as much faster as the time of the sandbox passes. */
function atSpeed(outgoing: Outgoing, speed: number): Outgoing {
  return {
    ...outgoing,
    post({ bodyMs = 0, timeoutMs, ...request }) {
      const sentMs = bodyMs / speed;
      const slowly = bodyMs > 0 && { bodyMs: sentMs };
      return outgoing.post({ ...request, ...slowly, timeoutMs: timeoutMs - bodyMs + sentMs });
    },
  };
}

/** The shop's process with its way to the sandbox, and the time of both. */
async function openScene(fork: World, setUp: CommandSetUp) {
  const { command, told, sale, real, signal, quietMs, limitMs } = setUp;
  const { server, clock } = fork;
  const { settings } = server.services;
  const environment = { fetch: fork.fetch, sleep: (ms: number) => delay(real, ms) };
  let integrator = createIntegrator(environment, []);
  let shop: ShopProcess | undefined;
  let requests = 0;
  const stopped = new Set<IntegratorFault>();
  let isUnfinished = false;
  const cashier = createCashier(sale, told.port, real);
  const port = await openSandboxPort((path, init) => integrator.fetch(settings.publicUrl + path, init));
  settings.publicUrl = port.url;
  // The time that has passed since the sandbox was prepared.
  await clock.advance(Math.max(0, real.nowMs() - clock.nowMs()));
  const quiet = createQuiet({ fork, port, real, quietMs, signal });

  return {
    url: port.url,
    /** Returns the faults that have not stopped the process. */
    unstopped: (stops: readonly IntegratorFault[]) => stops.filter((fault) => !stopped.has(fault)),
    /** Returns whether the process was still selling when its time was over. */
    isUnfinished: () => isUnfinished,
    seen: () => ({ restartable: requests, output: shop?.lastOutput ?? '' }),
    async run(env: Record<string, string | undefined>, stops: readonly IntegratorFault[]): Promise<void> {
      const endMs = real.nowMs() + limitMs;
      let isStopped = false;
      let isOver = false;
      const waits = () => !cashier.hasSold;
      integrator = createIntegrator(environment, stops, (fault) => {
        stopped.add(fault);
        tellStop(fork, fault);
      });
      void integrator.stopped.then(() => (isStopped = true));
      await letTimePass(clock, setUp, async () => {
        shop = startShop(command, env, real);
        const sold = cashier.sell(() => real.nowMs() < endMs && !isOver);
        try {
          await quiet.until(shop, { endMs, waits, isStopped: () => isStopped });
          requests = integrator.requests();
          if (!isStopped) return;
          // A process that listened is not quiet before it listens again.
          const isBack = (await isListening(told.port)) ? watchPort(told.port) : () => true;
          await shop.kill();
          integrator = createIntegrator(environment, []);
          shop = startShop(command, env, real);
          await quiet.until(shop, { endMs, waits: () => !isBack() || waits(), isStopped: () => false });
        } finally {
          isOver = true;
          isUnfinished = real.nowMs() >= endMs;
          await sold;
        }
      });
    },
    assertSold: () => assertSold(shop!, cashier.problem, requests),
    async passQuietHours(): Promise<void> {
      const endMs = real.nowMs() + limitMs;
      await passQuietHours(port, async () => {
        clock.settleWith(quiet.settled);
        await clock.advance(QUIET_MINUTES * 60_000);
        // What the process begins now ends only while time passes.
        await letTimePass(clock, setUp, () =>
          quiet.until(shop!, { endMs, waits: () => false, isStopped: () => false }),
        );
      });
    },
    async close(): Promise<void> {
      await shop?.kill();
      await port.close();
      clock.settleWith(fork.settled);
    },
  };
}

/** Lets an hour pass, and another one when the process did something meanwhile. */
async function passQuietHours(port: SandboxPort, passHour: () => Promise<void>): Promise<void> {
  for (let hours = 0, passed = -1; hours < QUIET_HOURS_MAX && passed !== port.passed; hours += 1) {
    passed = port.passed;
    await passHour();
  }
}

/** @throws Error unless the process has sent requests and did not fail */
function assertSold(
  { code, lastOutput }: ShopProcess,
  problemOfSale: string | undefined,
  requests: number,
): void {
  const said = lastOutput === '' ? '' : `:\n${lastOutput.trim()}`;
  if (code !== undefined && code !== 0)
    throw new Error(`the command failed with exit code ${code} without any fault${said}`);
  if (problemOfSale !== undefined) throw new Error(`${problemOfSale}${said}`);
  if (requests === 0) throw new Error(`the command sent no request to TAPBENCH_URL${said}`);
}
