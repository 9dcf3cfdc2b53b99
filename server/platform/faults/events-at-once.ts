/** Deliveries that faults make at the same time, so that they are handled at once. */
export interface EventsAtOnce {
  /**
   * Holds an event back until something else happens about its object.
   * @param send resolves when the event is on its way; called once
   */
  holdEvent(objectId: string, send: () => Promise<void>): void;
  /** Sends the events that are held back about these objects, since something about them is told. */
  sendHeldBeside(objectIds: () => readonly string[]): void;
  /** Sends all of one attempt. */
  sendAtOnce<T>(sends: readonly (() => Promise<T>)[]): Promise<T[]>;
  /** Number of deliveries under way besides one for each attempt. */
  sentBesides(): number;
}

export function createEventsAtOnce(): EventsAtOnce & {
  clear(): void;
  idle(): boolean;
  heldEvents(): string[];
} {
  const held = new Map<string, (() => Promise<void>)[]>();
  let sending = 0;
  let besides = 0;
  return {
    holdEvent(objectId, send) {
      held.set(objectId, [...(held.get(objectId) ?? []), send]);
    },
    sendHeldBeside(objectIds) {
      // Asked at each reply and each event.
      if (held.size === 0) return;
      for (const objectId of objectIds()) {
        const sends = held.get(objectId) ?? [];
        held.delete(objectId);
        for (const send of sends) {
          sending += 1;
          void send().finally(() => (sending -= 1));
        }
      }
    },
    sendAtOnce(sends) {
      let left = sends.length;
      besides += left - 1;
      const ended = () => {
        left -= 1;
        if (left > 0) besides -= 1;
      };
      return Promise.all(sends.map((send) => send().finally(ended)));
    },
    sentBesides: () => besides,
    /** Returns in words what is held back: a copy of the sandbox sends it at its time, not beside what comes. */
    heldEvents: () => (held.size > 0 ? ['an event'] : []),
    clear: () => held.clear(),
    idle: () => sending === 0,
  };
}
