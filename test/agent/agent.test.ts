import { expect, test } from 'vitest';
import { encodeClock } from '../../protocol/message.ts';
import { CLOCK_TOPIC, topicOf, type Channel } from '../../protocol/topics.ts';
import {
  ACTION_ID,
  startAgentFixture,
  READ_CONTACTLESS,
  START,
  TERMINAL_ID,
  AgentFixture,
} from './agent-fixture.ts';

test('agent: on connect publishes presence, the machine and an inquiry without an action', () => {
  const terminal = startAgentFixture();
  expect(terminal.network.messageNames).toEqual(['presence', 'machine.described', 'action.inquired']);
  expect(terminal.network.sent[0]).toMatchObject({
    retain: true,
    qos: 1,
    body: { online: true, deviceType: 'Test Terminal', firmware: '1.0', reader: 'scripted' },
  });
  expect(terminal.network.sent[1]).toMatchObject({ retain: true, body: { machineId: 'action' } });
  expect(terminal.network.last('action.inquired')).toEqual({ seq: 1 });
  expect(terminal.agent.screen).toEqual(['Ready']);
});

test('agent: sets an offline last will and subscribes to its own commands and the clock', () => {
  const [plan] = startAgentFixture().network.plans;
  expect(plan?.will).toMatchObject({
    topic: `tapbench/terminals/${TERMINAL_ID}/reports/presence`,
    retain: true,
  });
  expect(JSON.parse(plan!.will!.payload.toString())).toEqual({ online: false });
  expect(plan?.subscriptions).toEqual([`tapbench/terminals/${TERMINAL_ID}/commands/+`, CLOCK_TOPIC]);
});

test('agent: publishes its presence again when the server asks whether it is online', () => {
  const terminal = startAgentFixture();
  terminal.network.sent.length = 0;
  terminal.network.deliver(topic('presence.request'), Buffer.from('{}'));
  expect(terminal.network.sent).toMatchObject([
    { name: 'presence', retain: true, body: { online: true, reader: 'scripted' } },
  ]);
});

test('agent: a stop during an action publishes offline and keeps the journal', async () => {
  const terminal = startAgentFixture();
  terminal.start();
  await terminal.settle();
  terminal.network.sent.length = 0;
  await terminal.agent.stop();
  expect(terminal.network.sent).toMatchObject([{ name: 'presence', retain: true, body: { online: false } }]);
  expect(terminal.agent.online).toBe(false);
  expect(terminal.journal.load()).toMatchObject({ actionId: ACTION_ID });
  expect(terminal.reader.takeCalls().at(-1)).toBe('end');
  expect(terminal.clock.due).toEqual([]);
  terminal.powerOn();
  expect(terminal.network.takeReports()).toEqual(['action.inquired', 'action.accepted']);
});

test('agent: stops without a network', async () => {
  const terminal = startAgentFixture();
  terminal.network.cut();
  terminal.network.sent.length = 0;
  await terminal.agent.stop();
  terminal.network.restore();
  expect(terminal.network.sent).toEqual([]);
  expect(terminal.agent.online).toBe(false);
});

test('agent: a power cut publishes nothing, saves nothing and leaves nothing running', async () => {
  const terminal = startAgentFixture();
  terminal.start();
  const kept = terminal.journal.load();
  terminal.network.sent.length = 0;
  terminal.agent.powerCut();
  terminal.reader.emit(...READ_CONTACTLESS);
  await terminal.clock.advance(START.presentCardMs);
  terminal.agent.networkRestored();
  expect(terminal.network.sent).toEqual([]);
  expect(terminal.journal.load()).toEqual(kept);
  expect(terminal.clock.due).toEqual([]);
  expect(terminal.agent.online).toBe(false);
});

test('agent: the display follows the action, and shows that it is connecting without a network', () => {
  const terminal = new AgentFixture();
  terminal.network.cut();
  terminal.agent.start();
  terminal.network.restore();
  terminal.start();
  terminal.reader.emit(...READ_CONTACTLESS);
  expect(terminal.screens).toEqual([
    ['Connecting'],
    ['Ready'],
    ['17.42 GBP', 'Present card'],
    ['17.42 GBP', 'Reading card, do not remove'],
    ['17.42 GBP', 'Authorising'],
  ]);
});

test('agent: passes each step with its deadline to onStep', async () => {
  const terminal = startAgentFixture();
  terminal.start();
  await terminal.settle();
  const stepped = terminal.network.sent.filter((message) => message.name === 'machine.stepped');
  expect(stepped).toMatchObject([
    {
      qos: 0,
      body: {
        actionId: ACTION_ID,
        event: 'action.started',
        state: 'awaitingCard',
        status: 'InProgress',
        deadlineMs: terminal.clock.nowMs() + START.presentCardMs,
        atMs: terminal.clock.nowMs(),
      },
    },
  ]);
  expect(terminal.steps).toEqual([
    {
      actionId: ACTION_ID,
      event: 'action.started',
      from: null,
      state: 'awaitingCard',
      status: 'InProgress',
      deadlineMs: terminal.clock.nowMs() + START.presentCardMs,
    },
  ]);
});

test('agent: passes on the clock of the sandbox', () => {
  const terminal = startAgentFixture();
  const told = encodeClock({ offsetMs: 604_800_000 });
  terminal.network.deliver(told.topic, told.payload);
  expect(terminal.offsets).toEqual([604_800_000]);
});

const OTHER_ID = 'tml_01J9Z6M1N2P3Q4R5S6T7V8W9XB';
const topic = (message: string, channel: Channel = 'commands', terminalId = TERMINAL_ID) =>
  topicOf({ audience: 'terminals', terminalId, channel, message });
const GOOD_START = JSON.stringify({ ...START, seq: 1, expiresAtMs: Number.MAX_SAFE_INTEGER });

test('agent: accepts a start from the wire', () => {
  const terminal = startAgentFixture();
  terminal.network.deliver(topic('action.start'), Buffer.from(GOOD_START));
  expect(terminal.state).toBe('awaitingCard');
});

test.each([
  ['not JSON', topic('action.start'), 'nonsense'],
  ['not the declared body', topic('action.start'), '{"seq":"one"}'],
  ['a command that nobody knows', topic('action.explode'), '{}'],
  ['a start among the reports', topic('action.start', 'reports'), GOOD_START],
  ['another terminal’s', topic('action.start', 'commands', OTHER_ID), GOOD_START],
  ['a topic outside the tree', 'elsewhere', GOOD_START],
  ['a clock that is none', CLOCK_TOPIC, '{"offsetMs":"soon"}'],
  [
    'a decision for no action',
    topic('action.decision'),
    `{"actionId":"${ACTION_ID}","seq":1,"outcome":"approved"}`,
  ],
])('agent: ignores %s', (_, where, text) => {
  const terminal = startAgentFixture();
  terminal.network.deliver(where, Buffer.from(text));
  expect(terminal.steps).toEqual([]);
  expect(terminal.offsets).toEqual([]);
  terminal.start();
  expect(terminal.state).toBe('awaitingCard');
});
