import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { loadPcsc } from '../../../agent/readers/pcsc/library.ts';
import {
  CODE,
  PROTOCOL,
  SHARE_EXCLUSIVE,
  STATE,
  UNPOWER_CARD,
} from '../../../agent/readers/pcsc/pcsc-interface.ts';
import type { CardTechnology } from '../../../agent/emv/card-connection.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import type { ChipCard } from '../../../simulator/cards/chip-card.ts';
import { fakeChip } from '../../agent/readers/fake-chip.ts';
import type { Child } from '../kit/child-command.ts';
import type { Json } from '../kit/http-call.ts';
import { startPcscd } from '../kit/pcscd.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { freePortPair, insertVpcdCard, type VpcdCard } from '../kit/vpcd-card.ts';
import { waitFor } from '../kit/wait-for.ts';

const READER = 'Tapbench Virtual 00 00';
const DRIVER = '/usr/lib/pcsc/drivers/serial/libifdvpcd.so';

const fixture = createSystemFixture();
let server: Tapbench;
let pcscd: Awaited<ReturnType<typeof startPcscd>>;
let port: number;
let card: VpcdCard | undefined;
let agent: Child | undefined;

beforeAll(async () => {
  server = await fixture.tapbench();
  port = await freePortPair();
  const channel = `0x${port.toString(16).toUpperCase()}`;
  pcscd = await startPcscd({
    FRIENDLYNAME: '"Tapbench Virtual"',
    DEVICENAME: `/dev/null:${channel}`,
    LIBPATH: DRIVER,
    CHANNELID: channel,
  });
});
afterEach(async () => {
  await agent?.kill('SIGINT');
  agent = undefined;
  if (card) await remove(card);
  card = undefined;
});
afterAll(async () => {
  await pcscd.close();
  await fixture.cleanUp();
});

async function insert(chip: ChipCard, technology: CardTechnology): Promise<void> {
  card = await insertVpcdCard(port, chip, technology);
}

/** A terminal with the reader, as a person starts it. Returns its id. */
async function startAgent(): Promise<string> {
  const env = { SECRET_KEY: server.secretKey, TAPBENCH_URL: server.url, DATA_DIR: fixture.folder() };
  const started = fixture.command(['agent', '--port', `pcsc:${READER}`], { env });
  agent = started;
  const [, id] = await waitFor('the terminal to say who it is', () => {
    if (!started.running) throw new Error(started.stderr);
    return /terminal (tml_\w+), /.exec(started.stderr);
  });
  await started.prints(/Ready/);
  return id!;
}

async function pay(id: string, amount: number): Promise<Json> {
  const body = { amounts: { requested: amount }, currency: 'GBP' };
  const started = await server.api('POST', `/v1/in-person/terminals/${id}/payment`, body);
  expect(started.status).toBe(200);
  return started.body;
}

/** Types the PIN as soon as it is asked for. */
const typePin = (id: string) =>
  waitFor('the PIN to be asked for', async () => {
    const keys = ['1', '2', '3', '4', 'enter'];
    return (await server.api('POST', `/sandbox/terminals/${id}/press-keys`, { keys })).status === 200;
  });

const actionOf = async (id: string): Promise<Json> =>
  (await server.api('GET', `/v1/in-person/terminals/${id}`)).body.action;

const endOf = (id: string): Promise<Json> =>
  waitFor('the end of the action', async () => {
    const action = await actionOf(id);
    return action.status === 'InProgress' ? undefined : action;
  });

const isAt = (id: string, state: string) =>
  waitFor(state, async () => (await server.api('GET', `/sandbox/terminals/${id}`)).body.state === state);

/** Removes a card and waits until pcscd has missed it: until then it takes the next one for the same. */
async function remove(from: VpcdCard): Promise<void> {
  from.remove();
  await waitFor('pcscd has missed the card', isEmpty);
}

const isEmpty = async () => {
  const { empty, count } = await stateOfReader();
  return empty && count % 2 === 0;
};

/** What pcscd says of the reader, with its count of insertions and removals. */
async function stateOfReader(): Promise<{ empty: boolean; present: boolean; count: number }> {
  const pcsc = await loadPcsc();
  const { context } = await pcsc.establishContext();
  const { event } = await pcsc.getStatusChange(context, { reader: READER, current: 0, timeoutMs: 0 });
  await pcsc.releaseContext(context);
  return {
    empty: (event & STATE.empty) !== 0,
    present: (event & STATE.present) !== 0,
    count: event >>> 16,
  };
}

async function expectCaptured(started: Json, amount: number): Promise<void> {
  const sessionId = started.action.transaction.paymentSessionId;
  const { body } = await server.api('GET', `/v1/payment-sessions/${sessionId}`);
  expect(body).toMatchObject({ status: 'Captured', amount });
}

test('pcsc: readers lists the readers of pcscd, and doctor tests one with a card', async () => {
  const listed = await fixture.run(['readers', '--json']);
  expect(JSON.parse(listed.stdout)).toContainEqual({ path: `pcsc:${READER}`, drivers: ['pcsc'] });

  const empty = await fixture.run(['doctor', `pcsc:${READER}`]);
  expect([empty.code, empty.stdout]).toEqual([0, expect.stringContaining('look for a card: there is none')]);

  await insert(createChipCard('visa-contactless')!, 'Contactless');
  const full = await waitFor('pcscd sees the card', async () => {
    const found = await fixture.run(['doctor', 'pcsc:tapbench virtual 00 00']);
    return found.stdout.includes('a card is there') ? found : undefined;
  });
  expect(full.stdout).toContain('ok    connect to the card: a contactless card, which speaks T=1');
  expect(full.stdout).toContain('ok    ask for its payment applications: it has a list of them');
  expect(full.code).toBe(0);

  const file = join(fixture.folder(), 'pcsc.json');
  await fixture.run(['doctor', `pcsc:${READER}`, '--save', file]);
  const played = await fixture.run(['doctor', '--replay', file]);
  expect([played.code, played.stdout, played.stderr]).toEqual([
    0,
    expect.stringMatching(/\nidentical: [34] steps, [1-9]\d* answers\n/),
    '',
  ]);
});

test('pcsc: doctor tells a transit card from a payment card', async () => {
  await insert(
    fakeChip(() => Uint8Array.of(0x6a, 0x82)),
    'Contactless',
  );
  const found = await waitFor('pcscd sees the card', async () => {
    const run = await fixture.run(['doctor', `pcsc:${READER}`]);
    return run.stdout.includes('a card is there') ? run : undefined;
  });
  expect([found.code, found.stdout]).toEqual([
    1,
    expect.stringMatching(/FAIL {2}ask for its payment applications: it has no list of them .*6A82/),
  ]);
});

test('pcsc: an agent starts with a card at the reader that cannot pay, and takes the next one', async () => {
  await insert(
    fakeChip(() => Uint8Array.of(0x6a, 0x82)),
    'Contactless',
  );
  await waitFor('pcscd sees the card', async () => (await stateOfReader()).present);
  const id = await startAgent();
  await waitFor('a warning', () => agent!.stderr.includes('the card at the reader cannot pay'));
  await remove(card!);
  const started = await pay(id, 1742);
  await insert(createChipCard('visa-contactless')!, 'Contactless');
  expect(await endOf(id)).toMatchObject({ status: 'Succeeded', error: null });
  await expectCaptured(started, 1742);
});

test('pcsc: a contactless card pays, and one that stays is not charged again', async () => {
  const id = await startAgent();
  const started = await pay(id, 1742);
  await isAt(id, 'awaitingCard');
  await insert(createChipCard('visa-contactless')!, 'Contactless');
  expect(await endOf(id)).toMatchObject({ status: 'Succeeded', error: null });
  await expectCaptured(started, 1742);

  const next = await pay(id, 900);
  await isAt(id, 'awaitingCard');
  await waitFor('the display to ask for a card', () => agent!.stdout.includes('No card at the reader'));
  expect(await actionOf(id)).toMatchObject({ status: 'InProgress' });
  await remove(card!);
  await insert(createChipCard('mastercard-contactless')!, 'Contactless');
  expect(await endOf(id)).toMatchObject({ status: 'Succeeded' });
  await expectCaptured(next, 900);
});

test('pcsc: a contact card pays with its PIN', async () => {
  const id = await startAgent();
  await insert(createChipCard('visa-contact-pin')!, 'Contact');
  const started = await pay(id, 1742);
  await typePin(id);
  expect(await endOf(id)).toMatchObject({ status: 'Succeeded', error: null });
  await expectCaptured(started, 1742);
});

test('pcsc: a card removed in the middle of its transaction is asked for again', async () => {
  const id = await startAgent();
  const started = await pay(id, 1742);
  await isAt(id, 'awaitingCard');
  await insert(removedAfter(createChipCard('visa-contactless')!, 2), 'Contactless');
  await agent!.prints(/Card not read, try again/);
  await waitFor('pcscd has missed the card', isEmpty);
  await insert(createChipCard('visa-contactless')!, 'Contactless');
  expect(await endOf(id)).toMatchObject({ status: 'Succeeded' });
  await expectCaptured(started, 1742);
});

test('pcsc: a card that another program uses fails the action with advice, and is taken afterwards', async () => {
  const id = await startAgent();
  await insert(createChipCard('visa-contact-pin')!, 'Contact');
  const other = await loadPcsc();
  const { context } = await other.establishContext();
  const held = await waitFor('the other program has the card', async () => {
    const request = { reader: READER, share: SHARE_EXCLUSIVE, protocols: PROTOCOL.t0 | PROTOCOL.t1 };
    const connected = await other.connect(context, request);
    return connected.code === CODE.ok ? connected : undefined;
  });
  await pay(id, 1742);
  expect(await endOf(id)).toMatchObject({
    status: 'Failed',
    error: {
      code: 'unexpected_error',
      reason: expect.stringContaining('another program uses the card: end it'),
    },
  });
  await other.disconnect(held.card, UNPOWER_CARD);
  await other.releaseContext(context);

  await pay(id, 900);
  await typePin(id);
  expect(await endOf(id)).toMatchObject({ status: 'Succeeded' });
});

test('pcsc: the service stops during a wait, and the next payment works once it runs again', async () => {
  const id = await startAgent();
  await pay(id, 1742);
  await isAt(id, 'awaitingCard');
  await pcscd.stop();
  expect(await endOf(id)).toMatchObject({
    status: 'Failed',
    error: { code: 'unexpected_error', reason: expect.stringContaining('the smart card service') },
  });
  const { code, stdout } = await fixture.run(['doctor', `pcsc:${READER}`]);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining('the smart card service does not run: start it'),
  ]);

  await pcscd.start();
  const started = await pay(id, 900);
  await insert(createChipCard('visa-contactless')!, 'Contactless');
  expect(await endOf(id)).toMatchObject({ status: 'Succeeded' });
  await expectCaptured(started, 900);
});

/** A card that leaves the reader after some commands. */
function removedAfter(chip: ChipCard, commands: number): ChipCard {
  return {
    ...chip,
    powerOn(technology) {
      const session = chip.powerOn(technology);
      let left = commands;
      return { transceive: async (command) => ((left -= 1) < 0 ? undefined : session.transceive(command)) };
    },
  };
}
