import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HuntCounts } from '../../testing/hunt/hunt-tally.ts';
import type { ExamplePlan } from '../../testing/hunt/examples/example-plan.ts';
import type { HuntedFault } from '../../testing/hunt/hunted-fault.ts';
import type { OrderMoney } from '../../testing/hunt/story/order-money.ts';
import type { StoryStep } from '../../testing/hunt/story/story-step.ts';
import { parseShopCalls, type ShopCall } from '../../world/shop-calls.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { Fault, errorCode, messageOf } from '../../protocol/failures.ts';

export interface HuntLimits {
  seed: string;
  plans: number;
  seconds: number;
  maxFaults: number;
  all: boolean;
  hunts?: string | URL;
  onTry(tried: number, isFound: boolean): void;
  stop: AbortSignal;
}

export interface HuntFound {
  plan: readonly HuntedFault[];
  verdict: string;
  verdictName: string;
  confirmed: { runs: number; wrong: number };
  story: readonly StoryStep[];
  orders: readonly OrderMoney[];
  example: ExamplePlan;
  keptIn?: string;
  trace: Buffer;
  /** The end of what the command printed. */
  output?: string;
}

export interface HuntResult extends HuntCounts {
  found?: HuntFound;
  /** With `all`. */
  others?: HuntFound[];
}

/** Returns the plans that a hunt has found. */
export function findsOf({ found, others = [] }: Pick<HuntResult, 'found' | 'others'>): HuntFound[] {
  return found ? [found, ...others] : [];
}

/** What `--command` adds to a hunt. */
export interface CommandOptions {
  command: string;
  /** Command lines of what runs beside it, by name. */
  processes: Readonly<Record<string, string>>;
  sell: string | undefined;
  calls: readonly ShopCall[] | undefined;
  store: string | undefined;
  terminals: number;
  books: string | undefined;
  webhooks: string | undefined;
  speed: number;
  quietSeconds: number;
  jobs: number;
  env: Record<string, string | undefined>;
}

/**
 * Returns the command lines of what runs beside a shop, by name.
 * @param typed each as `NAME=LINE`
 * @throws Fault `bad_setting` for another text, and for a name that is given twice
 */
export function processLines(typed: readonly string[]): Record<string, string> {
  const lines = typed.map((text) => {
    const { name, line } = /^(?<name>[\w-]+)=(?<line>.*\S.*)$/.exec(text)?.groups ?? {};
    if (name === undefined || line === undefined)
      throw new Fault('bad_setting', `--process ${text}: give NAME=LINE, such as 'worker=node worker.js'`);
    return [name, line] as const;
  });
  const names = lines.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Fault('bad_setting', `--process ${twice} is given twice`);
  return Object.fromEntries(lines);
}

/** The part of `tapbench/hunt` that the command line uses. */
interface HuntEngine {
  hunt(options: HuntLimits): Promise<HuntResult>;
  huntCommand(options: HuntLimits & CommandOptions): Promise<HuntResult>;
}

/** Loads `tapbench/hunt`, the same code that a test imports. */
export async function loadHuntEngine({
  importModule,
}: Pick<CommandContext, 'importModule'>): Promise<HuntEngine> {
  return (await importModule('tapbench/hunt')) as HuntEngine;
}

/**
 * Returns the default export of a module: the options of a hunt.
 * @throws Fault `bad_setting`, saying what to do
 */
export async function loadHuntFile(
  { importModule }: Pick<CommandContext, 'importModule'>,
  file: string,
): Promise<Record<string, unknown>> {
  if (!existsSync(file)) throw new Fault('bad_setting', `there is no file ${file}`);
  const { default: options } = await importFile(importModule, file);
  if (typeof options === 'object' && options !== null) return options as Record<string, unknown>;
  throw new Fault('bad_setting', `${file} has no options of a hunt as its default export (docs/hunting.md)`);
}

async function importFile(
  importModule: CommandContext['importModule'],
  file: string,
): Promise<{ default?: unknown }> {
  try {
    return (await importModule(pathToFileURL(resolve(file)).href)) as { default?: unknown };
  } catch (thrown) {
    if (errorCode(thrown) !== 'ERR_UNKNOWN_FILE_EXTENSION')
      throw new Fault('bad_setting', `${file} cannot be loaded: ${messageOf(thrown)}`, { cause: thrown });
    const how = "use Node 22.18 or later, or install tsx and set NODE_OPTIONS='--import tsx'";
    throw new Fault('bad_setting', `${file}: Node ${process.versions.node} loads no TypeScript: ${how}`, {
      cause: thrown,
    });
  }
}

/**
 * Reads the file of `--calls`.
 * @throws Fault `bad_setting`, naming the file and what is wrong with it
 */
export function readCalls(file: string | undefined, sell: string | undefined): ShopCall[] | undefined {
  if (file === undefined) return undefined;
  if (sell !== undefined) throw new Fault('bad_setting', 'give --calls or --sell, not both');
  try {
    return parseShopCalls(readFileSync(file, 'utf8'));
  } catch (thrown) {
    throw new Fault('bad_setting', `--calls ${file}: ${messageOf(thrown)}`, { cause: thrown });
  }
}

/**
 * Returns the path of what `--store` names.
 * @throws Fault `bad_setting` when nothing is there
 */
export function storeToCopy(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  if (!existsSync(path)) throw new Fault('bad_setting', `--store ${path}: there is no such file or folder`);
  return resolve(path);
}
