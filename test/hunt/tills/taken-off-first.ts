import type { HuntOptions, HuntScene } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, createSession, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';

const ORDER = { orderId: 'order-1', amount: 1742 };
const POLL_MS = 60_000;
/** Longer than a payment takes under any fault. */
const POLLS_MAX = 60;

/**
 * A shop whose payments a worker beside it books, which goes through the list of those that are open. A worker that is
 * started again puts the one that it had begun at the end of the list, since that may be what it died of: it takes it off, and
 * puts it back. Where it dies in between, nobody books the payment. The right one does both in one write.
 */
export function takenOffFirst(isRight: boolean): HuntOptions {
  let disk: HuntScene['disk'];
  return {
    async scenario(scene) {
      disk = scene.disk;
      const provider = openProvider(scene);
      const { orderId, amount } = ORDER;
      const session = await createSession(provider, { ...SESSION, amount, metadata: { orderId } });
      await disk.append('open', session.id);
      await attemptPayment(provider, session);
    },
    processes: {
      worker: (scene) => {
        scene.restart(async (again) => {
          await putBack(again.disk, isRight);
          await book(again);
        });
        return book(scene);
      },
    },
    shop: () => ({ orders: [{ ...ORDER, paid: disk.get('paid') === true }] }),
  };
}

async function putBack(disk: HuntScene['disk'], isRight: boolean): Promise<void> {
  await disk.set('starts', (disk.get('starts') ?? 1) + 1);
  const [begun, ...others] = disk.get('open') ?? [];
  if (begun === undefined) return;
  if (isRight) return disk.set('open', [...others, begun]);
  // Defect: until the next write it is on no list.
  await disk.set('open', others);
  await disk.append('open', begun);
}

async function book(scene: HuntScene): Promise<void> {
  const { disk } = scene;
  const provider = openProvider(scene);
  for (let polls = 0; polls < POLLS_MAX && disk.get('paid') !== true; polls += 1) {
    await scene.sleep(POLL_MS);
    const [begun] = disk.get('open') ?? [];
    if (begun === undefined) continue;
    const { status } = await provider.read(`/payment-sessions/${begun}`);
    if (status === 'Captured') await disk.set('paid', true);
  }
}
