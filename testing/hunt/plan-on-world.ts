import type { PlannedFault } from '../../server/platform/faults/fault-plan.schema.ts';
import { readFacts, type ReadAs, type ReadShop } from '../../world/verdicts/read-facts.ts';
import type { HuntFacts, Verdict } from '../../world/verdicts/hunt-facts.ts';
import { firstWrong, type VerdictName, type Wrong } from '../../world/verdicts/verdicts.ts';
import { PLAN_OF_STOPS } from '../../world/replay/replay-trace.ts';
import {
  describeFault,
  type HuntedFault,
  type IntegratorFault,
  observeOccurrences,
  type Observed,
  stopSubject,
} from './hunted-fault.ts';
import { spareReads } from './spared-reads.ts';
import type { Server } from '../../server/app.ts';
import { successOf } from '../world/api.ts';
import type { World } from '../world/world.ts';

/**
 * Puts a plan on a world, and watches where faults could strike. Returns those that stop the integrator.
 * @param onOccurrence called where one could strike
 */
export async function putPlanOn(
  { server, api, watchServers }: World,
  plan: readonly HuntedFault[] | undefined,
  onOccurrence?: (occurrence: Observed) => unknown,
): Promise<{ stops: IntegratorFault[]; observed: () => Observed[] }> {
  const ofServer = (plan ?? []).filter((fault): fault is PlannedFault => fault.at !== 'integrator');
  if (ofServer.length > 0) {
    // A request, so that a replay of the recording repeats it.
    const path = '/sandbox/faults';
    successOf(await api.post(path, { title: 'hunt', seed: 'hunt', faults: ofServer }), `POST ${path}`);
  }
  const stops = (plan ?? []).filter((fault): fault is IntegratorFault => fault.at === 'integrator');
  if (stops.length > 0) tellPlan(server, stops.map(describeFault));
  // Last: the plan itself is no part of what happens.
  return { stops, observed: observeOccurrences(watchServers, onOccurrence) };
}

function tellPlan({ services }: Server, faults: string[]): void {
  services.activities.emit({ kind: 'fault.planned', planId: PLAN_OF_STOPS, title: 'hunt', faults });
}

/**
 * Tells the recordings of a world that a fault has stopped the integrator's process.
 * @param name of the event or key at which it did
 */
export function tellStop({ server }: World, fault: IntegratorFault, name?: string): void {
  const { at, what } = fault;
  const subject = stopSubject(fault, name);
  server.services.activities.emit({
    kind: 'fault.struck',
    planId: PLAN_OF_STOPS,
    at,
    what,
    subject,
    ids: [],
  });
}

/** Returns the faults of the plan on a world that have struck nothing yet, besides those that stop the integrator. */
export function unstruckFaults({ server }: World): PlannedFault[] {
  return server.services.faults!.unstruck();
}

/** How a hunt judges. */
export interface Judgement {
  /** Besides those of every hunt. */
  verdicts: readonly Verdict[];
  /** Those of every hunt that are left out. */
  withoutVerdicts: readonly VerdictName[];
  orderMember: string;
}

/** What is wrong in a world, and what was judged. */
interface Judged {
  wrong: Wrong | undefined;
  facts: HuntFacts;
}

/**
 * Ends the faults of a world in which everything that was due has happened. Returns what is wrong in it, and what was
 * judged.
 * @throws what a verdict or `shop` throws
 */
export async function judge(world: World, judgement: Judgement, shop: ReadShop | undefined): Promise<Judged> {
  // Also those of a server that a fault has killed just before, and that is still starting.
  world.watchServers(({ services: { faults } }) => {
    faults!.clear();
    faults!.awaits = () => false;
  });
  return readAndJudge(world, judgement, shop);
}

/**
 * Returns what is wrong in a world in which faults still strike, and what was judged. None strikes what is read for that.
 * @throws what a verdict or `shop` throws
 */
export function judgeMeanwhile(
  world: World,
  judgement: Judgement,
  shop: ReadShop | undefined,
): Promise<Judged> {
  return spareReads(() => readAndJudge(world, judgement, shop));
}

async function readAndJudge(
  { api }: World,
  { verdicts, withoutVerdicts, orderMember }: Judgement,
  shop: ReadShop | undefined,
): Promise<Judged> {
  const read: ReadAs = async (path, subAccountId) =>
    successOf(await (subAccountId === undefined ? api : api.as(subAccountId)).get(path), `GET ${path}`);
  const facts = await readFacts(read, orderMember, shop);
  return { wrong: await firstWrong(facts, verdicts, withoutVerdicts), facts };
}
