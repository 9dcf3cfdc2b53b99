import { idPattern } from './ids.ts';
import { ALL_MESSAGES } from './messages.ts';
import { CardsOffered } from './messages/sandbox.messages.ts';
import {
  CLOCK_TOPIC,
  commandFilter,
  DEFAULT_SANDBOX,
  DENIED_FILTER,
  parseTopic,
  SERVER_FILTERS,
  topicIn,
  topicOf,
  topicWithin,
  type Audience,
  type Principal,
} from './topics.ts';

/** The properties of a message that its permission depends on. */
export interface Publish {
  topic: string;
  qos: 0 | 1 | 2;
  retain: boolean;
}

const REPORTS = ALL_MESSAGES.filter(({ channel }) => channel === 'reports');

function reportNamed(audience: Audience, name: string) {
  return REPORTS.find((report) => report.audience === audience && report.name === name);
}

/**
 * Returns whether a principal may publish to a topic. A terminal publishes its own reports, a simulator those of
 * simulators, the server commands and the clock: devices in their sandbox, the server in all. The server also clears
 * the reports that are retained for terminals of a sandbox that is deleted.
 */
export function mayPublish(principal: Principal, topic: string): boolean {
  if (principal.kind === 'server')
    return mayPublishInTree(principal, topic) || mayPublishInTree(principal, withoutSandbox(topic));
  const inner = topicWithin(principal.sandbox ?? DEFAULT_SANDBOX, topic);
  return inner !== undefined && mayPublishInTree(principal, inner);
}

function mayPublishInTree(principal: Principal, topic: string): boolean {
  const parts = parseTopic(topic);
  const report = parts?.channel === 'reports' ? reportNamed(parts.audience, parts.message) : undefined;
  if (principal.kind === 'server')
    return topic === CLOCK_TOPIC || parts?.channel === 'commands' || report?.retain === true;
  if (!parts || !report) return false;
  if (principal.kind === 'terminal') {
    return parts.audience === 'terminals' && parts.terminalId === principal.terminalId;
  }
  if (parts.audience !== 'simulators') return false;
  return parts.message !== CardsOffered.name || parts.terminalId === principal.simulatorId;
}

/** Removes the level of any sandbox. */
function withoutSandbox(topic: string): string {
  return topic.replace(/^tapbench\/[^/]+\//, 'tapbench/');
}

/** Returns why a message may not be published; undefined when it may. */
export function publishDenial(
  principal: Principal,
  { topic, qos, retain }: Publish,
): 'topic' | 'qos' | 'retain' | undefined {
  if (!mayPublish(principal, topic)) return 'topic';
  if (principal.kind === 'server') return undefined;
  if (qos > 1) return 'qos';
  const { audience, message } = parseTopic(topicWithin(principal.sandbox ?? DEFAULT_SANDBOX, topic)!)!;
  return retain && !reportNamed(audience, message)!.retain ? 'retain' : undefined;
}

const TERMINAL_OR_ALL = new RegExp(`${idPattern('terminal')}|^[+]$`);

/**
 * Returns whether a principal may subscribe to a filter. A terminal reads its own commands, a simulator those to any
 * simulated terminal; both read the clock, all of their own sandbox.
 */
export function maySubscribe(principal: Principal, given: string): boolean {
  if (principal.kind === 'server')
    return (
      [given, withoutSandbox(given)].some((filter) => SERVER_FILTERS.includes(filter)) ||
      given === DENIED_FILTER
    );
  const filter = topicWithin(principal.sandbox ?? DEFAULT_SANDBOX, given) ?? '';
  if (filter === CLOCK_TOPIC) return true;
  if (principal.kind === 'terminal') return filter === commandFilter('terminals', principal.terminalId);
  const id = filter.split('/')[2] ?? '';
  return TERMINAL_OR_ALL.test(id) && filter === commandFilter('simulators', id);
}

/**
 * Returns the same rules as MQTT topic filters, for the configuration of an external broker. A test compares them
 * with `mayPublish` and `maySubscribe`.
 */
export function filtersOf(principal: Principal): { publish: string[]; subscribe: string[] } {
  const { publish, subscribe } = treeFilters(principal);
  if (principal.kind === 'server')
    return { publish: everySandbox(publish), subscribe: everySandbox(subscribe) };
  const { sandbox = DEFAULT_SANDBOX } = principal;
  const inOwn = (filter: string) => topicIn(sandbox, filter);
  return { publish: publish.map(inOwn), subscribe: subscribe.map(inOwn) };
}

function everySandbox(filters: string[]): string[] {
  return [...filters, ...filters.map((filter) => topicIn('+', filter))];
}

function treeFilters(principal: Principal): { publish: string[]; subscribe: string[] } {
  switch (principal.kind) {
    case 'server':
      return {
        publish: [
          CLOCK_TOPIC,
          commandFilter('terminals', '+'),
          commandFilter('simulators', '+'),
          ...reportTopics(REPORTS.filter(({ retain }) => retain)),
        ],
        subscribe: SERVER_FILTERS,
      };
    case 'terminal':
      return {
        publish: reportTopics(reportsOf('terminals'), () => principal.terminalId),
        subscribe: [CLOCK_TOPIC, commandFilter('terminals', principal.terminalId)],
      };
    case 'simulator':
      return {
        publish: reportTopics(reportsOf('simulators'), (name) =>
          name === CardsOffered.name ? principal.simulatorId : '+',
        ),
        subscribe: [CLOCK_TOPIC, commandFilter('simulators', '+')],
      };
  }
}

function reportsOf(audience: Audience): typeof REPORTS {
  return REPORTS.filter((report) => report.audience === audience);
}

/** Returns the topics of reports. @param idFor returns the id in the topic of a report; by default any */
function reportTopics(reports: typeof REPORTS, idFor: (name: string) => string = () => '+'): string[] {
  return reports.map(({ audience, channel, name }) =>
    topicOf({ audience, terminalId: idFor(name), channel, message: name }),
  );
}
