import { Type, type Static, type TSchema } from '../../protocol/schema.ts';
import { PageQuery } from '../../server/platform/http/paging.schema.ts';
import type { JudgedComparison } from '../compare/result.ts';
import type { ServerApi } from '../client/api-client.ts';
import type { BegunActions } from './begun-actions.ts';
import type { CertificateRuns } from './certificate-runs.ts';
import type { ShopRuns } from './shop-runs.ts';
import type { CreatedSandbox, SandboxInput } from '../../server/sandboxes/sandbox.schema.ts';

/** What the tools need of their surroundings. */
export interface ToolContext {
  /** Returns the time, epoch milliseconds. */
  nowMs(): number;
  /** Waits, milliseconds. Rejects when the command is interrupted. */
  pause(ms: number): Promise<void>;
  /** Returns a text that no other call has returned. */
  unique(): string;
  /**
   * Returns the client of a sandbox; of the one that the command was started for unless named.
   * @throws Fault `bad_setting` for a sandbox whose key is not known
   */
  api(sandbox: string | undefined, account?: string): ServerApi;
  /** What the tools remember of the actions that they have begun. */
  begun: BegunActions;
  /** Returns the client of the server for its sandboxes. */
  host(): ServerApi;
  /**
   * Creates a sandbox and keeps its key for `api`; returns the same one again for the same request while it exists.
   * @throws Fault `server_answer` when the server refuses
   */
  createSandbox(input: SandboxInput & { name: string }): Promise<CreatedSandbox>;
  /**
   * Downloads a file of a sandbox from a path of its API. It is there as a whole or not at all.
   * @throws Fault as `downloadFile`
   */
  download(sandbox: string | undefined, path: string, file: string): Promise<void>;
  /** Runs shops under faults. */
  shopRuns: ShopRuns;
  /**
   * Compares with the server that the command was started with, by scenarios.
   * @throws Fault `bad_setting` when it was started without one
   */
  compare(only: readonly string[]): Promise<JudgedComparison>;
  /** Makes certificates. */
  certificateRuns: CertificateRuns;
  /** Drops the keys of a sandbox that was deleted. */
  forget(name: string): void;
}

type Inputs = Record<string, TSchema>;
type InputValues<I extends Inputs> = Static<ReturnType<typeof Type.Object<I>>>;

interface Declaration<I extends Inputs> {
  /** Name in snake case, as MCP clients show it. */
  name: string;
  title: string;
  /** What it does, for the model that chooses between the tools. */
  description: string;
  inputs: I;
  /** `read` changes nothing; `once` does no more when it is called again with the same inputs. */
  effect: 'read' | 'once' | 'each time';
  /** Resolves with the result, a JSON object. Faults become results that say what went wrong. */
  run(context: ToolContext, inputs: InputValues<I>): Promise<object>;
}

/** A tool of the MCP server. */
export interface Tool extends Omit<Declaration<Inputs>, 'inputs' | 'run'> {
  inputSchema: TSchema;
  run(context: ToolContext, inputs: unknown): Promise<object>;
}

/** Declares a tool. */
export function tool<I extends Inputs>({ inputs, run, ...rest }: Declaration<I>): Tool {
  return {
    ...rest,
    inputSchema: Type.Object(inputs, { additionalProperties: false }),
    run: (context, values) => run(context, values as InputValues<I>),
  };
}

export const sandboxInput = Type.Optional(
  Type.String({
    description: 'Name of the sandbox to use. By default the one that the server was started for.',
  }),
);

export const terminalInput = Type.Optional(
  Type.String({
    maxLength: 60,
    description: 'Id or serial number of the terminal. May be left out when the sandbox has only one.',
  }),
);

const { limit, startsAfter } = PageQuery.properties;

/** Inputs of a tool that lists the newest objects. */
export const pageInputs = { limit, startsAfter };

export const wholeInput = Type.Optional(
  Type.Boolean({ description: 'Whether to return every member. By default those that are needed most.' }),
);

/** Returns a list whose items have some members only, unless it is asked for as a whole. */
export function listedBy<Item extends object, List extends { items: readonly Item[] }>(
  list: List & { items: readonly Item[] },
  members: readonly (keyof Item & string)[],
  whole = false,
): object {
  if (whole) return list;
  const items = list.items.map((item) => Object.fromEntries(members.map((name) => [name, item[name]])));
  return { ...list, items };
}
