import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import type { Job } from '../../../../server/platform/scheduler/jobs.ts';
import { createJobs } from '../../../../server/platform/scheduler/scheduler.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';
import type { Store, Transaction } from '../../../../server/platform/store/store.ts';
import { turn, VirtualClock } from '../../../../world/virtual-clock.ts';

const START_MS = 1_760_000_000_000;

function createGate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** What a transaction waits for: before its body, and after its commit before its effects. */
interface Delay {
  body?: Promise<void>;
  effects?: Promise<void>;
}

/**
 * Opens a store whose next transaction can be delayed, as on PostgreSQL: there transactions of several connections
 * begin, and the answers to their COMMITs arrive, in any order.
 */
async function openWithDelays() {
  const store = await openStore({ path: ':memory:', log: silentLog });
  onTestFinished(() => store.close());
  let next: Delay = {};
  const transaction: Store['transaction'] = async (body, options) => {
    const effects: (() => void)[] = [];
    const delay = next;
    next = {};
    await delay.body;
    const collecting = (tx: Transaction) => ({ ...tx, afterCommit: (run: () => void) => effects.push(run) });
    const value = await store.transaction((tx) => body(collecting(tx) as unknown as Transaction), options);
    await delay.effects;
    for (const run of effects) run();
    return value;
  };
  return {
    store: { ...store, transaction } as Store,
    delayNext: (delay: Delay) => void (next = delay),
  };
}

/** Runs jobs of kind `note` as one of several instances, each until `end` is called with its key and payload. */
async function serveNotes() {
  const { store, delayNext } = await openWithDelays();
  const clock = new VirtualClock(START_MS);
  const jobs = createJobs({
    store,
    clock,
    realClock: clock,
    log: silentLog,
    instanceId: 'one',
    soleOwner: false,
  });
  onTestFinished(() => {
    for (const open of gates.values()) open();
    return jobs.stop();
  });
  const began: unknown[] = [];
  const gates = new Map<unknown, () => void>();
  jobs.handle('note', async (job: Job) => {
    began.push(job.payload);
    const gate = createGate();
    gates.set(job.payload, gate.open);
    await gate.opened;
    await store.transaction((tx) => jobs.finish(tx, job, 'done'));
  });
  jobs.start();
  const turns = async () => {
    for (let count = 0; count < 20; count++) await turn();
  };
  await turns();
  return {
    began,
    delayNext,
    turns,
    end: (payload: string) => gates.get(payload)!(),
    add(payload: string) {
      const request = { kind: 'note', key: 'a', payload, dueMs: clock.nowMs() };
      return store.transaction((tx) => jobs.add(tx, request), { guardedBy: ['jobClaims'] });
    },
  };
}

test('scheduler: a job that is committed before the end of the one before it takes effect begins at once', async () => {
  const { began, add, end, turns, delayNext } = await serveNotes();
  await add('first');
  await add('second');
  end('first');
  await turns();
  expect(began).toEqual(['first', 'second']);

  const answered = createGate();
  delayNext({ effects: answered.opened });
  end('second');
  await turns();
  await add('third');
  answered.open();
  await turns();
  expect(began).toEqual(['first', 'second', 'third']);
});

test('scheduler: a job that is added while an earlier one of its key waits for its claim comes after it', async () => {
  const { began, add, end, turns, delayNext } = await serveNotes();
  await add('first');
  // The second is added behind the first, and takes effect when that one has ended.
  const added = createGate();
  delayNext({ effects: added.opened });
  const adding = add('second');
  await turns();
  end('first');
  await turns();
  const claim = createGate();
  added.open();
  delayNext({ body: claim.opened });
  await adding;

  await add('third');
  claim.open();
  await turns();
  expect(began).toEqual(['first', 'second']);
  end('second');
  await turns();
  expect(began).toEqual(['first', 'second', 'third']);
});
