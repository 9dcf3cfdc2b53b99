import type { Json } from '../../../cli/drills/stage.ts';
import type { HuntOptions, HuntScene } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';

const ORDER = { orderId: 'order-1', amount: 1742 };
/** How often a till that has the order says that it is there. */
const BEAT_MS = 7_000;
/** A till that has not said so for longer is down. */
const DOWN_AFTER_MS = 40_000;
/** How often a till that does not have the order looks whether the other is down. */
const LOOK_MS = 61_000;
/** Longer than a till is down. */
const LOOKS_MAX = 90;

type Till = 'first' | 'second';

/** Who has the order. */
interface Claim {
  till: Till;
  atMs: number;
}

type Defect = 'charges again' | 'looks before it claims';

/**
 * Two tills with one disk: each takes the order over when the other, which has it, is down. The second has no notes of what
 * the first has sent, and charges the order. The right one first looks for a payment with the order in its metadata.
 */
export const takesOver = (isRight: boolean) => twoTills(isRight ? undefined : 'charges again');

/**
 * Two such tills which look who has the order, and then write that they have it: when the first is back at the moment at which
 * the second takes the order over, both have it. In the right shop the one that has written it first has it.
 */
export const claimedByBoth = (isRight: boolean) => twoTills(isRight ? undefined : 'looks before it claims');

function twoTills(defect: Defect | undefined): HuntOptions {
  let disk: HuntScene['disk'];
  const begin = (till: Till) => (scene: HuntScene) => {
    disk = scene.disk;
    const work = (again: HuntScene) => keepShop(again, till, defect);
    scene.restart(work);
    return work(scene);
  };
  return {
    scenario: begin('first'),
    processes: { second: begin('second') },
    shop: () => ({ orders: [{ ...ORDER, paid: disk.get('done')?.paid === true }] }),
  };
}

/** Sells the order, or waits until it is sold. */
async function keepShop(scene: HuntScene, till: Till, defect: Defect | undefined): Promise<void> {
  const { disk, sleep, world } = scene;
  for (let looks = 0; looks < LOOKS_MAX && disk.get('done') === undefined; looks += 1) {
    if (isFree(disk, till, world.nowMs()) && (await claim(scene, till, defect)))
      return sell(scene, till, defect);
    await sleep(LOOK_MS);
  }
}

function lastClaim(disk: HuntScene['disk']): Claim | undefined {
  return disk.get(`claim ${disk.list('claim ').length}`)?.[0];
}

/** Returns whether nobody who runs has the order, in which the customer stands at the first till. */
function isFree(disk: HuntScene['disk'], till: Till, nowMs: number): boolean {
  const last = lastClaim(disk);
  if (last === undefined) return till === 'first';
  // A till that starts again does not have it any more, whatever it had written.
  return last.till === till || nowMs - Math.max(last.atMs, disk.get('beat') ?? 0) > DOWN_AFTER_MS;
}

/** Takes the order. Returns whether this till has it then. */
async function claim({ disk, world }: HuntScene, till: Till, defect: Defect | undefined): Promise<boolean> {
  const key = `claim ${disk.list('claim ').length + 1}`;
  const atMs = world.nowMs();
  const own: Claim = { till, atMs };
  await disk.append(key, own);
  // Defect: nobody had it when it looked, before it wrote.
  if (defect === 'looks before it claims') return true;
  const [first] = disk.get(key);
  return first.till === till && first.atMs === atMs;
}

async function sell(scene: HuntScene, till: Till, defect: Defect | undefined): Promise<void> {
  const { disk, sleep, world } = scene;
  let isDone = false;
  const beat = async () => {
    for (; !isDone; await sleep(BEAT_MS)) await disk.set('beat', world.nowMs());
  };
  const beating = beat();
  try {
    const provider = openProvider(scene);
    const session = await sessionOf(scene, till, defect);
    await attemptPayment(provider, session);
    const { status } = await provider.read(`/payment-sessions/${session.id}`);
    await disk.set('done', { paid: status === 'Captured' });
  } finally {
    isDone = true;
    await beating;
  }
}

/** Returns the session of the order, which is made unless there is one. */
async function sessionOf(scene: HuntScene, till: Till, defect: Defect | undefined): Promise<Json> {
  const { orderId, amount } = ORDER;
  const { disk } = scene;
  const { read, untilDone } = openProvider(scene);
  const find = async () => {
    // Defect: its own notes do not have what the other till has sent.
    if (defect === 'charges again') return disk.get(`session of ${till}`);
    const { items } = await read('/payment-sessions');
    return items.find(({ metadata }: Json) => metadata?.orderId === orderId);
  };
  const body = { ...SESSION, amount, metadata: { orderId } };
  const isInterrupted = disk.list('claim ').length > 1;
  const session = await untilDone({ method: 'POST', path: '/payment-sessions', body }, find, {
    isInterrupted,
  });
  await disk.set(`session of ${till}`, session);
  return session;
}
