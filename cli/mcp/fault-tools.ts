import type { Item } from '../../protocol/api-client.ts';
import { Fault } from '../../protocol/failures.ts';
import { Type, withDescription } from '../../protocol/schema.ts';
import { entriesOf, keysOf } from '../../protocol/tables.ts';
import {
  CUT_POINTS,
  effectOf,
  takesTime,
  type CutPointName,
  type FaultName,
} from '../../server/platform/faults/cut-points.ts';
import { FAULT_MEMBERS } from '../../server/platform/faults/fault-members.ts';
import {
  faultNumber,
  FaultPlanInput,
  faultText,
  plannedFaultsOf,
} from '../../server/platform/faults/fault-plan.schema.ts';
import { faultLine } from '../../server/platform/faults/fault-words.ts';
import { checkedByServer, type ServerApi } from '../client/api-client.ts';
import { sandboxInput, tool, wholeInput, type ToolContext } from './tool.ts';

type FaultPlan = Item<'GET /sandbox/faults'>;

const places = keysOf(CUT_POINTS);

const listFaultPoints = tool({
  name: 'list_fault_points',
  title: 'List where faults can strike',
  description:
    'Lists the places where faults can strike, and what can happen at each. With at, returns that place alone, with what each fault does, the members that it can be filtered by, and every name that such a member can have.',
  inputs: { at: Type.Optional(Type.Enum(places, { description: 'One of the places' })) },
  effect: 'read',
  run: async (_context, { at }) =>
    at === undefined
      ? {
          points: entriesOf(CUT_POINTS).map(([place, { title, faults, filters }]) => ({
            at: place,
            title,
            faults: Object.keys(faults),
            members: filters,
          })),
        }
      : pointWithNames(at),
});

async function pointWithNames(at: CutPointName): Promise<object> {
  // Loaded when needed: the command starts without the server.
  const { ROUTES } = await import('../../server/routes.ts');
  const { faultNames, faultOperations } = await import('../../server/sandbox-controls/faults/fault-names.ts');
  const { ACTION_MACHINE_NAMES } = await import('../../agent/inspection.ts');
  const { title, faults, filters } = CUT_POINTS[at];
  const names: Partial<Record<string, readonly FaultName[]>> = faultNames({
    ...ACTION_MACHINE_NAMES,
    operations: faultOperations(ROUTES),
  })[at];
  return {
    at,
    title,
    faults: Object.keys(faults).map((what) => ({
      what,
      text: effectOf(at, what),
      takesTime: takesTime(at, what),
    })),
    members: filters.map((member) => {
      const { text, example } = FAULT_MEMBERS[member];
      return { member, text, example, ...(names[member] && { names: names[member] }) };
    }),
  };
}

const FaultInput = Type.Object(
  {
    at: Type.Enum(places, { description: 'Where it strikes; list_fault_points has all' }),
    what: Type.String({ minLength: 1, maxLength: 60, description: 'What happens there, such as reset' }),
    operation: Type.Optional(faultText('operation')),
    message: Type.Optional(faultText('message')),
    state: Type.Optional(faultText('state')),
    effect: Type.Optional(faultText('effect')),
    eventType: Type.Optional(faultText('eventType')),
    id: Type.Optional(faultText('id')),
    untilAttempt: Type.Optional(faultNumber('untilAttempt')),
    nth: Type.Optional(faultNumber('nth')),
    times: Type.Optional(faultNumber('times')),
    forMs: Type.Optional(faultNumber('forMs')),
    percent: Type.Optional(faultNumber('percent')),
    delayMs: Type.Optional(faultNumber('delayMs')),
  },
  { additionalProperties: false },
);

const addFaults = tool({
  name: 'add_faults',
  title: 'Add faults',
  description:
    'Puts a plan of faults on a sandbox, such as a reply that is lost. Each strikes the next occurrence at its place unless its members say which. Afterwards let your code sell, and call verify_faults: a fault that struck nothing has tested nothing.',
  inputs: {
    faults: Type.Array(FaultInput, { minItems: 1, maxItems: 100, description: 'The faults of the plan' }),
    title: FaultPlanInput.properties.title,
    seed: FaultPlanInput.properties.seed,
    sandbox: sandboxInput,
  },
  effect: 'each time',
  async run({ api }, { faults, title, seed, sandbox }) {
    const planned = faults.map(({ at, what, delayMs, ...when }) => ({
      at,
      what,
      ...(Object.keys(when).length > 0 && { when }),
      ...(delayMs !== undefined && { delayMs }),
    }));
    const body = { title, seed, faults: planned };
    return shownPlan(await api(sandbox).call('POST /sandbox/faults', { body: checkedByServer(body) }));
  },
});

const idInput = Type.String({
  pattern: '^plan_[0-9]{1,15}$',
  description: 'Id of the plan, such as plan_1; list_faults has it',
});

const listFaults = tool({
  name: 'list_faults',
  title: 'List faults',
  description:
    'Lists the plans of faults of a sandbox, with how often each fault struck. verify_faults says what they struck.',
  inputs: { sandbox: sandboxInput, whole: wholeInput },
  effect: 'read',
  async run({ api }, { sandbox, whole = false }) {
    const query = whole ? {} : { strikes: 0 };
    const { items } = await api(sandbox).call('GET /sandbox/faults', { query });
    return { items: whole ? items : items.map(shownPlan) };
  },
});

const removeFaults = tool({
  name: 'remove_faults',
  title: 'Remove faults',
  description: 'Ends a plan of faults and deletes it, with what it holds back.',
  inputs: { id: idInput, sandbox: sandboxInput },
  effect: 'once',
  run: ({ api }, { id, sandbox }) => api(sandbox).call('DELETE /sandbox/faults/{id}', { params: { id } }),
});

const POLL_MS = 500;
const LISTED_STRIKES = 20;

const verifyFaults = tool({
  name: 'verify_faults',
  title: 'Verify that faults struck',
  description:
    'Says whether every fault of a plan, or of all plans, has struck, and what the latest strikes were. With waitSeconds it waits for those that have not.',
  inputs: {
    id: Type.Optional(withDescription(idInput, 'Id of the plan; all plans by default')),
    waitSeconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 120, description: 'How long to wait for strikes; 0 by default' }),
    ),
    sandbox: sandboxInput,
  },
  effect: 'read',
  async run(context, { id, waitSeconds = 0, sandbox }) {
    const endMs = context.nowMs() + waitSeconds * 1_000;
    const plans = await struckPlans(context, context.api(sandbox), id, endMs);
    const unstruck = plans.flatMap(unstruckOf);
    return {
      allStruck: unstruck.length === 0,
      unstruck,
      plans: plans.map((plan) => ({
        ...shownPlan(plan),
        strikes: plan.strikes.map(({ what, subject, ids, occurrence }) => ({
          what,
          subject,
          occurrence,
          ids,
        })),
      })),
    };
  },
});

/** Returns the plans once every fault has struck, or the time is over. */
async function struckPlans(
  context: ToolContext,
  api: ServerApi,
  id: string | undefined,
  endMs: number,
): Promise<FaultPlan[]> {
  for (;;) {
    const plans = await readPlans(api, id);
    if (plans.length === 0) throw new Fault('bad_setting', 'the sandbox has no faults: add_faults adds some');
    if (plans.every(({ struckByFault }) => !struckByFault.includes(0)) || context.nowMs() >= endMs)
      return plans;
    await context.pause(POLL_MS);
  }
}

async function readPlans(api: ServerApi, id: string | undefined): Promise<FaultPlan[]> {
  const query = { strikes: LISTED_STRIKES };
  if (id !== undefined) return [await api.call('GET /sandbox/faults/{id}', { params: { id }, query })];
  return (await api.call('GET /sandbox/faults', { query })).items;
}

function unstruckOf(plan: FaultPlan): string[] {
  return plannedFaultsOf(plan)
    .filter((_, index) => plan.struckByFault[index] === 0)
    .map((fault) => `${plan.id}: ${faultLine(fault)}`);
}

function shownPlan(plan: FaultPlan): object {
  const { id, title, status, struck, struckByFault } = plan;
  const faults = plannedFaultsOf(plan).map((fault, index) => ({
    at: fault.at,
    what: fault.what,
    text: faultLine(fault),
    struck: struckByFault[index] ?? 0,
  }));
  return { id, ...(title !== '' && { title }), status, struck, faults };
}

export const FAULT_TOOLS = [listFaultPoints, addFaults, listFaults, removeFaults, verifyFaults];
