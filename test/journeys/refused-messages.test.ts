import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Link, LinkCredentials } from '../../protocol/link.ts';
import { connectedPeer } from '../contract/peer.ts';
import { openTill, type Till } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { openPage } from '../server/dashboard/open-page.ts';

let world: World;
let till: Till;
let link: Link;
let id: string;
beforeEach(async () => {
  world = await startWorld();
  till = openTill(world, await world.addTerminal());
  const address = { lineOne: '1 High Street', city: 'London', country: 'GB', postalCode: 'SW1A 1AA' };
  const location = await world.api.post('/v1/in-person/locations', { name: 'Market', address });
  const registration = { serialNumber: '1853012345', locationId: location.body.id };
  id = (await world.api.post('/v1/in-person/terminals', registration)).body.id;
  const paired = await world.forTerminals.api.request('POST', `/pairing/terminals/${id}`, {});
  ({ link } = await connectedPeer(world.forTerminals.connect, {
    credentials: paired.body as LinkCredentials,
  }));
});
afterEach(() => world.close());

async function publish(terminalId: string, message: string, body: string): Promise<void> {
  const topic = `tapbench/terminals/${terminalId}/reports/${message}`;
  await link.publish({ topic, payload: Buffer.from(body), qos: 1, retain: false });
  await world.settled();
}

/** The refused messages on the terminal's timeline. */
async function refusals(): Promise<string[]> {
  const page = await openPage(world, { kind: 'terminal', id });
  return page.last('timeline')!.entries.flatMap(({ kind, title }) => (kind === 'mqtt.refused' ? title : []));
}

test('refused messages: what is malformed or unknown is on the timeline of its terminal with the reason', async () => {
  await publish(id, 'presence', '{"online":');
  await publish(id, 'action-accepted', '{"seq":0}');
  await publish(id, 'action-imagined', '{}');
  expect(await refusals()).toEqual([
    expect.stringMatching(/^presence: .*JSON/),
    expect.stringMatching(/^action\.accepted: .*actionId/),
    `tapbench/terminals/${id}/reports/action-imagined: not a topic, or no declared message, of this user`,
  ]);
});

test("refused messages: one on another terminal's topic is on the sender's timeline alone", async () => {
  await publish(till.terminal.terminalId, 'presence', '{"online":false}');
  expect(await refusals()).toEqual([
    `tapbench/terminals/${till.terminal.terminalId}/reports/presence: not a topic, or no declared message, of this user`,
  ]);
  const page = await openPage(world, { kind: 'terminal', id: till.terminal.terminalId });
  expect(page.last('timeline')!.entries.filter(({ kind }) => kind === 'mqtt.refused')).toEqual([]);
});

test("refused messages: a report on another terminal's action, and one out of sequence on its own", async () => {
  const { body: foreign } = await till.pay(1742);
  await publish(id, 'action-accepted', JSON.stringify({ actionId: foreign.action.id, seq: 1 }));
  expect(await refusals()).toEqual(['action.accepted: the action is not one of this terminal']);
  const { body: own } = await world.api.post(`/v1/in-person/terminals/${id}/payment`, {
    amounts: { requested: 100 },
    currency: 'GBP',
  });
  await publish(id, 'action-accepted', JSON.stringify({ actionId: own.action.id, seq: 3 }));
  await publish(id, 'action-accepted', JSON.stringify({ actionId: own.action.id, seq: 3 }));
  expect(await refusals()).toEqual([
    'action.accepted: out of sequence: 3 follows 0. It is used; what is missing was not received',
    'action.accepted: repeated: 3 is not above 3, the last number seen',
  ]);
});

test('refused messages: a card number in topic or reason is masked', async () => {
  await publish('4929939187355598', 'presence', '{"online":false}');
  await publish(id, 'presence', '{"online":"4929939187355598"}');
  expect((await refusals()).join('\n')).not.toContain('4929939187355598');
  expect(await refusals()).toHaveLength(2);
});

test('refused messages: a report with a card number is used, masked, and shown as one that had it', async () => {
  const shown = (...lines: string[]) => publish(id, 'display-shown', JSON.stringify({ lines }));
  await shown('393113', '2026-11-29 20:48:16', '************0119');
  expect(await refusals()).toEqual([]);
  await shown('CARD', '4761739001010119');
  expect(await refusals()).toEqual(['display.shown: it had a card number, which was masked. It is used']);
});
