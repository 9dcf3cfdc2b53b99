/** Limits the memory that the retained messages of each user take in the broker. */
export interface RetainedMessageQuota {
  /** Counts a retained message in place of the one before on its topic. Returns false when it exceeds the limit. */
  retain(username: string, topic: string, bytes: number): boolean;
  /** Removes a user and returns the topics on which it has a message. */
  forget(username: string): string[];
  /** Users that have a message. */
  users(): string[];
}

/** @param bytesMax limit of each user, topics and payloads together */
export function createRetainedMessageQuota(bytesMax: number): RetainedMessageQuota {
  const users = new Map<string, Map<string, number>>();
  return {
    retain(username, topic, bytes) {
      const topics = users.get(username) ?? new Map<string, number>();
      if (bytes === 0) return topics.delete(topic) || true; // an empty one clears the topic (MQTT-3.3.1-10)
      let others = 0;
      for (const [each, size] of topics) if (each !== topic) others += size;
      if (others + topic.length + bytes > bytesMax) return false;
      users.set(username, topics.set(topic, topic.length + bytes));
      return true;
    },
    forget(username) {
      const topics = [...(users.get(username)?.keys() ?? [])];
      users.delete(username);
      return topics;
    },
    users: () => [...users.keys()],
  };
}
