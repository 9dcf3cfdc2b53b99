import { Fault } from '../../protocol/failures.ts';
import { describeFault } from '../../testing/hunt/hunted-fault.ts';
import { describeStory } from '../../testing/hunt/story/story-text.ts';
import type { ServerApi } from '../client/api-client.ts';
import { EXIT } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { runCommandLine } from '../command-line/run-command.ts';
import { describeSandbox } from '../drills/await-integration.ts';
import type { Drill } from '../drills/drill.ts';
import { createDrillSandbox, type DrillSandbox } from '../drills/drill-sandbox.ts';
import { DRILLS } from '../drills/drills.ts';
import { playDrill } from '../drills/play-drill.ts';
import { runDrill, type DrillResult } from '../drills/run-drill.ts';
import { loadHuntEngine, type HuntFound, type HuntResult } from '../hunt/hunt-engine.ts';
import { notJudgedSentence } from '../hunt/hunt-text.ts';
import { traceFile, writeFind } from '../hunt/kept-find.ts';

/** The shop with which the command was started. An agent cannot name another: it would run any command. */
export interface OwnShop {
  /** Command line that starts it. */
  command: string | undefined;
  /** Path that sells, as `tapbench hunt` takes it. */
  sell: string | undefined;
  books: string | undefined;
  webhooks: string | undefined;
  /** Command lines of what runs beside it, by name. */
  processes: Readonly<Record<string, string>>;
}

interface HuntInputs {
  seed: string;
  plans: number;
  seconds: number;
  maxFaults: number;
}

/** Runs shops under faults, for the tools. */
export interface ShopRuns {
  /**
   * Plays a drill in a sandbox of its own.
   * @throws Fault `bad_setting` for the own shop where the command was started without one
   */
  playDrill(name: string, integration: 'wrong' | 'right' | 'own'): Promise<DrillResult & { sandbox: string }>;
  /** Tries plans of faults on the own shop. @throws Fault `bad_setting` without one */
  hunt(inputs: HuntInputs): Promise<object>;
}

const SPEED = 20;
const QUIET_SECONDS = 2;

export function createShopRuns(context: CommandContext, shop: OwnShop, host: () => ServerApi): ShopRuns {
  return {
    async playDrill(name, integration) {
      const drill = DRILLS[name]!;
      const isOwn = integration === 'own';
      const command = isOwn ? commandOf(shop) : '';
      const [beside] = Object.keys(shop.processes);
      if (isOwn && beside !== undefined)
        throw new Fault(
          'bad_setting',
          `a drill plays the shop without ${beside} of --process: hunt in it, or certify it`,
        );
      const sandbox = await createDrillSandbox(context, {
        host: host(),
        name,
        drill,
        from: undefined,
        keepsWebhooks: isOwn,
      });
      const result = isOwn
        ? await judgeCommand(context, { name, drill, sandbox, command })
        : await playDrill(name, drill, { ...sandbox, isRight: integration === 'right' });
      return { sandbox: sandbox.name, ...result };
    },
    async hunt(inputs) {
      const { sell, books, webhooks, processes } = shop;
      const command = commandOf(shop);
      const engine = await loadHuntEngine(context);
      const result = await engine.huntCommand({
        ...inputs,
        all: false,
        onTry: () => {},
        stop: context.interrupted,
        command,
        sell,
        processes,
        calls: undefined,
        store: undefined,
        terminals: 1,
        books,
        webhooks,
        speed: SPEED,
        quietSeconds: QUIET_SECONDS,
        jobs: 1,
        env: context.env,
      });
      return huntReport(result, inputs.seed);
    },
  };
}

/** Returns the command line of the own shop. @throws Fault `bad_setting` where the command was started without one */
export function commandOf({ command }: OwnShop): string {
  if (command !== undefined) return command;
  throw new Fault('bad_setting', "no shop was named: start it as tapbench mcp --shop 'node shop.js'");
}

interface OwnDrill {
  name: string;
  drill: Drill;
  sandbox: DrillSandbox;
  command: string;
}

function judgeCommand(
  context: CommandContext,
  { name, drill, sandbox, command }: OwnDrill,
): Promise<DrillResult> {
  return runDrill(name, drill, sandbox, async (running) => {
    const code = await runCommandLine(command, context, describeSandbox(sandbox));
    await running.observe();
    running.tell('shop', `the command has ended with the exit code ${code}`);
    const failure = `the command failed: it ended with the exit code ${code}`;
    return { readBooks: async () => undefined, ...(code !== EXIT.ok && { failure }) };
  });
}

function huntReport({ found, others: _others, ...counts }: HuntResult, seed: string): object {
  const { plans, endedBy, warnings, tried, notReached } = counts;
  return {
    verdict: found?.verdict ?? null,
    notJudged: notJudgedSentence(counts) ?? null,
    seed,
    plans,
    endedBy,
    notReached,
    warnings,
    ...(found ? foundReport(found, seed) : { struck: tried.filter(({ struck }) => struck > 0) }),
  };
}

function foundReport({ plan, confirmed, story, orders, trace, example, output }: HuntFound, seed: string) {
  return {
    plan: plan.map(describeFault),
    example,
    confirmed,
    story: describeStory({ story, orders }),
    orders,
    trace: writeFind(traceFile(undefined, seed, 1), trace),
    ...(output !== undefined && { output }),
  };
}
