import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALL_MESSAGES } from '../../protocol/messages.ts';
import { filtersOf, mayPublish, maySubscribe, publishDenial } from '../../protocol/permissions.ts';
import {
  CLOCK_TOPIC,
  commandFilter,
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
  // A fork has terminals with the ids of its source.
  'till of ci': { kind: 'terminal', terminalId: TILL, sandbox: 'ci' },
  'simulator of ci': { kind: 'simulator', simulatorId: 'sim_1', sandbox: 'ci' },
};

/** Names of those whom a rule lets. */
function whoMay(rule: (principal: Principal, topic: string) => boolean, topic: string): string[] {
  return Object.keys(everybody).filter((name) => rule(everybody[name]!, topic));
}

test.each<[string, string[]]>([
  [CLOCK_TOPIC, ['server']],
  [`tapbench/terminals/${TILL}/commands/action-start`, ['server']],
  [`tapbench/terminals/${TILL}/reports/action-accepted`, ['till']],
  [`tapbench/terminals/${KIOSK}/reports/presence`, ['server', 'kiosk']],
  [`tapbench/simulators/${TILL}/commands/simulate`, ['server']],
  [`tapbench/simulators/${TILL}/reports/simulated`, ['simulator']],
  [`tapbench/simulators/sim_1/reports/cards-offered`, ['simulator']],
  [`tapbench/simulators/sim_2/reports/cards-offered`, []],
  [`tapbench/simulators/${TILL}/reports/presence`, []],
  [`tapbench/terminals/${TILL}/reports/undeclared`, []],
  [`tapbench/terminals/${TILL}/reports/simulated`, []],
  [`tapbench/terminals/${TILL}/reports/action-start`, []],
  [`tapbench/terminals/${TILL}/reports/presence/more`, []],
  [`tapbench/terminals/${TILL}/reports/`, []],
  [`tapbench/terminals/+/reports/presence`, []],
  ['tapbench/ci/clock', ['server']],
  [`tapbench/ci/terminals/${TILL}/commands/action-start`, ['server']],
  [`tapbench/ci/terminals/${TILL}/reports/action-accepted`, ['till of ci']],
  [`tapbench/ci/simulators/${TILL}/reports/simulated`, ['simulator of ci']],
  [`tapbench/ci/terminals/${KIOSK}/reports/presence`, ['server']],
  [`tapbench/cii/terminals/${TILL}/reports/presence`, ['server']],
  [`tapbench/ci/ci/terminals/${TILL}/reports/presence`, []],
  [`tapbench/terminals/${TILL}/reports/#`, []],
  [`Tapbench/terminals/${TILL}/reports/presence`, []],
  [`/tapbench/terminals/${TILL}/reports/presence`, []],
  [`$SYS/broker/clients`, []],
  [`$denied/x/y`, []],
  [``, []],
])('mayPublish: %s may be published by %j', (topic, allowed) => {
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
  [commandFilter('simulators', 'x'.repeat(1_000)), []],
  [`tapbench/simulators/tml_${'0'.repeat(27)}/commands/+`, []],
  [commandFilter('terminals', '+'), []],
  [`tapbench/terminals/${TILL}/#`, []],
  [`tapbench/terminals/${TILL}/reports/+`, []],
  [`tapbench/simulators/${TILL}/reports/+`, []],
  ['tapbench/ci/clock', ['till of ci', 'simulator of ci']],
  ['tapbench/ci/terminals/+/reports/+', ['server']],
  [`tapbench/ci/terminals/${TILL}/commands/+`, ['till of ci']],
  ['tapbench/ci/simulators/+/commands/+', ['simulator of ci']],
  ['tapbench/+/clock', []],
  [`tapbench/+/terminals/${TILL}/commands/+`, []],
  [`$share/group/${SERVER_FILTERS[0]!}`, []],
  ['#', []],
  ['+/#', []],
  ['$SYS/#', []],
])('maySubscribe: %s may be subscribed to by %j', (filter, allowed) => {
  expect(whoMay(maySubscribe, filter)).toEqual(allowed);
});

test('filtersOf: the filters match mayPublish and maySubscribe', () => {
  const level = fc.constantFrom(
    'tapbench',
    'terminals',
    'simulators',
    'commands',
    'reports',
    'clock',
    'presence',
    'simulated',
    'cards-offered',
    'undeclared',
    'ci',
    TILL,
    KIOSK,
  );
  const tree = fc.tuple(
    fc.constantFrom('tapbench', 'tapbench/ci'),
    fc.constantFrom('terminals', 'simulators'),
    fc.constantFrom(TILL, KIOSK, 'sim_1'),
    fc.constantFrom('commands', 'reports'),
    level,
  );
  const topics = fc.oneof(
    fc.array(level, { minLength: 1, maxLength: 6 }),
    tree.map((levels) => levels.join('/').split('/')),
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

test('publishDenial: allows retain only as declared, and QoS 0 or 1', () => {
  const till: Principal = { kind: 'terminal', terminalId: TILL };
  const reports = ALL_MESSAGES.filter(
    ({ audience, channel }) => audience === 'terminals' && channel === 'reports',
  );
  const retained = reports.filter(({ channel, name }) => {
    const topic = topicOf({ audience: 'terminals', terminalId: TILL, channel, message: name });
    expect(publishDenial(till, { topic, qos: 0, retain: false })).toBeUndefined();
    expect(publishDenial(till, { topic, qos: 2, retain: false })).toBe('qos');
    return publishDenial(till, { topic, qos: 1, retain: true }) !== 'retain';
  });
  expect(retained.map(({ name }) => name)).toEqual(['presence', 'machine.described']);
});
