import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import { withCommandTrials } from '../../../testing/hunt/command/hunt-command.ts';
import { createHuntEnd } from '../../../testing/hunt/hunt-end.ts';
import type { ShopCall } from '../../../world/shop-calls.ts';
import type { CommandContext } from '../../command-line/command-context.ts';
import type { RunOptions } from '../run-cases.ts';
import { seededAmount } from '../seeded-amount.ts';
import { calmRuns, createTillBench, type TillBench, type TillScenario } from './till-bench.ts';

interface TillParts {
  /** Command line that starts it. */
  command: string;
  /** Command lines of what runs beside it, by name. */
  processes: Readonly<Record<string, string>>;
  /** Path to which an order is posted; undefined where it sells by itself. */
  sell: string | undefined;
  /** What else is posted to it, by the names of their files. */
  files: readonly TillScenario[];
  store: string | undefined;
  terminals: number;
  books: string | undefined;
  webhooks: string | undefined;
  speed: number;
  /** Seconds. */
  quiet: number;
  jobs: number;
  seed: string;
  /** Folder of the traces. */
  out: string;
}

/** No certificate takes as long. */
const SECONDS_MAX = 86_400;

/** Gets sandboxes ready in which a till runs, and calls `use` with what opens a case. Closes them when that has ended. */
export async function withTill<T>(
  context: CommandContext,
  parts: TillParts,
  use: (open: RunOptions<TillBench>['open']) => Promise<T>,
): Promise<T> {
  const { command, processes, store, terminals, books, webhooks, speed, quiet, jobs, seed, out } = parts;
  const order = { orderId: 'order-1', amount: seededAmount(seed, 'till') };
  const end = createHuntEnd({ seconds: SECONDS_MAX, stop: context.interrupted });
  const shop = {
    command,
    processes,
    order,
    store,
    terminals,
    books,
    webhooks,
    speed,
    quietSeconds: quiet,
    jobs,
    env: context.env,
  };
  const scenarios = scenariosOf(parts, order);
  const result = await withCommandTrials(shop, end, async (tryPlan) => {
    const calm = calmRuns(tryPlan, scenarios);
    const open: RunOptions<TillBench>['open'] = async (id) => {
      let trace: Buffer | undefined;
      const onTrace = (taken: Buffer) => (trace = taken);
      return {
        bench: createTillBench({ tryPlan, scenarios, calm, onTrace }),
        async close() {
          if (!trace) return null;
          const file = `${id}.tapbench`;
          writeTrace(join(out, file), trace);
          return file;
        },
      };
    };
    return { value: await use(open) };
  });
  context.interrupted.throwIfAborted();
  return result!.value;
}

/** Returns what a till is asked to do: a sale, the same twice at once, and what its files say. */
function scenariosOf(
  { sell, files }: Pick<TillParts, 'sell' | 'files'>,
  order: ShopCall['body'],
): TillScenario[] {
  if (sell === undefined) return files.length > 0 ? [...files] : [{ name: 'sell', calls: undefined }];
  const call: ShopCall = { path: sell, body: order };
  return [
    { name: 'sell', calls: [call] },
    { name: 'sell twice at once', calls: [call, { ...call, beside: true }] },
    ...files,
  ];
}

function writeTrace(path: string, trace: Buffer): void {
  try {
    writeFileSync(path, trace);
  } catch (thrown) {
    throw new Fault('bad_setting', `--out: ${path} cannot be written: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
}
