import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALL_MESSAGES } from '../../protocol/messages.ts';
import {
  CLOCK_TOPIC,
  commandFilter,
  deniedTopic,
  filtersOf,
  mayPublish,
  maySubscribe,
  parseTopic,
  SERVER_FILTERS,
  topicOf,
  type Principal,
} from '../../protocol/topics.ts';

const TILL = 'tml_01J9Z6M1N2P3Q4R5S6T7V8W9XA';
const KIOSK = 'tml_01J9Z6M1N2P3Q4R5S6T7V8W9XB';

const everybody: Record<string, Principal> = {
  server: { kind: 'server' },
  till: { kind: 'terminal', terminalId: TILL },
  kiosk: { kind: 'terminal', terminalId: KIOSK },
  simulator: { kind: 'simulator', simulatorId: 'sim_1' },
};

/** Names of those whom a rule lets. */
function whoMay(rule: (principal: Principal, topic: string) => boolean, topic: string): string[] {
  return Object.keys(everybody).filter((name) => rule(everybody[name]!, topic));
}

test.each<[string, string[]]>([
  [CLOCK_TOPIC, ['server']],
  [`tapbench/terminals/${TILL}/commands/action-start`, ['server']],
  [`tapbench/terminals/${TILL}/reports/action-accepted`, ['till']],
  [`tapbench/terminals/${KIOSK}/reports/presence`, ['kiosk']],
  [`tapbench/simulators/${TILL}/commands/simulate`, ['server']],
  [`tapbench/simulators/${TILL}/reports/simulated`, ['simulator']],
  [`tapbench/terminals/${TILL}/reports/presence/more`, []],
  [`tapbench/terminals/${TILL}/reports/`, []],
  [`tapbench/terminals/+/reports/presence`, []],
  [`tapbench/terminals/${TILL}/reports/#`, []],
  [`Tapbench/terminals/${TILL}/reports/presence`, []],
  [`/tapbench/terminals/${TILL}/reports/presence`, []],
  [`$SYS/broker/clients`, []],
  [`$denied/x/y`, []],
  [``, []],
])('%s may be published by %j', (topic, allowed) => {
  expect(whoMay(mayPublish, topic)).toEqual(allowed);
});

test.each<[string, string[]]>([
  [CLOCK_TOPIC, ['till', 'kiosk', 'simulator']],
  [SERVER_FILTERS[0]!, ['server']],
  [SERVER_FILTERS[1]!, ['server']],
  ['$denied/#', ['server']],
  [commandFilter('terminals', TILL), ['till']],
  [commandFilter('simulators', TILL), ['simulator']],
  [commandFilter('simulators', '+'), ['simulator']],
  [commandFilter('terminals', '+'), []],
  [`tapbench/terminals/${TILL}/#`, []],
  [`tapbench/terminals/${TILL}/reports/+`, []],
  [`tapbench/simulators/${TILL}/reports/+`, []],
  [`$share/group/${SERVER_FILTERS[0]!}`, []],
  ['#', []],
  ['+/#', []],
  ['$SYS/#', []],
])('%s may be subscribed to by %j', (filter, allowed) => {
  expect(whoMay(maySubscribe, filter)).toEqual(allowed);
});

test('every message has a topic that is read back as that message, and that no broker stumbles over', () => {
  for (const { audience, channel, name } of ALL_MESSAGES) {
    const parts = { audience, terminalId: TILL, channel, message: name };
    expect(parseTopic(topicOf(parts))).toEqual(parts);
    expect(topicOf(parts)).toMatch(/^[A-Za-z0-9_/-]+$/);
  }
});

test('names of messages are dotted words, so that a hyphen stands for a dot and nothing else', () => {
  for (const { name } of ALL_MESSAGES) expect(name).toMatch(/^[a-z]+(\.[a-z]+)*$/);
  expect(new Set(ALL_MESSAGES.map(({ name }) => name)).size).toBe(ALL_MESSAGES.length);
});

test('a denied topic is short, shallow and without wildcards, whatever was asked', () => {
  expect(deniedTopic('till', 'tapbench/clock')).toBe('$denied/till/tapbench/clock');
  const worst = deniedTopic('a/b/#'.repeat(1_000), '+/#/'.repeat(20_000));
  expect(worst).not.toMatch(/[+#]/);
  expect(worst.length).toBeLessThan(300);
  expect(worst.split('/').length).toBeLessThan(20);
});

test('the rules as filters are the same rules', () => {
  const level = fc.constantFrom(
    'tapbench',
    'terminals',
    'simulators',
    'commands',
    'reports',
    'clock',
    'presence',
    TILL,
    KIOSK,
  );
  const tree = fc.tuple(
    fc.constant('tapbench'),
    fc.constantFrom('terminals', 'simulators'),
    fc.constantFrom(TILL, KIOSK),
    fc.constantFrom('commands', 'reports'),
    level,
  );
  const topics = fc.oneof(
    fc.array(level, { minLength: 1, maxLength: 6 }),
    tree,
    fc.constant(CLOCK_TOPIC.split('/')),
  );
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(everybody)), topics, (principal, levels) => {
      const matches = (filter: string) => {
        const parts = filter.split('/');
        return (
          parts.length === levels.length && parts.every((part, at) => part === '+' || part === levels[at])
        );
      };
      expect(filtersOf(principal).publish.some(matches)).toBe(mayPublish(principal, levels.join('/')));
    }),
    { numRuns: 2_000 },
  );
  for (const principal of Object.values(everybody)) {
    for (const filter of filtersOf(principal).subscribe) expect(maySubscribe(principal, filter)).toBe(true);
  }
});
