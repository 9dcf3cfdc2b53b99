import { readFileSync } from 'node:fs';
import { Fault, messageOf } from '../../protocol/failures.ts';
import type { Options, Values } from './option.ts';
import { forServer, type ServerAddress } from './server-address.ts';
import type { CommandContext } from './command-context.ts';

/** A positional argument. Optional ones may come before required ones: `pay [terminal] <amount>`. */
export interface Parameter<Needed extends boolean = boolean> {
  description: string;
  required: Needed;
}

type Parameters = Record<string, Parameter>;
type ArgumentValues<P extends Parameters> = {
  [K in keyof P]: P[K] extends Parameter<true> ? string : string | undefined;
};

export const required = (description: string): Parameter<true> => ({ description, required: true });
export const optional = (description: string): Parameter<false> => ({ description, required: false });

/** Values of options, with the address where a command calls a server. */
export type ServerValues<O extends Options> = Values<O> &
  (O extends { url: Options[string] } ? ServerAddress : unknown);

interface Invocation<P extends Parameters, O extends Options> {
  context: CommandContext;
  args: ArgumentValues<P>;
  /** The arguments after the named ones, where the command declares `rest`. */
  rest: string[];
  options: ServerValues<O>;
  /**
   * Reads the options again, for a command that starts before its server does: address and folder are looked up anew.
   * @param sandbox in place of the one of the options
   * @throws Fault as `forServer`
   */
  optionsNow(sandbox?: string): ServerValues<O>;
  /** Loads every command of the program, for documents about all of them. */
  loadAllCommands: () => Promise<ListedCommand[]>;
}

interface Declaration<P extends Parameters, O extends Options> {
  /** `pay`, or `terminals add` for a subcommand. */
  name: string;
  /** Paragraphs of `--help` after the summary, which is in `COMMANDS`. */
  details?: string;
  parameters: P;
  /** Describes the arguments after `--`: a command line that the command runs. */
  rest?: string;
  options: O;
  /** Command lines, each with what it does. */
  examples: { line: string; description: string }[];
  /** Exit codes besides 0 and 1. */
  exitCodes?: Record<number, string>;
  /** Set for a command that judges what it is given: 1 then says that something is wrong with that, and 2 that it could not judge. */
  isJudge?: true;
  /** Resolves with the exit code; 0 when undefined. */
  run(call: Invocation<P, O>): Promise<number | void>;
}

export interface Command extends Omit<Declaration<Parameters, Options>, 'run' | 'exitCodes'> {
  exitCodes: Record<number, string>;
  run(call: {
    context: CommandContext;
    args: Record<string, string | undefined>;
    rest: string[];
    options: unknown;
    loadAllCommands: () => Promise<ListedCommand[]>;
  }): Promise<number>;
}

/** A command with its summary of `COMMANDS`. */
export interface ListedCommand extends Command {
  summary: string;
}

/** Exit codes. 0 has the same meaning in every command, and so has 1 in all but those that judge. */
export const EXIT = { ok: 0, failed: 1, notApproved: 2, notJudged: 2, interrupted: 130 } as const;

const BAD_USE = 'a bad setting or argument, or the server refused or could not be reached';

const COMMON_EXIT_CODES: Record<number, string> = {
  [EXIT.ok]: 'done',
  [EXIT.failed]: BAD_USE,
};

/** Declares a command: its arguments and options, its help and what it runs. */
export function command<P extends Parameters, O extends Options>(declaration: Declaration<P, O>): Command {
  return {
    ...declaration,
    exitCodes: {
      ...COMMON_EXIT_CODES,
      ...(declaration.isJudge && { [EXIT.notJudged]: BAD_USE }),
      ...declaration.exitCodes,
    },
    async run(call) {
      const optionsNow = (sandbox?: string) =>
        forServer(sandbox === undefined ? call.options : { ...(call.options as object), sandbox });
      const options = optionsNow();
      return (await declaration.run({ ...call, options, optionsNow } as Invocation<P, O>)) ?? EXIT.ok;
    },
  };
}

/**
 * Assigns positional arguments to parameters by name. Optional parameters are filled only when there are more
 * arguments than required parameters.
 * @throws Fault `bad_setting` when a required argument is missing.
 */
export function bindArguments(parameters: Parameters, typed: string[]): Record<string, string | undefined> {
  const entries = Object.entries(parameters);
  const needs = entries.filter(([, parameter]) => parameter.required).length;
  let spare = typed.length - needs;
  const left = [...typed];
  const args: Record<string, string | undefined> = {};
  for (const [name, parameter] of entries) {
    if (!parameter.required && spare <= 0) continue;
    if (!parameter.required) spare -= 1;
    args[name] = left.shift();
    if (parameter.required && args[name] === undefined) {
      throw new Fault('bad_setting', `${name.toUpperCase()} is missing: ${parameter.description}`);
    }
  }
  return args;
}

/** Returns the usage without options, such as `pay [terminal] <amount>`. */
export function usageOf({ name, parameters, rest }: Pick<Command, 'name' | 'parameters' | 'rest'>): string {
  const args = Object.entries(parameters).map(([word, { required: must }]) =>
    must ? `<${word}>` : `[${word}]`,
  );
  return [name, ...args, ...(rest === undefined ? [] : ['[-- command...]'])].join(' ');
}

/** Returns an argument as one of these values. @param name in capitals. @throws Fault `bad_setting` for any other */
export function oneOf<V extends string>(name: string, values: readonly V[], typed: string): V {
  const value = values.find((known) => known === typed);
  if (value !== undefined) return value;
  throw new Fault('bad_setting', `${name} must be one of: ${values.join(', ')}, not '${typed.slice(0, 40)}'`);
}

/** Reads a file that the caller names. @throws Fault `bad_setting`, naming it, when it cannot be read */
export function readFileOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (thrown) {
    throw new Fault('bad_setting', `${file}: ${messageOf(thrown)}`, { cause: thrown });
  }
}
