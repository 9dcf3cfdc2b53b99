/** What each user's retained messages take in the memory of the broker. */
export interface RetainedBytes {
  /** Notes a retained message, in place of the one before on its topic. False when its user would have too much. */
  retain(username: string, topic: string, bytes: number): boolean;
  /** Forgets a user, and returns the topics on which it has a message. */
  forget(username: string): string[];
}

/** @param bytesMax of topics and payloads, of one user */
export function createRetainedBytes(bytesMax: number): RetainedBytes {
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
  };
}
