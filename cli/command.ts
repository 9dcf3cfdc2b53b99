import { Fault } from '../protocol/failures.ts';
import type { Options, Values } from './option.ts';
import type { Surroundings } from './surroundings.ts';

/** A word of the command line without a flag. Optional ones may stand before needed ones: `pay [terminal] <amount>`. */
export interface Parameter<Needed extends boolean = boolean> {
  meaning: string;
  needed: Needed;
}

export type Parameters = Record<string, Parameter>;
export type Words<P extends Parameters> = {
  [K in keyof P]: P[K] extends Parameter<true> ? string : string | undefined;
};

export const needed = (meaning: string): Parameter<true> => ({ meaning, needed: true });
export const optional = (meaning: string): Parameter<false> => ({ meaning, needed: false });

export interface Call<P extends Parameters, O extends Options> {
  around: Surroundings;
  words: Words<P>;
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
  examples: { line: string; does: string }[];
  /** What the command answers besides 0 and 1. */
  exits?: Record<number, string>;
  /** Resolves with the exit code, 0 when it says nothing. */
  run(call: Call<P, O>): Promise<number | void>;
}

export interface Command extends Omit<Declaration<Parameters, Options>, 'run' | 'exits'> {
  exits: Record<number, string>;
  run(call: {
    around: Surroundings;
    words: Record<string, string | undefined>;
    options: unknown;
  }): Promise<number>;
}

/** 0 and 1 mean the same in every command. */
export const EXIT = { ok: 0, failed: 1, notApproved: 2, interrupted: 130 } as const;

const EXITS: Record<number, string> = {
  [EXIT.ok]: 'done',
  [EXIT.failed]: 'a bad setting or argument, or the server refused or could not be reached',
};

/** Declares a command: what is typed, what `--help` says, what it does. */
export function command<P extends Parameters, O extends Options>(declaration: Declaration<P, O>): Command {
  return {
    ...declaration,
    exits: { ...EXITS, ...declaration.exits },
    run: async (call) => (await declaration.run(call as Call<P, O>)) ?? EXIT.ok,
  };
}

/**
 * Gives each typed word its parameter. Optional parameters are filled only when there are more words than
 * needed parameters.
 * @throws Fault `bad_setting` when a word is missing.
 */
export function bindWords(parameters: Parameters, typed: string[]): Record<string, string | undefined> {
  const entries = Object.entries(parameters);
  const needs = entries.filter(([, parameter]) => parameter.needed).length;
  let spare = typed.length - needs;
  const left = [...typed];
  const words: Record<string, string | undefined> = {};
  for (const [name, parameter] of entries) {
    if (!parameter.needed && spare <= 0) continue;
    if (!parameter.needed) spare -= 1;
    words[name] = left.shift();
    if (parameter.needed && words[name] === undefined) {
      throw new Fault('bad_setting', `${name.toUpperCase()} is missing: ${parameter.meaning}`);
    }
  }
  return words;
}

/** `pay [terminal] <amount>`, without the options. */
export function usageOf({ name, parameters }: Pick<Command, 'name' | 'parameters'>): string {
  const words = Object.entries(parameters).map(([word, { needed: must }]) =>
    must ? `<${word}>` : `[${word}]`,
  );
  return [name, ...words].join(' ');
}
