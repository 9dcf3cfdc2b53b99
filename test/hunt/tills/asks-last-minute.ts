import type { Json } from '../../../cli/drills/stage.ts';
import type { HuntOptions, HuntScene } from '../../../testing/hunt/hunt.ts';
import { openProvider } from './provider.ts';
import { takingsAre } from './takings.ts';

const MINUTE_MS = 60_000;
const POLL_MS = 30_000;
/** Longer than a payment takes under any fault. */
const PATIENCE_MS = 60 * MINUTE_MS;

/** What survives a restart of the shop, as on a disk. */
interface Disk {
  beganMs: number;
  /** When the shop last asked. */
  askedMs: number;
  /** Amounts by the event that said so. */
  booked: Map<string, number>;
}

/**
 * A shop whose books follow the events of the provider: it asks for those since it last asked and, when its process has
 * started, for those of the last minute. What happens while the process is down for longer is never booked. The right one
 * stores when it last asked.
 */
export function asksLastMinute(isRight: boolean): HuntOptions {
  let disk: Disk = { beganMs: 0, askedMs: 0, booked: new Map() };
  return {
    prepare: (world) => world.openTill({ cardholder: { script: 'tap', delayMs: 30_000 } }),
    async scenario(scene) {
      const nowMs = scene.world.nowMs();
      const own: Disk = { beganMs: nowMs, askedMs: nowMs, booked: new Map() };
      disk = own;
      // The cashier takes the money at the terminal: the process only keeps the books.
      const paying = scene.till.pay(1742).catch(() => undefined);
      scene.restart((again) => follow(again, own));
      await follow(scene, own);
      await paying;
    },
    verdicts: [takingsAre(() => [...disk.booked.values()])],
  };

  async function follow(scene: HuntScene, own: Disk): Promise<void> {
    const { world, sleep } = scene;
    // Defect: who says that the process was down for less?
    let askedMs = isRight ? own.askedMs : world.nowMs() - MINUTE_MS;
    do {
      const nowMs = world.nowMs();
      const { items } = await openProvider(scene).read('/events');
      const isNew = ({ eventType, createdTimestamp }: Json) =>
        eventType === 'PaymentSession.captured' && createdTimestamp >= Math.floor(askedMs / 1000);
      for (const { id, data } of items.filter(isNew)) own.booked.set(id, data.amount);
      own.askedMs = askedMs = nowMs;
      await sleep(POLL_MS);
    } while (own.booked.size === 0 && world.nowMs() < own.beganMs + PATIENCE_MS);
  }
}
