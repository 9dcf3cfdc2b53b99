import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { isObject, parseOutsideJson } from '../../protocol/outside-json.ts';
import { checker, Type, type Static, type TSchema } from '../../protocol/schema.ts';

const Text = Type.String({ minLength: 1, maxLength: 500 });
const Operation = Type.String({ pattern: '^(GET|POST|PATCH|DELETE|PUT) /[^\\s?#]{1,200}$' });
const Name = Type.String({ pattern: '^[a-z][A-Za-z0-9]{0,40}$' });
const Scalar = Type.Union([Type.String({ maxLength: 2_000 }), Type.Number(), Type.Boolean()]);
const Seconds = Type.Integer({ minimum: 1, maximum: 600 });
/** A heading of docs/choices, such as `money#payouts`. */
const Choice = Type.String({ pattern: '^[a-z-]+#[a-z0-9-]+$' });
/**
 * Which choice decides what a step gets, in a scenario that shows rules too: all of it, or by member, such as
 * `{ "verification.status": "accounts#verification" }`, with all below it. `refusal` is how, and whether, it is refused.
 */
const Decided = Type.Optional(Type.Union([Choice, Type.Record(Type.String({ maxLength: 200 }), Choice)]));

const REQUEST = {
  path: Type.Optional(Type.Record(Type.String(), Scalar)),
  query: Type.Optional(Type.Record(Type.String(), Type.Union([Scalar, Type.Array(Scalar)]))),
  headers: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 2_000 }))),
  /** `secret` when absent; `none`, `wrong`, or the text to send. */
  key: Type.Optional(Text),
  as: Type.Optional(Name),
  choice: Decided,
};
const strict = { additionalProperties: false };

const FormFile = Type.Object(
  {
    name: Text,
    type: Text,
    /** How many bytes it has; they may be any. */
    bytes: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
    text: Type.Optional(Type.String({ maxLength: 100_000 })),
  },
  strict,
);
export type FormFile = Static<typeof FormFile>;

const CallStep = Type.Object(
  {
    call: Operation,
    ...REQUEST,
    body: Type.Optional(Type.Unknown()),
    /** Sent in place of `body`, as it is. */
    raw: Type.Optional(Type.String({ maxLength: 100_000 })),
    /** Sent in place of `body`, as `multipart/form-data`. */
    form: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), FormFile]))),
    /** The refusal of ours that it shows, for the tests of the scenarios. */
    refusal: Type.Optional(Text),
    /**
     * Only removes what the scenario made: `cleanup` runs also when an earlier step broke off, `end` when no scenario uses
     * it any more, and is not compared.
     */
    // oxlint-disable-next-line unicorn/no-thenable -- a schema, which nobody awaits
    then: Type.Optional(Type.Enum(['cleanup', 'end'])),
  },
  strict,
);
export type CallStep = Static<typeof CallStep>;

/** Repeats a GET until a member has one of these values. */
const UntilStep = Type.Object(
  { until: Operation, ...REQUEST, member: Text, is: Type.Array(Type.Unknown()), seconds: Seconds },
  strict,
);
export type UntilStep = Static<typeof UntilStep>;

/** Waits for the event of a type about an object. */
const EventStep = Type.Object(
  {
    event: Text,
    of: Text,
    headers: REQUEST.headers,
    seconds: Seconds,
    as: REQUEST.as,
    choice: Decided,
  },
  strict,
);
export type EventStep = Static<typeof EventStep>;

/** Waits until the event of a type about an object arrives at the receiver, and checks its signature. */
const DeliveryStep = Type.Object(
  { delivery: Text, of: Text, secret: Text, seconds: Seconds, as: REQUEST.as, choice: Decided },
  strict,
);
export type DeliveryStep = Static<typeof DeliveryStep>;

/** Asks a person to do something. */
const HandStep = Type.Object({ hand: Text }, strict);

const KINDS = { call: CallStep, until: UntilStep, event: EventStep, delivery: DeliveryStep, hand: HandStep };
const CHECKERS = Object.entries(KINDS).map(([kind, schema]): [string, ReturnType<typeof checker>] => [
  kind,
  checker(schema),
]);

const STEPS: TSchema = Type.Array(Type.Unknown(), { minItems: 1, maxItems: 60 });
const HEAD = {
  title: Text,
  /** Ids of rules of the specification, as in docs/coverage.md. */
  rules: Type.Optional(Type.Array(Text, { maxItems: 50 })),
  choices: Type.Optional(Type.Array(Choice, { maxItems: 20 })),
  /** Scenarios that run before, once for each server; what they remembered is known here. */
  uses: Type.Optional(Type.Array(Text, { maxItems: 10 })),
  /** Where a person must act. */
  hand: Type.Optional(Type.Enum(['terminal', 'browser'])),
};
const Head = Type.Object({ ...HEAD, steps: STEPS }, strict);
const problemsOfHead = checker(Head);

export type Step = CallStep | UntilStep | EventStep | DeliveryStep | Static<typeof HandStep>;

/** What is done at both servers, as data. */
export interface Scenario extends Omit<Static<typeof Head>, 'steps'> {
  /** `AREA/NAME`: its folder and its file. */
  name: string;
  rules: string[];
  choices: string[];
  steps: Step[];
}

const FILE_BYTES_MAX = 256 * 1024;

/**
 * Reads a scenario.
 * @throws Fault `bad_setting` with the file and the member that is wrong
 */
export function parseScenario(text: string, name: string, file: string): Scenario {
  let value: unknown;
  try {
    value = parseOutsideJson(text);
  } catch (thrown) {
    throw new Fault('bad_setting', `${file}: ${messageOf(thrown)}`, { cause: thrown });
  }
  const problem = isHead(value) ? problemOfSteps(value.steps) : problemsOfHead(value)[0];
  if (problem || !isHead(value) || !areSteps(value.steps)) {
    const member = problem?.path === '' ? 'it' : problem?.path;
    throw new Fault('bad_setting', `${file}: ${member} ${problem?.message}`);
  }
  const { steps, rules = [], choices = [], ...head } = value;
  const undecided = problemOfChoices({ rules, choices, steps });
  if (undecided !== undefined) throw new Fault('bad_setting', `${file}: ${undecided}`);
  return { ...head, rules, choices, name, steps };
}

/** Where rules and choices are shown together, the steps say what each choice decides: the rest is of the rules. */
function problemOfChoices({
  rules,
  choices,
  steps,
}: Pick<Scenario, 'rules' | 'choices' | 'steps'>): string | undefined {
  const decided = new Set(steps.flatMap(choicesOf));
  const strange = [...decided].find((choice) => !choices.includes(choice));
  if (strange !== undefined) return `choices must have ${strange}, which a step names`;
  const open = rules.length > 0 && choices.find((choice) => !decided.has(choice));
  return open ? `a step must say by its choice what ${open} decides, as there are rules too` : undefined;
}

/** Returns the choices that decide what a step gets. */
function choicesOf(step: Step): string[] {
  const choice = 'choice' in step ? step.choice : undefined;
  return typeof choice === 'object' ? Object.values(choice) : [choice].flatMap((one) => one ?? []);
}

interface HeadValue extends Omit<Static<typeof Head>, 'steps'> {
  steps: unknown[];
}

function isHead(value: unknown): value is HeadValue {
  return problemsOfHead(value).length === 0;
}

function areSteps(steps: unknown[]): steps is Step[] {
  return problemOfSteps(steps) === undefined;
}

function problemOfSteps(steps: readonly unknown[]): { path: string; message: string } | undefined {
  for (const [index, step] of steps.entries()) {
    const path = `steps.${index}`;
    const known = isObject(step) ? CHECKERS.filter(([kind]) => kind in step) : [];
    if (known.length !== 1) return { path, message: `must have one of: ${Object.keys(KINDS).join(', ')}` };
    const [problem] = known[0]![1](step);
    if (problem) return { path: [path, problem.path].filter(Boolean).join('.'), message: problem.message };
  }
  return undefined;
}

/**
 * Reads the scenarios in a folder: `AREA/NAME.json`, in the order of their names.
 * @throws Fault `bad_setting` when the folder or a file in it cannot be read
 */
export function readScenarios(folder: string): Scenario[] {
  const areas = namesIn(folder).filter((name) => statSync(join(folder, name)).isDirectory());
  return areas.flatMap((area) =>
    namesIn(join(folder, area))
      .filter((file) => file.endsWith('.json'))
      .map((file) => {
        const path = join(folder, area, file);
        if (statSync(path).size > FILE_BYTES_MAX) throw new Fault('bad_setting', `${path}: is too large`);
        return parseScenario(readFileSync(path, 'utf8'), `${area}/${file.slice(0, -'.json'.length)}`, path);
      }),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (thrown) {
    throw new Fault('bad_setting', `${folder} cannot be read: ${messageOf(thrown)}`, { cause: thrown });
  }
}
