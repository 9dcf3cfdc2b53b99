import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileJournal } from '../../agent/lifecycle/action-journal.ts';
import { readKeys } from '../../cli/data-folder/data-folder.ts';
import { silentLog } from '../../protocol/log.ts';
import { openStore } from '../../server/platform/store/open-store.ts';
import { ledgerProblems } from '../kit/ledger.ts';
import type { Receiver } from '../../testing/world/receivers.ts';
import { openTill, type Till } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

type Waiting = 'awaitingCopy' | 'awaitingPin' | 'awaitingCard';

/** What answers.json says of a folder. */
interface Left {
  killedMs: number;
  terminals: Record<'idle' | Waiting, string>;
  /** The payment session of each action that was under way, by terminal. */
  underWay: Record<string, string>;
  webhookSecret: string;
  answers: Record<string, unknown>;
}

const FOLDERS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Unpacks a folder's files to a place of their own. */
function unpacked(name: string): string {
  const from = join(import.meta.dirname, name, 'files');
  const to = mkdtempSync(join(tmpdir(), 'tapbench-old-folder-'));
  for (const path of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.gz')) continue;
    const file = join(to, path.replace(/\.gz$/, ''));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, gunzipSync(readFileSync(join(from, path))));
  }
  return to;
}

describe.each(FOLDERS)('data folder of %s', (name) => {
  const text = readFileSync(join(import.meta.dirname, name, 'answers.json'), 'utf8');
  // The API has had another word for this device since.
  const left = JSON.parse(text.replaceAll('"type": "PAX A920 Pro"', '"type": "A920Pro"')) as Left;
  let dataDir: string;
  let world: World;
  let shop: Receiver;

  beforeEach(async () => {
    dataDir = unpacked(name);
    world = await startWorld({
      startMs: left.killedMs + 1000,
      settings: readKeys(dataDir),
      engines: { store: await openStore({ path: join(dataDir, 'store.db'), log: silentLog }) },
      journalFor: (id) => fileJournal(join(dataDir, 'terminals', `${id}.json`), { sync: false }),
    });
    shop = world.receivers.open('shop');
  });
  afterEach(async () => {
    await world.close();
    rmSync(dataDir, { recursive: true });
  });

  /** Starts a terminal from its journal. */
  async function resume(waiting: Waiting): Promise<{ till: Till; sessionId: string }> {
    const terminalId = left.terminals[waiting];
    await world.fleet.add({ terminalId });
    await world.until('the terminal comes online', () => world.fleet.terminal(terminalId)?.online);
    await world.fleet.controlled();
    const till = openTill(world, world.fleet.terminal(terminalId)!);
    return { till, sessionId: left.underWay[terminalId]! };
  }

  async function expectCaptured(till: Till, sessionId: string, amountMinor: number): Promise<void> {
    await world.settled();
    expect(await till.action()).toMatchObject({ status: 'Succeeded' });
    expect(await till.session(sessionId)).toMatchObject({ status: 'Captured', amount: amountMinor });
    expect(await till.movements(sessionId)).toEqual(['Authorization', 'Capture']);
    const { body } = await world.api.get('/v1/events?limit=50');
    const captured = ({ eventType, data }: { eventType: string; data: { id: string } }) =>
      eventType === 'PaymentSession.captured' && data.id === sessionId;
    expect(body.items.filter(captured)).toHaveLength(1);
    expect(shop.deliveries.map(({ event }) => event).filter(captured)).toHaveLength(1);
    expect(await ledgerProblems(world)).toEqual([]);
  }

  // Members that were added since are in it as well.
  test('reads: payments, customers, subscriptions and balances are returned as before', async () => {
    const answers: Record<string, unknown> = {};
    for (const path of Object.keys(left.answers)) answers[path] = (await world.api.get(path)).body;
    expect(answers).toMatchObject(left.answers);
    expect(await ledgerProblems(world)).toEqual([]);
  });

  test('action: one that waited for receipts continues to the customer copy and is captured', async () => {
    const { till, sessionId } = await resume('awaitingCopy');
    await till.reaches('awaitingMerchantReceipt');
    await till.confirm({ merchantCopy: { status: 'Succeeded' } });
    await till.confirm({ customerCopy: { status: 'Succeeded' } });
    await expectCaptured(till, sessionId, 1100);
  });

  test('action: one that waited for a PIN requests the card again and is captured', async () => {
    const { till, sessionId } = await resume('awaitingPin');
    await till.reaches('awaitingCard');
    till.terminal.perform({ act: 'present-card', card: 'visa-contact-pin' });
    await till.reaches('awaitingPin');
    till.terminal.perform({ act: 'press-keys', keys: ['1', '2', '3', '4', 'enter'] });
    await expectCaptured(till, sessionId, 1200);
  });

  test('action: one that waited for a card is captured when one is presented', async () => {
    const { till, sessionId } = await resume('awaitingCard');
    await till.reaches('awaitingCard');
    till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
    await expectCaptured(till, sessionId, 1300);
  });

  test('action: one whose terminal stays away is voided at its deadline', async () => {
    await world.advance({ minutes: 10 });
    const sessionId = left.underWay[left.terminals.awaitingCopy];
    expect((await world.api.get(`/v1/payment-sessions/${sessionId}`)).body.status).toBe('Voided');
    expect(await ledgerProblems(world)).toEqual([]);
  });

  test('webhooks: undelivered events are delivered, signed with the secret of the time', async () => {
    await world.advance({ minutes: 60 });
    expect(shop.types()).toContain('PaymentSession.refunded');
    expect(shop.signedWith(left.webhookSecret)).toBe(true);
  });

  test('subscription: charged for the next month', async () => {
    const path = Object.keys(left.answers).find((each) => /^\/v1\/subscriptions\/[^/]+$/.test(each))!;
    await world.advance({ minutes: 32 * 24 * 60 });
    const { body } = await world.api.get(`${path}/payment-sessions`);
    expect(body.items.map(({ status }: { status: string }) => status)).toEqual(['Captured', 'Captured']);
    expect(await ledgerProblems(world)).toEqual([]);
  });
});
