import { expect, test } from 'vitest';
import type { Link, LinkOptions } from '../../../../protocol/link.ts';
import type { Envelope } from '../../../../protocol/message.ts';
import { encode } from '../../../../protocol/message.ts';
import { ActionAccepted, CancelAction } from '../../../../protocol/messages/action.messages.ts';
import {
  DisplayShown,
  MachineStepped,
  ReaderTraced,
  ReportsBatched,
} from '../../../../protocol/messages/inspection.messages.ts';
import { Presence } from '../../../../protocol/messages/presence.messages.ts';
import { Simulated } from '../../../../protocol/messages/sandbox.messages.ts';
import { Fault } from '../../../../protocol/failures.ts';
import { createGateway } from '../../../../server/platform/broker/terminal-gateway.ts';
import { connectedPeer, readableLog, waitUntil } from '../../../contract/peer.ts';
import { makeBrokerUsers } from '../../../contract/broker-users.ts';
import { embeddedBroker } from './embedded-broker.ts';
import type { OwnsAction, TransmittedMessage } from '../../../../server/platform/broker/report-intake.ts';

const TILL = makeBrokerUsers().till.username;
const KIOSK = makeBrokerUsers().kiosk.username;
const MALLORY = 'tml_01J9Z6P1A2B3C4D5E6F7G8H9JX';
const ACTION = 'tmlact_01J9Z6P1A2B3C4D5E6F7G8H9JK_01J9Z6P1A2B3C4D5E6F7G8H9JM';

/** A gateway on a link that a test plays by hand. */
function world({ waitingMax, ownsAction }: { waitingMax?: number; ownsAction?: OwnsAction } = {}) {
  const { log, lines } = readableLog();
  const published: Envelope[] = [];
  const transmitted: TransmittedMessage[] = [];
  let plan: LinkOptions | undefined;
  let online = false;
  const link: Link = {
    open: () => undefined,
    get online() {
      return online;
    },
    async publish(envelope) {
      if (!online) throw new Fault('transport', 'not connected');
      published.push(envelope);
    },
    close: async () => undefined,
    drop: () => undefined,
  };
  const gateway = createGateway({
    connect: (given) => ((plan = given), link),
    credentials: makeBrokerUsers().server,
    log,
    ownsAction: ownsAction ?? (async (terminalId) => terminalId !== MALLORY),
    onMessage: (message) => transmitted.push(message),
    ...(waitingMax !== undefined && { waitingMax }),
  });
  const setOnline = (on: boolean) => {
    online = on;
    if (on) plan!.handlers.online();
    else plan!.handlers.offline();
  };
  const arrive = ({ topic, payload }: { topic: string; payload: Uint8Array }) =>
    plan!.handlers.message(topic, payload);
  return { arrive, gateway, lines, transmitted, published, setOnline };
}

const accepted = (terminalId: string, seq: number) =>
  encode(ActionAccepted, terminalId, { actionId: ACTION, seq });

test("terminal gateway: a report about another terminal's action reaches only handlers of any action", async () => {
  const { arrive, gateway, lines, transmitted } = world();
  const handled: string[] = [];
  const stepped = {
    actionId: ACTION,
    event: 'a',
    state: 'b',
    status: 'InProgress',
    deadlineMs: null,
    atMs: 1,
  } as const;
  gateway.onReport(MachineStepped, (terminalId) => void handled.push(`stepped ${terminalId}`));
  gateway.onReport(ActionAccepted, (terminalId) => void handled.push(`accepted ${terminalId}`), {
    anyAction: true,
  });
  for (const terminalId of [TILL, MALLORY]) {
    arrive(encode(MachineStepped, terminalId, stepped));
    arrive(accepted(terminalId, 1));
  }
  await waitUntil('all to be handled', () => gateway.idle());
  expect(new Set(handled)).toEqual(new Set([`accepted ${MALLORY}`, `accepted ${TILL}`, `stepped ${TILL}`]));
  const named = transmitted.map(({ terminalId, actionId }) => `${terminalId} ${actionId}`);
  expect(new Set(named)).toEqual(new Set([`${TILL} ${ACTION}`, `${MALLORY} null`]));
  expect(lines.filter(({ msg }) => msg === "a report on another's action")).toHaveLength(2);
});

test('gateway: handles each report of a batch as if it came by itself, in order', async () => {
  const { arrive, gateway, lines, transmitted } = world();
  const handled: string[] = [];
  gateway.onReport(DisplayShown, (_, { lines: [line] }) => void handled.push(`display ${line}`));
  gateway.onReport(ReaderTraced, (_, { bytes }) => void handled.push(`frame ${bytes}`));
  const shown = (line: unknown) => ({ name: DisplayShown.name, body: { lines: [line], more: 1 } }) as const;
  const frame = {
    name: ReaderTraced.name,
    body: { direction: 'in', bytes: '5A084012000000060085' },
  } as const;
  const reports = [shown('Present card'), frame, shown(7), shown('Card 4012000000060085')];
  for (const terminalId of [TILL, KIOSK]) arrive(encode(ReportsBatched, terminalId, { reports }));
  await waitUntil('the reports are handled', () => gateway.idle());
  const each = ['display Present card', 'frame 5A08················', 'display Card ************0085'];
  expect(handled).toHaveLength(2 * each.length);
  for (const terminalId of [TILL, KIOSK]) {
    const received = transmitted.filter((message) => message.terminalId === terminalId);
    expect(received.map(({ name }) => name)).toEqual(['display.shown', 'reader.traced', 'display.shown']);
    expect(received[0]!.body).toEqual({ lines: ['Present card'] });
  }
  expect(handled.filter((what, index) => handled.indexOf(what) === index)).toEqual(each);
  expect(lines.map(({ msg, reason }) => `${msg}: ${reason}`)).toEqual(
    Array(2).fill('a report that cannot be read, dropped: display.shown: lines.0 must be a string'),
  );
});

test('gateway: drops a batch with a report that must not be in one', async () => {
  const { arrive, gateway, lines } = world();
  const handled: unknown[] = [];
  gateway.onReport(ActionAccepted, (...given) => void handled.push(given));
  const { topic } = encode(ReportsBatched, TILL, { reports: [] });
  const reports = [{ name: ActionAccepted.name, body: { actionId: ACTION, seq: 1 } }];
  arrive({ topic, payload: Buffer.from(JSON.stringify({ reports })) });
  await waitUntil('nothing to be left', () => gateway.idle());
  expect(handled).toEqual([]);
  expect(lines).toMatchObject([{ msg: 'a report that cannot be read, dropped' }]);
});

test('gateway: gives each terminal its own presence, also when those of several are equal', async () => {
  const { arrive, gateway, transmitted } = world();
  const bodies: [string, Presence][] = [];
  gateway.onReport(Presence, (terminalId, body) => void bodies.push([terminalId, body]));
  const online = { online: true, deviceType: 'PIN Pad' };
  for (const [terminalId, body] of [
    [TILL, online],
    [KIOSK, online],
    [TILL, { online: false }],
    [KIOSK, online],
  ] as const)
    arrive(encode(Presence, terminalId, body));
  await waitUntil('the reports are handled', () => gateway.idle());
  expect(bodies).toEqual([
    [TILL, online],
    [KIOSK, online],
    [TILL, { online: false }],
    [KIOSK, online],
  ]);
  expect(transmitted.map(({ terminalId }) => terminalId)).toEqual([TILL, KIOSK, TILL, KIOSK]);
});

test('terminal gateway: begins reports of one terminal in order, each before the last has resolved', async () => {
  const { arrive, gateway } = world();
  const history: string[] = [];
  gateway.onReport(ActionAccepted, async (_terminalId, { seq }) => {
    history.push(`begin ${seq}`);
    await new Promise((resolve) => setImmediate(resolve));
    history.push(`end ${seq}`);
  });
  for (const seq of [1, 2, 3]) arrive(accepted(TILL, seq));
  expect(gateway.idle()).toBe(false);
  await waitUntil('rest', () => gateway.idle());
  expect(history).toEqual(['begin 1', 'begin 2', 'begin 3', 'end 1', 'end 2', 'end 3']);
});

test('terminal gateway: different reports of one terminal share its queue, and other terminals do not wait for it', async () => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const { arrive, gateway } = world({ ownsAction: (terminalId) => asked.then(() => terminalId === TILL) });
  const history: string[] = [];
  gateway.onReport(ActionAccepted, () => void history.push('accepted'));
  gateway.onReport(Presence, (terminalId) => void history.push(terminalId === TILL ? 'till' : 'kiosk'));
  arrive(accepted(TILL, 1));
  for (const terminalId of [TILL, KIOSK]) arrive(encode(Presence, terminalId, { online: true }));
  expect(history).toEqual(['kiosk']);
  answer();
  await waitUntil('rest', () => gateway.idle());
  expect(history).toEqual(['kiosk', 'accepted', 'till']);
});

test('terminal gateway: logs a handler that throws with its terminal, and continues', async () => {
  const { arrive, gateway, lines } = world();
  const handled: number[] = [];
  gateway.onReport(ActionAccepted, (_terminalId, { seq }) => {
    if (seq === 1) throw new Error('a mistake');
    handled.push(seq);
  });
  arrive(accepted(TILL, 1));
  arrive(accepted(TILL, 2));
  await waitUntil('rest', () => gateway.idle());
  expect(handled).toEqual([2]);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 50, terminalId: TILL, message: 'action.accepted' }),
  );
});

test('terminal gateway: drops what is no report or cannot be read', async () => {
  const { arrive, gateway, lines } = world();
  const handled: unknown[] = [];
  gateway.onReport(ActionAccepted, (_terminalId, body) => void handled.push(body));
  gateway.onReport(Simulated, (_terminalId, body) => void handled.push(body));
  const good = accepted(TILL, 1);
  const garbage = ['', 'null', '[]', '{', '{"seq":1}', `{"actionId":"${ACTION}","seq":0}`, '\u0000\ufffd'];
  for (const text of garbage) arrive({ topic: good.topic, payload: Buffer.from(text) });
  const foreign = [
    good.topic.replace('reports', 'commands'),
    good.topic.replace('terminals', 'simulators'),
    good.topic.replace('action-accepted', 'action-unheard'),
    good.topic.replace('action-accepted', '__proto__'),
    `${good.topic}/more`,
    'tapbench/clock',
    '',
  ];
  for (const topic of foreign) arrive({ topic, payload: good.payload });
  await waitUntil('rest', () => gateway.idle());
  expect(handled).toEqual([]);
  expect(lines.filter(({ msg, level }) => level === 40 && msg.includes('cannot be read'))).toHaveLength(
    garbage.length,
  );
});

test('terminal gateway: a terminal that floods fills its own queue only, and the excess is dropped', async () => {
  const { arrive, gateway, lines } = world({ waitingMax: 10 });
  const handled: string[] = [];
  gateway.onReport(ActionAccepted, async (terminalId) => {
    await new Promise((resolve) => setImmediate(resolve));
    handled.push(terminalId);
  });
  for (let seq = 1; seq <= 15; seq++) arrive(accepted(TILL, seq));
  arrive(accepted(KIOSK, 1));
  await waitUntil('rest', () => gateway.idle());
  expect(handled.filter((terminalId) => terminalId === TILL)).toHaveLength(10);
  expect(handled).toContain(KIOSK);
  expect(lines.filter(({ msg }) => msg.includes('too many reports'))).toHaveLength(5);
});

test('terminal gateway: a command while the link is down is not sent, now or later', async () => {
  const { gateway, published, setOnline } = world();
  const body = { actionId: ACTION, seq: 1 };
  expect(await gateway.send(CancelAction, TILL, body)).toBe(false);
  setOnline(true);
  expect(published).toEqual([]);
  expect(await gateway.send(CancelAction, TILL, body)).toBe(true);
  expect(published).toEqual([encode(CancelAction, TILL, body)]);
});

test('terminal gateway: sends the clock at each reconnect, with its latest offset', async () => {
  const { gateway, published, setOnline } = world();
  const told = () =>
    published.splice(0).map(({ topic, payload, retain }) => [topic, String(payload), retain]);
  setOnline(true);
  expect(told()).toEqual([]);
  gateway.publishClock(1_000);
  expect(told()).toEqual([['tapbench/clock', '{"offsetMs":1000,"pace":"real"}', true]]);
  setOnline(false);
  gateway.publishClock(5_000);
  expect(told()).toEqual([]);
  setOnline(true);
  expect(told()).toEqual([['tapbench/clock', '{"offsetMs":5000,"pace":"real"}', true]]);
});

test('terminal gateway: sends a command and receives a report over the embedded broker', async () => {
  const { broker, cast, connect, log } = await embeddedBroker();
  const gateway = createGateway({ connect, credentials: cast.server, log, ownsAction: async () => true });
  const heard: string[] = [];
  gateway.onReport(Presence, (terminalId, { online }) => void heard.push(`${terminalId} ${online}`));
  let onlines = 0;
  gateway.onOnline(() => onlines++);
  gateway.open();
  await waitUntil('the gateway to be online', () => gateway.online);
  expect(onlines).toBe(1);
  const till = await connectedPeer(connect, {
    credentials: cast.till,
    subscriptions: [`tapbench/terminals/${TILL}/commands/+`],
    will: encode(Presence, TILL, { online: false }),
  });
  await till.link.publish(encode(Presence, TILL, { online: true }));
  expect(await gateway.send(CancelAction, TILL, { actionId: ACTION, seq: 1 })).toBe(true);
  expect(await till.next()).toContain('action-cancel');
  till.link.drop();
  await waitUntil('the last will', () => heard.length === 2);
  expect(heard).toEqual([`${TILL} true`, `${TILL} false`]);
  await gateway.close();
  await broker.close();
});
