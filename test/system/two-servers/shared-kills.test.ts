import { afterAll, expect, test } from 'vitest';
import { seededRandom } from '../../../protocol/ids.ts';
import { countFrom } from '../../kit/count-from.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';
import { createAcknowledgedObjects, type AcknowledgedObjects } from '../stores/acknowledged-objects.ts';
import { createKeyedRequests, type KeyedRequests } from '../stores/keyed-requests.ts';
import { checkEvents } from './events-check.ts';
import { momentName, plannedKills, strike, type Kill } from './kills.ts';
import { checkLedger } from './ledger-check.ts';
import { checkStore } from './shared-store-check.ts';
import { nothingAcknowledged, onlineTill, terminalTill, type Acknowledged } from './tills.ts';
import { startTwoServers, type TwoServers } from './two-servers.ts';

/** Another seed is other moments, and more kills take longer: `SEED=two npm run prove:shared-kills`. */
const SEED = process.env['SEED'] ?? 'one';
const KILLS = {
  server: countFrom('SERVER_KILLS', 3),
  database: countFrom('DATABASE_KILLS', 1),
  broker: countFrom('BROKER_KILLS', 1),
};
const TOTAL = KILLS.server + KILLS.database + KILLS.broker;

const TERMINALS = 6;
const ONLINE = 6;
/** What ends between a kill and the next one, so that all tills are busy again. */
const ACTIONS_BETWEEN = 2;

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

test(
  `two servers on one database and broker: ${KILLS.server} kills of a server, ${KILLS.database} of the database and ${KILLS.broker} of the broker lose nothing and repeat nothing`,
  { timeout: 120_000 + TOTAL * 30_000 },
  async () => {
    const stack = await startTwoServers(fixture, TERMINALS);
    const { databaseUrl, servers, receiver, terminalIds } = stack;
    const requests = createKeyedRequests(servers);
    const acknowledged = nothingAcknowledged();
    const objects = servers.map((server, nth) => createAcknowledgedObjects(server, `SERVER-${nth}`));
    const tills = [
      ...terminalIds.map((id) => terminalTill(id, requests, acknowledged)),
      ...Array.from({ length: ONLINE }, (_, nth) => onlineTill(`till-${nth}`, requests, acknowledged, stack)),
    ];
    const selling = Promise.all(tills.map((till) => till.sell()));
    // A till that fails ends the test at once.
    const failed = selling.then(() => undefined);
    const struck: Struck[] = [];
    for (const kill of plannedKills(seededRandom(SEED), KILLS)) {
      const killing = killOnce(stack, kill, { requests, acknowledged, objects });
      const hitWork = await Promise.race([failed, killing]);
      struck.push({ kill, hitWork: hitWork === true });
    }
    tills.forEach((till) => till.stop());
    await selling;

    const ids = receiver.deliveries.map(({ event }) => event.id);
    const report = reportOf(acknowledged, {
      kills: countEach(struck.map(textOf)),
      requests: requests.counts,
      events: new Set(ids).size,
      deliveries: ids.length,
    });
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);

    // Each cardholder presents a card, so none waits for one until the deadline unless a message was lost.
    expect([...acknowledged.actions.values()].filter(({ error }) => error === 'timeout')).toEqual([]);
    await checkShown(stack, acknowledged);
    await checkEvents(stack);
    await checkStore(databaseUrl, acknowledged);
    await checkLedger(databaseUrl);
    expect(struck).toHaveLength(TOTAL);
    expect(struck.filter(({ hitWork }) => hitWork)).not.toEqual([]);
  },
);

/** What goes on while processes are killed. */
interface Work {
  requests: KeyedRequests;
  acknowledged: Acknowledged;
  /** Made at each server. */
  objects: readonly AcknowledgedObjects[];
}

/** A kill that was made, and whether anything was under way at what it killed. */
interface Struck {
  kill: Kill;
  hitWork: boolean;
}

function textOf({ kill, hitWork }: Struck): string {
  return `${kill.victim} ${momentName(kill)}${hitWork ? '' : ', nothing under way'}`;
}

/** Kills and starts again. Returns whether anything was under way at what was killed. */
async function killOnce(
  stack: TwoServers,
  kill: Kill,
  { requests, acknowledged: { actions, inProgress }, objects: ofServers }: Work,
): Promise<boolean> {
  const { databaseUrl, mosquitto, postgres, receiver, servers } = stack;
  const server = servers[kill.server];
  const requestsAt = (each: readonly Tapbench[]) => each.flatMap((one) => requests.underWay(one)).length;
  const { process, underWay } = {
    server: { process: server, underWay: () => requestsAt([server]) },
    database: { process: postgres, underWay: () => requestsAt(servers) },
    broker: { process: mosquitto, underWay: () => inProgress.size },
  }[kill.victim];
  let hitWork = false;
  const watched = {
    async kill() {
      hitWork = underWay() > 0;
      await process.kill();
    },
  };
  const objects = ofServers[kill.server]!;
  const creating = kill.victim === 'server' ? objects.create() : undefined;
  const at = { requests, receiver, ...(kill.victim === 'server' && { server }) };
  await Promise.all([strike(watched, kill, at), creating]);
  if (kill.victim === 'server') await server.restart();
  else await (kill.victim === 'database' ? postgres : mosquitto).start();
  await objects.check();
  const ended = actions.size;
  await waitFor('actions to end again', () => actions.size >= ended + ACTIONS_BETWEEN, 60_000);
  await checkLedger(databaseUrl);
  return hitWork;
}

/** Both servers show each object as it was acknowledged. */
async function checkShown({ servers }: TwoServers, { shown }: Acknowledged): Promise<void> {
  for (const [path, object] of shown)
    for (const { api } of servers) expect([path, (await api('GET', path)).body]).toEqual([path, object]);
}

function reportOf(
  { actions, payouts, refused, sessions, transfers }: Acknowledged,
  counts: { kills: object; requests: object; events: number; deliveries: number },
): object {
  return {
    ...counts,
    deliveriesRepeated: counts.deliveries - counts.events,
    actions: countEach([...actions.values()].map(({ status, error }) => error ?? status)),
    longestActionMs: Math.max(...[...actions.values()].map(({ ms }) => ms)),
    payments: sessions.size,
    transfers: transfers.size,
    payouts: payouts.size,
    refused: Object.fromEntries(refused),
  };
}

function countEach(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts.toSorted()) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}
