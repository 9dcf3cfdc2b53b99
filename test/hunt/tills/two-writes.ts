import type { HuntOptions, HuntScene } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, createSession, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';
import { takingsAre } from './takings.ts';

/** How long the database of the shop takes. */
const WRITE_MS = 150;

/** What survives a restart of the shop, as on a disk. */
interface Disk {
  session?: { id: string; clientSecret: string };
  isDone: boolean;
  booked: number[];
}

/**
 * A shop that writes that an order is done, and the amount of it in a second write: when its process is killed in between,
 * the amount is missing. The right one writes both at once.
 */
export function twoWrites(isRight: boolean): HuntOptions {
  let disk: Disk = { isDone: false, booked: [] };
  return {
    async scenario(scene) {
      const own: Disk = { isDone: false, booked: [] };
      disk = own;
      scene.restart((again) => work(again, own));
      await work(scene, own);
    },
    verdicts: [takingsAre(() => disk.booked)],
  };

  async function work(scene: HuntScene, own: Disk): Promise<void> {
    if (own.isDone) return;
    const provider = openProvider(scene);
    const session = own.session ?? (await createSession(provider, { ...SESSION, amount: 1742 }));
    own.session = session as NonNullable<Disk['session']>;
    if ((await attemptPayment(provider, own.session)).status !== 'Captured') return;
    await scene.sleep(WRITE_MS);
    own.isDone = true;
    // Defect: the amount is another write.
    if (!isRight) await scene.sleep(WRITE_MS);
    own.booked.push(1742);
  }
}
