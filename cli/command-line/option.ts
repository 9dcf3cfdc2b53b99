import { Fault } from '../../protocol/failures.ts';

/**
 * An option of a command, set by a flag, an environment variable or either. Its value, its line in `--help` and its
 * row in docs/command-line.md come from this declaration.
 */
export interface Option<T = unknown> {
  /** In commander's syntax, `--port <number>`; undefined when only the environment sets it. */
  flag: string | undefined;
  env: string | undefined;
  description: string;
  /** Default as it would be typed; undefined for none. */
  defaultValue: string | undefined;
  /** Description of the default where it is not a plain value. */
  defaultText: string | undefined;
  /** The value of a secret is never shown in messages. */
  secret: boolean;
  /** A flag without a value: on or off. */
  isSwitch: boolean;
  /** A flag that can be given several times. */
  isList: boolean;
  parse(text: string): { value: T } | { problem: string };
}

export type Options = Record<string, Option>;
export type Values<O extends Options> = { [K in keyof O]: O[K] extends Option<infer T> ? T : never };

interface Declaration<F extends string | undefined> {
  flag?: string;
  env?: string;
  description: string;
  defaultValue?: F;
  defaultText?: string;
  secret?: boolean;
}

type Parser<T> = Option<T>['parse'];

function option<T, F extends string | undefined>(
  parse: Parser<T>,
  declaration: Declaration<F>,
): Option<F extends string ? T : T | undefined> {
  const { flag, env, description, defaultValue, defaultText, secret = false } = declaration;
  const declared = {
    flag,
    env,
    description,
    defaultValue,
    defaultText,
    secret,
    isSwitch: false,
    isList: false,
    parse,
  };
  return declared;
}

/** An option whose text is read by a function of its own. */
export function parsedOption<T, F extends string | undefined = undefined>(
  parse: Parser<T>,
  declaration: Declaration<F>,
) {
  return option<T, F>(parse, declaration);
}

export function stringOption<F extends string | undefined = undefined>(declaration: Declaration<F>) {
  return option((value) => ({ value }), declaration);
}

export function integerOption<F extends string | undefined = undefined>(
  range: { min: number; max: number },
  declaration: Declaration<F>,
) {
  const { min, max } = range;
  return option<number, F>((typed) => {
    const value = /^\d{1,15}$/.test(typed) ? Number(typed) : NaN;
    return value >= min && value <= max
      ? { value }
      : { problem: `must be a whole number from ${min} to ${max}` };
  }, declaration);
}

export function enumOption<const V extends string, F extends string | undefined = undefined>(
  values: readonly V[],
  declaration: Declaration<F>,
) {
  return option<V, F>((typed) => {
    const value = values.find((known) => known === typed);
    return value === undefined ? { problem: `must be one of: ${values.join(', ')}` } : { value };
  }, declaration);
}

/** A URL with one of the given schemes; a trailing slash is removed, unless it is kept `asTyped`. */
export function urlOption<F extends string | undefined = undefined>(
  schemes: readonly string[],
  declaration: Declaration<F>,
  { asTyped = false } = {},
) {
  return option<string, F>((typed) => {
    const url = URL.canParse(typed) ? new URL(typed) : undefined;
    if (url && url.hostname !== '' && schemes.includes(url.protocol.slice(0, -1))) {
      return { value: asTyped ? typed : typed.replace(/\/+$/, '') };
    }
    return {
      problem: `must be an address that begins with ${schemes.map((name) => `${name}://`).join(' or ')}`,
    };
  }, declaration);
}

/** An HTTP or HTTPS URL without a path. */
export function originOption<F extends string | undefined = undefined>(declaration: Declaration<F>) {
  const whole = urlOption(['http', 'https'], declaration);
  return option<string, F>((typed) => {
    const parsed = whole.parse(typed);
    if ('problem' in parsed) return parsed;
    const { origin: value, href } = new URL(typed);
    if (href === `${value}/`) return { value };
    return { problem: 'must be an address without a path, such as https://tapbench.example' };
  }, declaration);
}

// A date, alone or with its time and zone (ISO 8601).
const INSTANT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/;

/** A Unix timestamp in seconds, also typed as a date in UTC or a date and time with its zone. */
export function timestampOption<F extends string | undefined = undefined>(declaration: Declaration<F>) {
  return option<number, F>((typed) => {
    if (/^\d{1,12}$/.test(typed)) return { value: Number(typed) };
    const ms = INSTANT.test(typed) ? Date.parse(typed) : NaN;
    if (!Number.isNaN(ms)) return { value: ms / 1000 };
    return { problem: 'must be a Unix timestamp in seconds, or a time such as 2026-01-31T09:00:00Z' };
  }, declaration);
}

/** A flag without a value, such as `--json`, or `--no-webhooks`, whose value is true when it is typed as well. */
export function booleanOption(flag: string, description: string): Option<boolean> {
  return {
    ...option<boolean, 'off'>((typed) => ({ value: typed === 'on' }), {
      flag,
      description,
      defaultValue: 'off',
    }),
    isSwitch: true,
  };
}

/** A flag that can be given several times. Its value has them in order; empty without one. */
export function listOption(flag: string, description: string): Option<string[]> {
  return { ...option<string[], ''>((typed) => ({ value: [typed] }), { flag, description }), isList: true };
}

const NEGATION = /^no-/;

/**
 * Returns the key under which commander stores a flag's value: `mqttPort` for `--mqtt-port <number>`, `webhooks` for
 * `--no-webhooks`.
 */
export function optionKey(flag: string): string {
  const name = flagName(flag).replace(NEGATION, '');
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function flagName(flag: string): string {
  return /--([a-z-]+)/.exec(flag)![1]!;
}

/** Returns the text that was typed for a flag, `on` for one without a value; undefined when it was not typed. */
function typedText(flag: string, typed: Record<string, unknown>): string | undefined {
  const value = typed[optionKey(flag)];
  if (NEGATION.test(flagName(flag))) return value === false ? 'on' : undefined;
  return value === true ? 'on' : (value as string | undefined);
}

/**
 * Returns the values of a command's options: from the flag, else the environment, else the default. An empty variable
 * counts as not set.
 * @throws Fault `bad_setting`, naming the flag or the variable, for the first invalid value.
 */
export function readOptions<O extends Options>(
  options: O,
  typed: Record<string, unknown>,
  env: Record<string, string | undefined>,
): Values<O> {
  const values = Object.entries(options).map(([key, declared]) => [key, readOption(declared, typed, env)]);
  return Object.fromEntries(values) as Values<O>;
}

function readOption(
  declared: Option,
  typed: Record<string, unknown>,
  env: Record<string, string | undefined>,
): unknown {
  if (declared.isList) return typed[optionKey(declared.flag!)] ?? [];
  const text = declared.flag === undefined ? undefined : typedText(declared.flag, typed);
  const value = text ?? (env[declared.env ?? ''] || declared.defaultValue);
  if (value === undefined) return undefined;
  const parsed = declared.parse(value);
  if ('value' in parsed) return parsed.value;
  const name = text === undefined ? declared.env : declared.flag!.split(' ')[0];
  const shown = declared.secret ? '' : `, not '${value.slice(0, 80)}'`;
  throw new Fault('bad_setting', `${name} ${parsed.problem}${shown}`);
}

/** Returns the description of an option with its environment variable and default. */
export function describeOption({
  env,
  defaultValue,
  defaultText,
  description,
  isSwitch,
  flag,
}: Option): string {
  const environment = env === undefined || flag === undefined ? [] : [`environment: ${env}`];
  const usual = defaultText ?? (isSwitch ? undefined : defaultValue);
  const notes = [...environment, ...(usual === undefined ? [] : [`default: ${usual}`])];
  return notes.length === 0 ? description : `${description} (${notes.join(', ')})`;
}

/** Returns those of the text options `filters` that were given, by name, as the query of a URL takes them. */
export function givenTexts(filters: Options, options: object): Record<string, string> {
  const given = new Map<string, unknown>(Object.entries(options));
  return Object.fromEntries(
    Object.keys(filters).flatMap((name) => {
      const value = given.get(name);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}
