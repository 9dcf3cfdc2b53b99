import type { DeliveryAttempt } from '../../../server/platform/outbox/delivery.schema.ts';
import type { ShopOrder } from '../../../world/verdicts/hunt-facts.ts';

/** What the books of the endpoint's shop say of an order: undefined when they do not have it. */
type Booked = Pick<ShopOrder, 'paid' | 'amount'> | undefined;

/** What an endpoint did with an event. */
export interface SeenDelivery {
  /** What was sold, minor units. */
  amount: number;
  /** What the attempts got, oldest first. */
  attempts: readonly Pick<DeliveryAttempt, 'reply' | 'problem' | 'elapsedMs'>[];
  /** Whether the server counts the event as delivered. */
  isDelivered: boolean;
  /** Undefined when no books can be read. */
  books?: {
    /** Just after the endpoint had acknowledged the event. */
    atReply: Booked;
    /** When it was quiet again. */
    later: Booked;
  };
}

/** Returns what an attempt got, in words: `replied 302, a redirect, which is not followed`. */
export function replyText({ reply, problem }: SeenDelivery['attempts'][number]): string {
  if (!reply) return `did not reply: ${problem}`;
  const isRedirect = reply.status >= 300 && reply.status < 400;
  return `replied ${reply.status}${isRedirect ? ', a redirect, which is not followed' : ''}`;
}

/** Returns whether an attempt was acknowledged: with 2xx. */
export function isAccepted({ reply }: SeenDelivery['attempts'][number]): boolean {
  return reply !== null && reply.status >= 200 && reply.status < 300;
}
