import { Fault } from '../protocol/failures.ts';
import type { Options, Values } from './option.ts';
import type { CommandContext } from './command-context.ts';

/** A word of the command line without a flag. Optional ones may stand before needed ones: `pay [terminal] <amount>`. */
export interface Parameter<Needed extends boolean = boolean> {
  description: string;
  required: Needed;
}

export type Parameters = Record<string, Parameter>;
export type ArgumentValues<P extends Parameters> = {
  [K in keyof P]: P[K] extends Parameter<true> ? string : string | undefined;
};

export const required = (description: string): Parameter<true> => ({ description, required: true });
export const optional = (description: string): Parameter<false> => ({ description, required: false });

export interface Invocation<P extends Parameters, O extends Options> {
  context: CommandContext;
  args: ArgumentValues<P>;
  options: Values<O>;
}

interface Declaration<P extends Parameters, O extends Options> {
  /** `pay`, or `terminals add` for a command below another. */
  name: string;
  summary: string;
  /** What a person should know besides: paragraphs of `--help`. */
  details?: string;
  parameters: P;
  options: O;
  /** Whole lines to type, each with what it does. */
  examples: { line: string; description: string }[];
  /** What the command answers besides 0 and 1. */
  exitCodes?: Record<number, string>;
  /** Resolves with the exit code, 0 when it says nothing. */
  run(call: Invocation<P, O>): Promise<number | void>;
}

export interface Command extends Omit<Declaration<Parameters, Options>, 'run' | 'exitCodes'> {
  exitCodes: Record<number, string>;
  run(call: {
    context: CommandContext;
    args: Record<string, string | undefined>;
    options: unknown;
  }): Promise<number>;
}

/** 0 and 1 mean the same in every command. */
export const EXIT = { ok: 0, failed: 1, notApproved: 2, interrupted: 130 } as const;

const COMMON_EXIT_CODES: Record<number, string> = {
  [EXIT.ok]: 'done',
  [EXIT.failed]: 'a bad setting or argument, or the server refused or could not be reached',
};

/** Declares a command: what is typed, what `--help` says, what it does. */
export function command<P extends Parameters, O extends Options>(declaration: Declaration<P, O>): Command {
  return {
    ...declaration,
    exitCodes: { ...COMMON_EXIT_CODES, ...declaration.exitCodes },
    run: async (call) => (await declaration.run(call as Invocation<P, O>)) ?? EXIT.ok,
  };
}

/**
 * Gives each typed word its parameter. Optional parameters are filled only when there are more words than
 * needed parameters.
 * @throws Fault `bad_setting` when a word is missing.
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

/** `pay [terminal] <amount>`, without the options. */
export function usageOf({ name, parameters }: Pick<Command, 'name' | 'parameters'>): string {
  const args = Object.entries(parameters).map(([word, { required: must }]) =>
    must ? `<${word}>` : `[${word}]`,
  );
  return [name, ...args].join(' ');
}
