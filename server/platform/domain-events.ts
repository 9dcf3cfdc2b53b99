import type { Collector, Transaction } from './store/store.ts';

/** Something that happened to an object of an account. */
export interface DomainEvent {
  type: string;
  /** The account that the object belongs to. */
  accountId: string;
  /** The object as the API shows it at this moment. */
  data: { id: string };
  /** The id with whose events this one is delivered in order; that of its own object when not given. */
  inOrderOf?: string | undefined;
  /** What subscribers are given besides; never recorded. */
  detail?: unknown;
}

/** Called in the transaction that raised the event: what it throws undoes the transaction. */
type Subscriber = (tx: Transaction, event: DomainEvent) => Promise<void>;

/**
 * What areas raise for others. Events are dispatched at the end of their transaction, before its commit, in the order
 * in which they were raised: first all are recorded, then each is given to its subscribers. What subscribers raise
 * follows.
 */
export interface DomainEvents {
  raise(tx: Transaction, event: DomainEvent): void;
  /** Subscribers of one type are called in the order in which they subscribed. */
  subscribe(type: string, subscriber: Subscriber): void;
}

/** @param record writes events to the log from which they are delivered */
export function createDomainEvents(
  record: (tx: Transaction, events: readonly DomainEvent[]) => Promise<void>,
): DomainEvents {
  const subscribers = new Map<string, Subscriber[]>();
  const collector: Collector<DomainEvent> = {
    async process(tx, events) {
      await record(tx, events);
      for (const event of events) {
        for (const subscriber of subscribers.get(event.type) ?? []) await subscriber(tx, event);
      }
    },
  };
  return {
    raise: (tx, event) => tx.collect(collector, event),
    subscribe: (type, subscriber) => subscribers.set(type, [...(subscribers.get(type) ?? []), subscriber]),
  };
}
