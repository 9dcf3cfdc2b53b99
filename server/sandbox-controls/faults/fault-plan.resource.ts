import { toTimestamp } from '../../../protocol/clock.ts';
import type { Static } from '../../../protocol/schema.ts';
import {
  allFaultPlans,
  countsOf,
  findFaultPlan,
  latestStrikes,
  strikesAfter,
  type FaultPlanRow,
  type StoredStrike,
} from '../../platform/faults/fault-plan.records.ts';
import {
  DeletedFaultPlan,
  FaultPlanInput,
  FaultPlanList,
  FaultPlanReply,
  LISTED_STRIKES,
  StrikesQuery,
  type PlannedFault,
} from '../../platform/faults/fault-plan.schema.ts';
import type { FaultName } from '../../platform/faults/cut-points.ts';
import type { FaultPlans } from '../../platform/faults/fault-plans.ts';
import { KILLS_MAX, killsServer } from '../../platform/faults/fault-rule.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Context } from '../../platform/context.ts';
import type { Services } from '../../platform/services.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import { faultOperations, refuseUnknownNames } from './fault-names.ts';

/** Plans that a sandbox holds. */
const PLANS_MAX = 100;

const common = {
  surface: 'sandbox',
  tag: 'Sandbox fault',
  section: 'Sandbox',
  access: 'dashboard',
} as const;

/** The plans of a sandbox, where their routes are served. */
function plansOf({ faults }: Pick<Services, 'faults'>): FaultPlans {
  if (!faults) throw new Error('there are no faults with live keys');
  return faults;
}

function statusOf({ id }: FaultPlanRow, faults: FaultPlans | undefined) {
  if (faults?.areIgnored) return 'Ignored';
  return faults?.isActive(id) ? 'Active' : 'Ended';
}

async function toReply(
  { store, faults }: Pick<Services, 'store' | 'faults'>,
  row: FaultPlanRow,
  strikes: readonly StoredStrike[],
): Promise<Static<typeof FaultPlanReply>> {
  const struckByFault = (await countsOf(store, row)).map(({ struck }) => struck);
  return {
    id: row.id,
    title: row.title,
    seed: row.seed,
    status: statusOf(row, faults),
    createdTimestamp: toTimestamp(row.created_ms),
    faults: parseJson(row.faults),
    struck: struckByFault.reduce((sum, struck) => sum + struck, 0),
    struckByFault,
    strikes: strikes.map(({ seq, fault, occurrence, at_ms, what, subject, ids }) => ({
      number: seq,
      fault,
      occurrence,
      timestamp: toTimestamp(at_ms),
      what,
      subject,
      ids: [...parseJson(ids)],
    })),
  };
}

/** Returns a function that returns the strikes of a plan that a reply lists. */
async function listedStrikes(
  { store }: Context,
  { strikes: limit = LISTED_STRIKES, strikesAfter: after }: StrikesQuery,
  planId?: string,
): Promise<(planId: string) => Promise<readonly StoredStrike[]> | readonly StoredStrike[]> {
  if (limit === 0) return () => [];
  if (after === undefined) return (id) => latestStrikes(store, id, limit);
  const later = await strikesAfter(store, { after, limit, planId });
  return (id) => later.filter((strike) => strike.plan_id === id);
}

const createRoute = (operations: () => readonly FaultName[]) =>
  route({
    ...common,
    operation: 'POST /sandbox/faults',
    summary:
      'Put a plan of faults on the sandbox: it strikes requests, messages, terminals and webhooks from now on',
    body: FaultPlanInput,
    reply: FaultPlanReply,
    refusals: ['too_many_fault_plans', 'faults_ignored', 'no_kill'],
    worksOutside: true,
    async handle({ services, body: { title = '', seed = 'default', faults } }) {
      const { store } = services;
      if (services.faults?.areIgnored) throw new Refusal('faults_ignored');
      await refuseUnknownNames(services, faults, operations());
      if (!services.killServer && faults.some(killsServer)) throw new Refusal('no_kill');
      refuseManyKills(faults);
      if ((await allFaultPlans(store)).length >= PLANS_MAX)
        throw new Refusal('too_many_fault_plans', { limit: PLANS_MAX });
      const id = await plansOf(services).create({ title, seed, faults });
      const stored = await findPlan(services, id);
      // Deleted in this moment.
      if (!stored) throw new Refusal('not_found', { what: 'plan of faults' });
      return toReply(services, stored, []);
    },
  });

/** @throws Refusal `invalid_field` when the faults of a plan ask for more kills than a plan can have */
function refuseManyKills(faults: readonly PlannedFault[]): void {
  let kills = 0;
  for (const [index, fault] of faults.entries()) {
    const { forMs, times = forMs === undefined ? 1 : KILLS_MAX } = fault.when ?? {};
    if (killsServer(fault)) kills += times;
    if (kills > KILLS_MAX)
      throw new Refusal('invalid_field', {
        field: `faults.${index}.when.times`,
        problem: `must not lead to more than ${KILLS_MAX} kills of the server by one plan`,
      });
  }
}

async function findPlan(
  { store, faults }: Pick<Services, 'store' | 'faults'>,
  id: string,
): Promise<FaultPlanRow | undefined> {
  await faults?.stored();
  return findFaultPlan(store, id);
}

const listRoute = route({
  ...common,
  operation: 'GET /sandbox/faults',
  summary: 'List the plans of faults, with what struck',
  query: StrikesQuery,
  reply: FaultPlanList,
  async handle({ services, query }) {
    await services.faults?.stored();
    const rows = await allFaultPlans(services.store);
    const strikesOf = await listedStrikes(services, query);
    const items = rows.map(async (row) => toReply(services, row, await strikesOf(row.id)));
    return { items: await Promise.all(items) };
  },
});

const getRoute = route({
  ...common,
  operation: 'GET /sandbox/faults/{id}',
  summary: 'Retrieve a plan of faults, with what struck',
  query: StrikesQuery,
  reply: FaultPlanReply,
  find: ({ services, params }) => findPlan(services, params.id),
  async handle({ services, found, query }) {
    const strikesOf = await listedStrikes(services, query, found.id);
    return toReply(services, found, await strikesOf(found.id));
  },
});

const deleteRoute = route({
  ...common,
  operation: 'DELETE /sandbox/faults/{id}',
  summary: 'End a plan of faults and delete it',
  reply: DeletedFaultPlan,
  worksOutside: true,
  find: ({ services, params }) => findPlan(services, params.id),
  async handle({ services, found: { id } }) {
    await plansOf(services).remove(id);
    return { id, deleted: true as const };
  },
});

/** Returns the routes of the faults that strike a sandbox. `routes` returns all routes of the server. */
export function faultPlanRoutes(routes: () => readonly Route[]): readonly Route[] {
  let operations: readonly FaultName[] | undefined;
  const operationsOf = () => (operations ??= faultOperations(routes()));
  return [createRoute(operationsOf), listRoute, getRoute, deleteRoute];
}
