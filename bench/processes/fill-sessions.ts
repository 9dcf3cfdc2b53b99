import type { StartedServer } from '../../cli/server/start-server.ts';
import { createSessionFromRequest } from '../../server/api/payments/session-request.ts';
import { sampleIds, type FillRequest } from './fill-request.ts';

const AT_ONCE = 256;

/** Creates payment sessions without HTTP. Returns a sample of the ids. */
export async function fillSessions(started: StartedServer, order: FillRequest): Promise<string[]> {
  const { services } = started.server;
  const { platformId } = started.accounts;
  const caller = { keyKind: 'secret', keyHash: '', platformId, accountId: platformId } as const;
  const ids: string[] = [];
  while (ids.length < order.count) {
    const length = Math.min(AT_ONCE, order.count - ids.length);
    const rows = await Promise.all(
      Array.from({ length }, () =>
        services.store.transaction((tx) => createSessionFromRequest(tx, services, caller, order.body)),
      ),
    );
    for (const { id } of rows) ids.push(id);
  }
  return sampleIds(ids, order.sampleCount);
}
