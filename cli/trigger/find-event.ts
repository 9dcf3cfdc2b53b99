import { Fault } from '../../protocol/failures.ts';
import type { EventType } from '../../server/api/webhooks/event-types.ts';
import type { Event } from '../../server/api/webhooks/event.schema.ts';
import { poll, request, type StepRunner } from './run-step.ts';

interface SoughtEvent {
  eventType: EventType;
  /** An id that the data of the event has somewhere. */
  id: string;
  /** The accounts whose events are read; undefined for the holder of the key. */
  accounts: readonly (string | undefined)[];
}

/** Waits for the newest event of a type about an object. @throws Fault `timed_out` when it is not recorded */
export async function findEvent(runner: StepRunner, sought: SoughtEvent): Promise<Event> {
  const found = await poll(runner, async () => {
    for (const account of new Set(sought.accounts)) {
      const event = await findIn(runner, account, sought);
      if (event) return event;
    }
    return undefined;
  });
  if (found) return found;
  throw new Fault(
    'timed_out',
    `the calls succeeded, but ${sought.eventType} was not recorded for ${sought.id}: what --set changed may lead elsewhere`,
  );
}

/** Pages of events that are read: what else happens in the sandbox may come after the event. */
const PAGES_MAX = 4;

async function findIn(
  runner: StepRunner,
  account: string | undefined,
  { eventType, id }: SoughtEvent,
): Promise<Event | undefined> {
  let after = '';
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const { items, paginationToken } = await request<{ items: Event[]; paginationToken: string | null }>(
      runner,
      `GET /v1/events?limit=50${after}`,
      account,
    );
    const found = items.find(
      ({ eventType: type, data }) => type === eventType && JSON.stringify(data).includes(`"${id}"`),
    );
    if (found || paginationToken === null) return found;
    after = `&startsAfter=${encodeURIComponent(paginationToken)}`;
  }
  return undefined;
}
