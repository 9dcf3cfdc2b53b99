import { expect } from 'vitest';
import { listAll } from '../kit/list-all.ts';
import { signedBodies } from '../kit/signed-bodies.ts';
import { waitFor } from '../kit/wait-for.ts';
import { query } from './ledger-check.ts';
import type { TwoServers } from './two-servers.ts';

const DELIVERED_MS = 60_000;

/** Events of movements, by the type of the movement. */
const EVENT_OF = {
  Authorization: 'PaymentSession.approved',
  Capture: 'PaymentSession.captured',
  Void: 'PaymentSession.voided',
  Refund: 'PaymentSession.refunded',
};

interface EventRow {
  id: string;
  event_type: string;
  object_id: string;
}

/**
 * Waits until each event is acknowledged, and checks that it was received, with its signature, always with the same body,
 * and after those of the same object that were recorded before it.
 */
export async function checkEvents({ databaseUrl, servers, receiver, webhook }: TwoServers): Promise<void> {
  await waitFor(
    'every event to be acknowledged',
    async () => {
      const open = await query(databaseUrl, `SELECT seq FROM deliveries WHERE state <> 'Acknowledged'`);
      if (open.length === 0) return true;
      await servers[0].api('POST', '/sandbox/clock/advance', { seconds: 60 });
      return false;
    },
    DELIVERED_MS,
  );
  const recorded = await query<EventRow>(
    databaseUrl,
    `SELECT id, event_type, object_id FROM events WHERE id IN (SELECT event_id FROM deliveries) ORDER BY seq`,
  );
  const bodies = signedBodies(receiver, webhook.secret);
  expect([...bodies.keys()].toSorted()).toEqual(recorded.map(({ id }) => id).toSorted());
  for (const { id } of recorded) expect([id, bodies.get(id)?.size]).toEqual([id, 1]);
  expect(outOfOrder(recorded, [...bodies.keys()])).toEqual([]);
  await checkNoneMissing(databaseUrl);

  const shown = await listAll(servers[1], '/v1/events', '&ascending=true');
  const ofPlatform = await query<EventRow>(
    databaseUrl,
    `SELECT id FROM events WHERE account_id = '${servers[1].accountId}' ORDER BY seq`,
  );
  expect(shown.map(({ id }) => id)).toEqual(ofPlatform.map(({ id }) => id));
}

/** Events that were first received before an earlier one of their object. @param received ids in the order of their first arrival */
function outOfOrder(recorded: readonly EventRow[], received: readonly string[]): string[] {
  const arrival = new Map(received.map((id, index) => [id, index]));
  const latest = new Map<string, number>();
  return recorded.flatMap(({ id, object_id: object, event_type: type }) => {
    const at = arrival.get(id)!;
    const before = latest.get(object) ?? -1;
    latest.set(object, Math.max(at, before));
    return at > before ? [] : [`${type} ${id} of ${object}`];
  });
}

/** Each movement, action, transfer and payout has its events. */
async function checkNoneMissing(databaseUrl: string): Promise<void> {
  const cases = Object.entries(EVENT_OF).map(([type, event]) => `WHEN '${type}' THEN '${event}'`);
  const missing = await query(
    databaseUrl,
    `WITH moved AS (
       SELECT session_id AS object_id, CASE type ${cases.join(' ')} END AS event_type, COUNT(*) AS times
       FROM payment_transactions
       WHERE status = 'Succeeded' AND session_id IN (SELECT id FROM payment_sessions WHERE metadata LIKE '%order%')
       GROUP BY session_id, type
       UNION ALL SELECT id, 'Payout.created', 1 FROM payouts
       UNION ALL SELECT id, 'Customer.created', 1 FROM customers),
     recorded AS (SELECT object_id, event_type, COUNT(*) AS times FROM events GROUP BY object_id, event_type)
     SELECT moved.*, recorded.times AS recorded FROM moved LEFT JOIN recorded USING (object_id, event_type)
     WHERE moved.times IS DISTINCT FROM recorded.times`,
  );
  expect(missing).toEqual([]);
}
