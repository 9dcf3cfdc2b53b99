import { delay } from '../../../protocol/clock.ts';
import { fraction, type Random } from '../../../protocol/ids.ts';
import type { Receiver } from '../kit/receiver.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { realTime } from '../kit/wait-for.ts';
import type { KeyedRequests } from '../stores/keyed-requests.ts';
import { killAt, type KillPoint } from '../stores/kill-points.ts';

type Victim = 'server' | 'database' | 'broker';

export interface Kill {
  victim: Victim;
  /** Which of the two servers, where one is killed. */
  server: 0 | 1;
  at: KillPoint['at'] | { msAfterRequest: number };
}

/** Longest after which a request has most likely been answered. */
const REQUEST_MS = 25;
const ANY_MS = 500;

const WEBHOOKS = [
  'InProgress',
  'PaymentSession.approved',
  'Succeeded',
  'PaymentSession.captured',
  'PaymentSession.refunded',
];

/** Seeded kills in a random order, so many of each victim, at all kinds of moments. */
export function plannedKills(random: Random, counts: Record<Victim, number>): Kill[] {
  const victims = (Object.entries(counts) as [Victim, number][]).flatMap(([victim, count]) =>
    Array.from({ length: count }, (_, nth) => ({ victim, nth, order: fraction(random) })),
  );
  return victims
    .toSorted((one, other) => one.order - other.order)
    .map(({ victim, nth }) => ({ victim, server: nth % 2 === 0 ? 0 : 1, at: momentOf(random, nth) }));
}

function momentOf(random: Random, nth: number): Kill['at'] {
  const which = nth % 4;
  if (which < 2) return { msAfterRequest: Math.floor(fraction(random) * REQUEST_MS) };
  if (which === 3) return { ms: Math.floor(fraction(random) * ANY_MS) };
  const webhook = WEBHOOKS[Math.floor(fraction(random) * WEBHOOKS.length)]!;
  return { webhook, acknowledged: fraction(random) < 0.5 };
}

/** The kind of a moment, for counts. */
export function momentName({ at }: Kill): string {
  if ('msAfterRequest' in at) return 'during a request';
  if ('ms' in at) return 'any time';
  return at.acknowledged ? 'at an acknowledged webhook' : 'at a webhook';
}

/** Ends a process at the moment of a kill. Resolves when it has ended. */
export async function strike(
  process: { kill(): Promise<unknown> },
  { at }: Kill,
  { requests, receiver, server }: { requests: KeyedRequests; receiver: Receiver; server?: Tapbench },
): Promise<void> {
  if (!('msAfterRequest' in at)) return killAt(process, receiver, { at });
  await new Promise<void>((resolve) => {
    requests.onSent = (to) => {
      if (server === undefined || to === server) resolve();
    };
  });
  requests.onSent = () => undefined;
  await delay(realTime, at.msAfterRequest);
  await process.kill();
}
