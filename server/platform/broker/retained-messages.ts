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

/** Retained messages by topic, found by topic filter (MQTT 3.1.1 §4.7). */
interface RetainedMessages<M extends { topic: string }> {
  set(message: M): void;
  delete(topic: string): void;
  /** Returns the messages whose topics match a filter. */
  matching(filter: string): M[];
}

/** One level of the topic tree. */
interface Level<M> {
  message: M | undefined;
  /** Undefined while there is none: most levels of a large tree are the last of their topic. */
  children: Map<string, Level<M>> | undefined;
}

/**
 * Creates a tree of topic levels. To find the messages of a filter takes as many steps as the filter has levels, and
 * one for each level that a wildcard matches, however many messages there are.
 */
export function createRetainedMessages<M extends { topic: string }>(): RetainedMessages<M> {
  const root = emptyLevel<M>();
  return {
    set(message) {
      let level = root;
      for (const name of message.topic.split('/')) {
        level.children ??= new Map();
        let child = level.children.get(name);
        if (!child) level.children.set(name, (child = emptyLevel<M>()));
        level = child;
      }
      level.message = message;
    },
    delete: (topic) => void remove(root, topic.split('/'), 0),
    matching(filter) {
      const found: M[] = [];
      collect(root, filter.split('/'), 0, found);
      return found;
    },
  };
}

function emptyLevel<M>(): Level<M> {
  return { message: undefined, children: undefined };
}

/** Removes a message and the levels that are empty without it. Returns whether `level` is empty now. */
function remove<M>(level: Level<M>, names: readonly string[], depth: number): boolean {
  const name = names[depth];
  if (name === undefined) level.message = undefined;
  else {
    const child = level.children?.get(name);
    if (child && remove(child, names, depth + 1)) level.children!.delete(name);
    if (level.children?.size === 0) level.children = undefined;
  }
  return level.message === undefined && level.children === undefined;
}

function collect<M>(level: Level<M>, names: readonly string[], depth: number, found: M[]): void {
  const name = names[depth];
  if (name === undefined) {
    if (level.message) found.push(level.message);
  } else if (name === '#') {
    collectAll(level, depth, found);
  } else if (name === '+') {
    for (const [child, below] of level.children ?? [])
      if (isMatchedByWildcard(child, depth)) collect(below, names, depth + 1, found);
  } else {
    const below = level.children?.get(name);
    if (below) collect(below, names, depth + 1, found);
  }
}

/** `#` also matches the level above it (MQTT 3.1.1 §4.7.1.2). */
function collectAll<M>(level: Level<M>, depth: number, found: M[]): void {
  if (level.message) found.push(level.message);
  for (const [child, below] of level.children ?? [])
    if (isMatchedByWildcard(child, depth)) collectAll(below, depth + 1, found);
}

/** A wildcard at the beginning of a filter matches no topic that begins with `$` (MQTT-4.7.2-1). */
function isMatchedByWildcard(name: string, depth: number): boolean {
  return depth > 0 || !name.startsWith('$');
}
