import type { Connector } from './link.ts';

/** The sandbox that a server has without being asked. Its topics, addresses and user names have no name in them. */
export const DEFAULT_SANDBOX = 'default';

const RESERVED_NAMES = ['terminals', 'simulators', 'clock'];
const NAME = /^[a-z0-9-]{1,40}$/;

/** Whether a text can be the name of a sandbox: it is also a level of its topics and part of its addresses. */
export function isSandboxName(name: string): boolean {
  return NAME.test(name) && !RESERVED_NAMES.includes(name);
}

const ROOT = 'tapbench/';

/** Returns a topic or filter of the tree as that of a sandbox: `tapbench/{sandbox}/…`. Other topics have none. */
export function topicIn(sandbox: string, topic: string): string {
  if (sandbox === DEFAULT_SANDBOX || !topic.startsWith(ROOT)) return topic;
  return `${ROOT}${sandbox}/${topic.slice(ROOT.length)}`;
}

/** Returns a topic or filter of a sandbox without its level, or undefined when it is not of this sandbox. */
export function topicWithin(sandbox: string, topic: string): string | undefined {
  if (sandbox === DEFAULT_SANDBOX) return topic;
  const prefix = `${ROOT}${sandbox}/`;
  return topic.startsWith(prefix) ? ROOT + topic.slice(prefix.length) : undefined;
}

/** Returns the sandbox that a topic of the tree belongs to. */
export function sandboxOfTopic(topic: string): string {
  const [, level = ''] = topic.split('/', 2);
  return topic.startsWith(ROOT) && isSandboxName(level) ? level : DEFAULT_SANDBOX;
}

/** Returns the user name of a device in a sandbox: `{id}@{sandbox}`. */
export function userIn(sandbox: string, id: string): string {
  return sandbox === DEFAULT_SANDBOX ? id : `${id}@${sandbox}`;
}

// Of a terminal or a simulator. The server's user name at an external broker may be an email address.
const DEVICE_IN_SANDBOX = /^((?:tml|sim)_[^@]+)@([a-z0-9-]{1,40})$/;

/** Returns the id and the sandbox in a user name. */
export function parseUser(username: string): { id: string; sandbox: string } {
  const [, id, sandbox] = DEVICE_IN_SANDBOX.exec(username) ?? [];
  if (id === undefined || sandbox === undefined) return { id: username, sandbox: DEFAULT_SANDBOX };
  return { id, sandbox };
}

/** Returns a connector whose links use the topics of a sandbox, and are used with those of the tree. */
export function inSandbox(connect: Connector, sandbox: string): Connector {
  if (sandbox === DEFAULT_SANDBOX) return connect;
  return (plan) => {
    const { will, handlers } = plan;
    const link = connect({
      ...plan,
      subscriptions: plan.subscriptions.map((filter) => topicIn(sandbox, filter)),
      ...(will && { will: { ...will, topic: topicIn(sandbox, will.topic) } }),
      handlers: {
        ...handlers,
        message: (topic, payload) => handlers.message(topicWithin(sandbox, topic) ?? topic, payload),
      },
    });
    return {
      open: () => link.open(),
      publish: (envelope) => link.publish({ ...envelope, topic: topicIn(sandbox, envelope.topic) }),
      get online() {
        return link.online;
      },
      close: () => link.close(),
      drop: () => link.drop(),
    };
  };
}
