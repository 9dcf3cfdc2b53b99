import { Timestamp, Type, withDescription, type Static } from '../../../protocol/schema.ts';
import { CUT_POINTS, type CutPointName } from './cut-points.ts';
import { FAULT_MEMBERS, type Filter, type NumberMember, type TextFilter } from './fault-members.ts';

const FAULTS_MAX = 100;

// A misspelt member would make a fault strike another occurrence than the one that was meant, or none.
const STRICT = { additionalProperties: false };

/** Returns the schema of a member of a fault that is a text. */
export function faultText(member: TextFilter) {
  const { text, example } = FAULT_MEMBERS[member];
  return Type.String({ minLength: 1, maxLength: 200, description: `${text}, such as \`${example}\`` });
}

/** Returns the schema of a member of a fault that is a number. */
export function faultNumber(member: NumberMember) {
  const { text, minimum, maximum } = FAULT_MEMBERS[member];
  return Type.Integer({ minimum, maximum, description: text });
}

function conditionOf(filters: readonly Filter[]) {
  const schemaOf = (name: Filter) => (name === 'untilAttempt' ? faultNumber(name) : faultText(name));
  const filter = Object.fromEntries(filters.map((name) => [name, Type.Optional(schemaOf(name))]));
  return Type.Object(
    {
      ...filter,
      nth: Type.Optional(faultNumber('nth')),
      times: Type.Optional(faultNumber('times')),
      forMs: Type.Optional(faultNumber('forMs')),
      percent: Type.Optional(faultNumber('percent')),
    },
    { ...STRICT, description: 'Which occurrences it strikes; the first one by default' },
  );
}

function faultAt(at: CutPointName) {
  const { title, faults, filters } = CUT_POINTS[at];
  return Type.Object(
    {
      at: Type.Literal(at, { description: title }),
      what: Type.Enum(Object.keys(faults), {
        description: Object.entries(faults)
          .map(([what, text]) => `\`${what}\`: ${text}`)
          .join(' '),
      }),
      when: Type.Optional(conditionOf(filters)),
      delayMs: Type.Optional(faultNumber('delayMs')),
    },
    STRICT,
  );
}

export const FaultInput = Type.Union([
  faultAt('api.request'),
  faultAt('api.reply'),
  faultAt('message.command'),
  faultAt('message.report'),
  faultAt('terminal.state'),
  faultAt('terminal.effect'),
  faultAt('device.message'),
  faultAt('device.charged'),
  faultAt('server.commit'),
  faultAt('webhook.attempt'),
  faultAt('bank.authorisation'),
  faultAt('bank.renewal'),
  faultAt('bank.settlement'),
  faultAt('bank.payout'),
  faultAt('bank.dispute'),
  faultAt('cardholder.card'),
  faultAt('cardholder.pin'),
  faultAt('cardholder.challenge'),
]);

/** A fault of a plan: where it strikes, what happens, and which occurrences it strikes. */
export interface PlannedFault {
  at: CutPointName;
  what: string;
  when?: Condition;
  delayMs?: number;
}

interface Condition extends Partial<Record<TextFilter, string>> {
  untilAttempt?: number;
  nth?: number;
  times?: number;
  forMs?: number;
  percent?: number;
}

export const FaultPlanInput = Type.Object({
  title: Type.Optional(Type.String({ maxLength: 200, description: 'What the plan is for, for people' })),
  seed: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Seed of the faults that strike by chance; `default` unless given',
    }),
  ),
  faults: Type.Array(FaultInput, {
    minItems: 1,
    maxItems: FAULTS_MAX,
    description: 'The faults. Of those that could strike one occurrence, the first does',
  }),
});

/** Strikes of a plan that a reply lists. */
export const LISTED_STRIKES = 1_000;

export const StrikesQuery = Type.Object({
  strikes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LISTED_STRIKES,
      description: 'Number of strikes that are listed of each plan, at most: 1,000 by default',
    }),
  ),
  strikesAfter: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Lists the first strikes after the one with this `number` in place of the latest: `strikes` of them, of all plans together',
    }),
  ),
});
export type StrikesQuery = Static<typeof StrikesQuery>;

const FaultStrike = Type.Object({
  number: Type.Integer({
    description: 'Number of the strike. Later strikes of the sandbox have higher ones',
  }),
  fault: Type.Integer({ description: 'Index of the fault in the plan, from 0' }),
  occurrence: Type.Integer({ description: 'Number of the occurrence that it struck, from 1' }),
  timestamp: withDescription(Timestamp, 'Time of the sandbox: a Unix timestamp, in seconds'),
  what: Type.String({ description: 'What happened' }),
  subject: Type.String({ description: 'The request, message, state or event that was struck' }),
  ids: Type.Array(Type.String(), {
    description: 'Ids of the objects that it concerned, and of the stored request that was struck',
  }),
});

export const FaultPlanReply = Type.Object({
  id: Type.String({ description: 'Identifier of the plan' }),
  title: Type.String({ description: 'What the plan is for, for people' }),
  seed: Type.String({ description: 'Seed of the faults that strike by chance' }),
  status: Type.Enum(['Active', 'Ended', 'Ignored'], {
    description:
      'Whether a fault of the plan can still strike. `Ignored`: it cannot, because the server was started with FAULTS=off',
  }),
  createdTimestamp: withDescription(
    Timestamp,
    'Time of the sandbox at which the plan began: a Unix timestamp, in seconds',
  ),
  faults: Type.Array(FaultInput, { description: 'The faults' }),
  struck: Type.Integer({ description: 'Number of times that a fault of the plan struck' }),
  struckByFault: Type.Array(Type.Integer(), {
    description:
      'Number of times that each fault of the plan struck, in their order. A 0 is a fault that tested nothing',
  }),
  strikes: Type.Array(FaultStrike, {
    description: 'The latest strikes, or those that the query asks for, oldest first',
  }),
});

/** Returns the faults of a plan that a reply shows. */
export function plannedFaultsOf({ faults }: { faults: readonly unknown[] }): PlannedFault[] {
  return faults as PlannedFault[];
}

/** A plan as it is listed. */
export type FaultPlan = Omit<Static<typeof FaultPlanReply>, 'faults'> & { faults: PlannedFault[] };
export type FaultStrike = Static<typeof FaultStrike>;

export const FaultPlanList = Type.Object({
  items: Type.Array(FaultPlanReply, { description: 'The plans, oldest first' }),
});

export const DeletedFaultPlan = Type.Object({
  id: Type.String({ description: 'Identifier of the plan' }),
  deleted: Type.Literal(true, { description: 'Always true' }),
});
