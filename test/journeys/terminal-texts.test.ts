import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DeclaredMessage } from '../../protocol/message.ts';
import {
  ActionAbandoned,
  ActionAccepted,
  AuthoriseAction,
  ReceiptReady,
} from '../../protocol/messages/action.messages.ts';
import {
  DisplayShown,
  MachineDescribed,
  MachineStepped,
  ReaderTraced,
} from '../../protocol/messages/inspection.messages.ts';
import { Presence } from '../../protocol/messages/presence.messages.ts';
import { ALL_MESSAGES } from '../../protocol/messages.ts';
import { readableLog } from '../contract/peer.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { worldText } from '../kit/world-text.ts';
import { openPage } from '../server/dashboard/open-page.ts';
import { hostileTerminal, type HostileTerminal } from './hostile-terminal.ts';

let world: World;
let terminal: HostileTerminal;
let logged: unknown[];
beforeEach(async () => {
  const { log, lines } = readableLog();
  logged = lines;
  world = await startWorld({ log });
  terminal = await hostileTerminal(world);
});
afterEach(() => world.close());

const PAN = '4929939187355598';
// As printers and people write it, and within other digits.
const WAYS = [
  PAN,
  '4929 9391 8735 5598',
  '4929-9391-8735-5598',
  '4929.9391.8735.5598',
  '4929\u20099391\u20098735\u20095598',
  '4929\u20119391\u20118735\u20115598',
  `99${PAN}`,
  `${PAN}7`,
];
const ALL = WAYS.join(' and ');

/** Starts a payment on the terminal. @returns the id of its action */
async function pay(): Promise<string> {
  await terminal.publish(Presence, { online: true, deviceType: `Till ${PAN}`, firmware: PAN, reader: PAN });
  const body = { amounts: { requested: 1742 }, currency: 'GBP' };
  const answer = await world.api.post(`/v1/in-person/terminals/${terminal.id}/payment`, body);
  return answer.body.action.id as string;
}

test('terminal texts: a card number in any text reaches no store, event, webhook, log or dashboard', async () => {
  const shop = await world.listen('shop', ['Terminal.action_updated', 'PaymentSession.captured']);
  const actionId = await pay();
  const step = { actionId, status: 'InProgress', deadlineMs: null, atMs: 0 } as const;
  const states = { [PAN]: { on: { [ALL]: [{ target: [`#${PAN}`], guard: ALL }] }, tags: [ALL] } };
  await terminal.publish(MachineDescribed, {
    machineId: PAN,
    definition: { id: PAN, states, version: Number(PAN) },
  });
  await terminal.publish(ActionAccepted, { actionId, seq: 1 });
  const times = { deadlineMs: Number(PAN), atMs: Number(PAN) };
  await terminal.publish(MachineStepped, { ...step, ...times, event: ALL, state: ALL });
  await terminal.publish(DisplayShown, { actionId, lines: WAYS });
  const ascii = Buffer.from(PAN).toString('hex').toUpperCase();
  for (const bytes of [`5A08${PAN}`, `57${PAN}D2512`, `02${ascii}03`])
    await terminal.publish(ReaderTraced, { actionId, direction: 'in', bytes, note: ALL });
  await terminal.publish(AuthoriseAction, {
    actionId,
    seq: 2,
    card: {
      scheme: 'Visa',
      bin: '492993',
      last4: '5598',
      expiryMonth: '12',
      expiryYear: '2030',
      entryMode: 'Contactless',
      applicationLabel: PAN,
      aid: `A0${PAN}`,
    },
    verification: 'None',
    device: { authorisationCode: '123456', reference: `${PAN} and more` },
  });
  const fields = { [PAN]: 'a name', Nested: ALL, Unknown: ALL };
  const receipt = { merchantCopy: ALL, customerCopy: `${PAN}\n${PAN}`, fields, notInTheSchema: PAN };
  await terminal.publish(ReceiptReady, { actionId, seq: 3, receipt });
  await terminal.publish(ActionAbandoned, { actionId, seq: 4, code: 'timeout' });
  await world.settled();

  const { api } = world;
  const page = await openPage(world, { kind: 'action', id: actionId });
  const shown = [
    await worldText(world),
    logged,
    shop.deliveries,
    page.last('timeline'),
    page.last('hello'),
    (await api.get('/dashboard/machines')).body,
    (await api.get(`/sandbox/actions/${actionId}/receipt`)).body,
    (await api.get(`/v1/in-person/terminals/${terminal.id}`)).body,
    (await api.get('/v1/events?limit=50')).body,
  ];
  const text = JSON.stringify(shown);
  // What came was taken, else nothing was shown by its absence.
  expect(text).toContain('************5598\\n************5598');
  expect(text.split(/timeout/).length).toBeGreaterThan(3);
  expect(text).not.toContain('notInTheSchema');
  const bare = text.replaceAll(/[ .\u2009\u2011-]/g, '');
  expect(bare).not.toContain(PAN);
  expect(bare).not.toContain(ascii);
});

test('terminal texts: the code of an abandoned action is one of the known codes', async () => {
  const actionId = await pay();
  const code = `call 0800 ${PAN}` as 'timeout';
  await terminal.publish(ActionAccepted, { actionId, seq: 1 });
  await terminal.publish(ActionAbandoned, { actionId, seq: 2, code });
  const { body } = await world.api.get(`/v1/in-person/terminals/${terminal.id}`);
  expect(body.action).toMatchObject({ id: actionId, status: 'InProgress', error: null });
  expect(await worldText(world)).not.toContain('0800');
  expect(JSON.stringify(logged)).toContain('action.abandoned: code must be one of');
  expect(JSON.stringify(logged)).not.toContain('0800');
});

/** Each text of a schema, by its path. */
function textsOf(schema: unknown, path: string): [path: string, bounded: boolean][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const node = schema as Record<string, unknown>;
  if (node['type'] === 'string')
    return [[path, ['maxLength', 'pattern', 'enum', 'const'].some((bound) => bound in node)]];
  return Object.entries(node).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`));
}

test('terminal texts: every text that a terminal can publish has a maximum length', () => {
  const reports = ALL_MESSAGES.filter(({ channel }: DeclaredMessage) => channel === 'reports');
  const texts = reports.flatMap(({ name, body }) => textsOf(body, name));
  expect(texts.length).toBeGreaterThan(30);
  expect(texts.filter(([, bounded]) => !bounded)).toEqual([]);
});
