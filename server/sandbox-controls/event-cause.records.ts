import type { Delivery } from '../platform/outbox/delivery.schema.ts';
import type { Queries, Row } from '../platform/store/store.ts';
import { contains, pattern } from '../platform/store/text-search.ts';

interface CauseRow extends Row {
  id: string;
  method: string;
  path: string;
  status: number | null;
  while_it_ran: number;
}

/**
 * Returns the stored request that caused an event: the one about its object that ran when it was recorded, or else the
 * latest one before. A payment at a terminal, for one, goes on after its request was answered.
 */
export async function causeOf(
  queries: Queries,
  { objectId, createdMs }: { objectId: string; createdMs: number },
): Promise<Delivery['request']> {
  const row = await queries.get<CauseRow>(
    `SELECT id, method, path, status,
       CASE WHEN created_ms + elapsed_us / 1000 + 1 >= ? THEN 1 ELSE 0 END AS while_it_ran
     FROM requests
     WHERE created_ms <= ? AND method <> 'GET' AND (status IS NULL OR status < 400) AND ${contains('object_ids')}
     ORDER BY while_it_ran DESC, seq DESC LIMIT 1`,
    createdMs,
    createdMs,
    pattern(` ${objectId} `),
  );
  if (!row) return null;
  const { id, method, path, status, while_it_ran: whileItRan } = row;
  return { id, method, path, status, whileItRan: whileItRan === 1 };
}
