import type { Json } from '../../../cli/drills/stage.ts';
import type { HuntOptions, HuntScene } from '../../../testing/hunt/hunt.ts';
import { createSession, payAsCustomer, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';
import { isSigned } from './signed-event.ts';
import { takingsAre } from './takings.ts';

const CAPTURED = 'PaymentSession.captured';
const POLL_MS = 600_000;
/** Longer than the schedule of an event. */
const POLLS_MAX = 6;

/** A mistake that only shows where the process is killed at its disk. */
type Defect = 'acknowledges first' | 'forgets ids';

/** A shop that acknowledges an event before it is written: nobody sends it again. The right one writes it first. */
export const acknowledgesFirst = (isRight: boolean) =>
  booksOnDisk(isRight ? undefined : 'acknowledges first');

/**
 * A shop that writes what it books to its disk, and keeps the ids of the events in memory: one that comes again after a
 * restart is booked again. The right one writes the id with the amount.
 */
export const forgetsIds = (isRight: boolean) => booksOnDisk(isRight ? undefined : 'forgets ids');

/** A shop that books each event once, and asks for those that it has not acknowledged. */
function booksOnDisk(defect: Defect | undefined): HuntOptions {
  let secret = '';
  let disk: HuntScene['disk'];
  return {
    async prepare(world) {
      secret = (await world.listen('shop', [CAPTURED])).secret;
    },
    async scenario(scene) {
      disk = scene.disk;
      scene.restart(work);
      await work(scene);
    },
    verdicts: [takingsAre(() => bookedOn(disk).map(({ amount }) => amount))],
  };

  async function work(scene: HuntScene): Promise<void> {
    const known = defect === 'forgets ids' ? [] : bookedOn(scene.disk);
    const written = new Map(known.map(({ id }) => [id, Promise.resolve()]));
    const book = ({ id, data }: Json): Promise<void> => {
      const writing = written.get(id) ?? scene.disk.append('booked', { id, amount: data.amount });
      written.set(id, writing);
      return writing;
    };
    scene.world.receiver('shop').behaviour = async (delivery) => {
      if (!isSigned(delivery, secret)) return 400;
      const writing = book(delivery.event);
      if (defect !== 'acknowledges first') await writing;
      return 200;
    };
    await sell(scene);
    for (let polls = 0; polls < POLLS_MAX && bookedOn(scene.disk).length === 0; polls += 1) {
      await scene.sleep(POLL_MS);
      const { items } = await openProvider(scene).read('/events');
      for (const event of items)
        if (event.eventType === CAPTURED && event.deliveryStatus !== 'Success') await book(event);
    }
  }
}

function bookedOn(disk: HuntScene['disk']): { id: string; amount: number }[] {
  return disk.get('booked') ?? [];
}

/** Sells something, which the customer pays in a browser. */
async function sell(scene: HuntScene): Promise<void> {
  const provider = openProvider(scene);
  const known = scene.disk.get('session');
  const session = known ?? (await createSession(provider, { ...SESSION, amount: 1742 }));
  if (!known) await scene.disk.set('session', session);
  await payAsCustomer(scene, session.clientSecret);
}
