import { isObject } from '../../protocol/outside-json.ts';
import type { CarefulClient, PlainRequest } from './careful-client.ts';
import { timesIn, type AwaitedEvent } from './awaited-event.ts';
import { compareTimes } from './judge/compare-runs.ts';
import type { Difference } from './judge/difference.ts';
import type { Target, ScenarioRun } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';

interface Runs {
  here: ReadonlyMap<string, ScenarioRun>;
  there: ReadonlyMap<string, ScenarioRun>;
}

interface EventsAgain {
  /** By scenario. */
  found: Map<string, Difference[]>;
  /** Scenarios of which an event could not be read again. */
  unread: string[];
}

/**
 * Looks at the events of both servers again, once all scenarios have run, and returns by scenario where one server has
 * recorded an event more often by then. What cannot be read again is left as it was seen, and named.
 */
export async function compareEventsAgain(
  scenarios: readonly Scenario[],
  runs: Runs,
  targets: { here: Target; there: Target },
): Promise<EventsAgain> {
  const [here, there] = [
    createReader(targets.here.client, runs.here),
    createReader(targets.there.client, runs.there),
  ];
  const found = new Map<string, Difference[]>();
  const unread = new Set<string>();
  for (const scenario of scenarios) {
    for (const [ours, theirs] of awaitedIn(scenario, runs)) {
      const counts = { here: await here(ours.event), there: await there(theirs.event) };
      if (counts.here === undefined || counts.there === undefined) {
        unread.add(scenario.name);
        continue;
      }
      const wasSeen = ours.event.times !== theirs.event.times;
      if (wasSeen || counts.here === counts.there) continue;
      const difference = compareTimes(scenario, ours.step, { here: counts.here, there: counts.there });
      found.set(scenario.name, [...(found.get(scenario.name) ?? []), ...difference]);
    }
  }
  return { found, unread: [...unread] };
}

/** Returns the events that a scenario has seen at both servers. */
function awaitedIn({ name }: Scenario, { here, there }: Runs) {
  const theirs = there.get(name)?.observations ?? [];
  return (here.get(name)?.observations ?? []).flatMap(({ step, event }) => {
    const other = theirs.find((one) => one.step === step)?.event;
    return event && other ? [[{ step, event }, { event: other }] as const] : [];
  });
}

/** At fifty events each; an account that others use may have more. */
const PAGES_MAX = 60;
/** How far the clock of a server may be behind ours. */
const CLOCK_SECONDS = 60;

/**
 * Creates what counts an event at a server. All events since the first scenario are read, once for each account.
 * Resolves with undefined where they cannot be read.
 */
function createReader(client: CarefulClient, runs: ReadonlyMap<string, ScenarioRun>) {
  const begin = Math.min(...[...runs.values()].map((run) => run.startTimestamp)) - CLOCK_SECONDS;
  const read = new Map<string, Promise<unknown[] | undefined>>();
  return async (event: AwaitedEvent): Promise<number | undefined> => {
    const key = JSON.stringify(event.request.headers);
    if (!read.has(key)) read.set(key, readSince(client, event.request, begin));
    const items = await read.get(key)!;
    return items && timesIn(items, event);
  };
}

async function readSince(
  client: CarefulClient,
  request: PlainRequest,
  begin: number,
): Promise<unknown[] | undefined> {
  const all: unknown[] = [];
  let path = request.path;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const sent = await client.send({ ...request, path });
    const body = 'reply' in sent && sent.reply.status === 200 ? sent.reply.body : undefined;
    const items = isObject(body) ? body['items'] : undefined;
    if (!Array.isArray(items)) return undefined;
    all.push(...items);
    const last: unknown = items.at(-1);
    const token = isObject(body) ? body['paginationToken'] : undefined;
    const isOld = isObject(last) && Number(last['createdTimestamp']) < begin;
    if (typeof token !== 'string' || isOld) return all;
    path = `${request.path}&${new URLSearchParams({ startsAfter: token })}`;
  }
  // Which ones are missing is not known.
  return undefined;
}
