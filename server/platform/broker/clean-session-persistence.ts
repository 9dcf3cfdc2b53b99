import { Readable } from 'node:stream';
import { createRetainedMessages } from './retained-messages.ts';

interface RetainedPacket {
  topic: string;
  payload: Buffer;
}

type MessageId = { messageId: number };

/**
 * What aedes keeps beyond a connection, in memory, for a broker whose sessions are all clean (access-rules.ts): the
 * retained messages. Subscriptions, outgoing messages and wills end with their connection, so none is stored. aedes'
 * own persistence in memory compares each retained message with the filter of each subscription.
 */
export function createCleanSessionPersistence() {
  const retained = createRetainedMessages<RetainedPacket>();
  /** Messages of QoS 2 that are not released yet, by client id (MQTT-4.3.3-2). aedes limits their number. */
  const incoming = new Map<string, Set<number>>();
  const keepPayload = createPayloadSharing();
  const nothing = async () => {};
  const none = async () => [];
  const noPackets = () => streamOf([]);

  return {
    // aedes requires an async function.
    setup: async () => {},
    destroy: nothing,

    async storeRetained(packet: RetainedPacket) {
      // An empty one clears the topic (MQTT-3.3.1-10).
      if (packet.payload.length === 0) retained.delete(packet.topic);
      else retained.set({ ...packet, payload: keepPayload(packet.payload) });
    },
    /** Not for aedes: the retained messages that match a filter. */
    retainedMatching: (filter: string) => retained.matching(filter),
    createRetainedStream: (filter: string) => streamOf(retained.matching(filter)),
    createRetainedStreamCombi: (filters: string[]) =>
      streamOf(filters.flatMap((filter) => retained.matching(filter))),

    async incomingStorePacket({ id }: { id: string }, { messageId }: MessageId) {
      incoming.set(id, (incoming.get(id) ?? new Set()).add(messageId));
    },
    async incomingGetPacket({ id }: { id: string }, { messageId }: MessageId) {
      if (!incoming.get(id)?.has(messageId)) throw new Error('no such packet');
      return { messageId };
    },
    async incomingDelPacket({ id }: { id: string }, { messageId }: MessageId) {
      if (!incoming.get(id)?.delete(messageId)) throw new Error('no such packet');
    },
    async cleanIncoming({ id }: { id: string }) {
      incoming.delete(id);
    },

    addSubscriptions: nothing,
    removeSubscriptions: nothing,
    cleanSubscriptions: nothing,
    subscriptionsByClient: none,
    subscriptionsByTopic: none,
    countOffline: async () => ({ subsCount: 0, clientsCount: 0 }),
    getClientList: noPackets,

    outgoingEnqueue: nothing,
    outgoingEnqueueCombi: nothing,
    outgoingUpdate: nothing,
    outgoingClearMessageId: nothing,
    outgoingStream: noPackets,

    putWill: nothing,
    getWill: nothing,
    delWill: nothing,
    streamWill: noPackets,
  };
}

/** Smaller payloads take less memory than a search for an equal one is worth. */
const SHARED_BYTES_MIN = 1_024;
const SHARED_PAYLOADS_MAX = 8;

/**
 * Creates a function that returns a buffer with the bytes of a payload. It returns one buffer for equal payloads that
 * follow each other closely: the terminals of a fleet all describe the same machine. Otherwise the bytes are copied,
 * since a payload is a part of all that was read from its connection at once.
 */
function createPayloadSharing(): (payload: Buffer) => Buffer {
  const recent: Buffer[] = [];
  return (payload) => {
    const known = payload.length < SHARED_BYTES_MIN ? undefined : recent.find((each) => each.equals(payload));
    if (known) return known;
    const copy = Buffer.from(payload);
    if (copy.length >= SHARED_BYTES_MIN) recent.unshift(copy);
    if (recent.length > SHARED_PAYLOADS_MAX) recent.pop();
    return copy;
  };
}

function streamOf(items: readonly object[]): Readable {
  let next = 0;
  return new Readable({
    objectMode: true,
    read() {
      while (next < items.length) if (!this.push(items[next++])) return;
      this.push(null);
    },
  });
}
