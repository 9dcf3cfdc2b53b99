import { Fault } from '../../../protocol/failures.ts';
import {
  ActionAccepted,
  ActionCompleted,
  AuthoriseAction,
  DecideAction,
  EndAction,
  ReceiptReady,
} from '../../../protocol/messages/action.messages.ts';
import { isOneOf } from '../../../protocol/tables.ts';
import { insertCard } from './cardholder-cases.ts';
import type { DeviceBench } from './device-bench.ts';
import { at, deviceCase, NEEDS_RECEIPTS, payAgain, tapCard } from './device-case.ts';

/** What an action waits for when the point of sale cancels it. */
const CANCELLED: Record<string, (bench: DeviceBench) => Promise<void>> = {
  // It does not hear of the end, so that it releases its reader because of the cancel alone.
  async card(bench) {
    await bench.pay({ faults: [at(EndAction.name, 'lost')] });
    await bench.expectReport(ActionAccepted.name);
  },
  pin: insertCard,
  async decision(bench) {
    await tapCard(bench, { faults: [at(DecideAction.name, 'lost')] });
    await bench.expectReport(AuthoriseAction.name);
  },
  async receipt(bench) {
    await tapCard(bench, { receipts: 'PointOfSale' });
    await bench.expectReport(ReceiptReady.name);
  },
};

const NEEDS: Record<string, readonly string[]> = {
  card: ['start.replaces'],
  receipt: NEEDS_RECEIPTS,
};

/** Takes back a card that was tapped while nothing asked for one. The device may have let go of it: then that is refused. */
async function takeBack(bench: DeviceBench): Promise<void> {
  try {
    await bench.act('remove');
  } catch (thrown) {
    const isRefused = thrown instanceof Fault && isOneOf(['bad_setting', 'server_answer'], thrown.code);
    if (!isRefused) throw thrown;
  }
}

/** The point of sale cancels an action. */
export const CANCEL_CASES = Object.entries(CANCELLED).map(([state, reach]) =>
  deviceCase(
    `cancel.${state}`,
    ['protocol.cancel.release'],
    async (bench) => {
      await reach(bench);
      const after = bench.mark();
      await bench.cancel();
      await bench.expectEnd('Cancelled');
      // A card that comes now is none of this action.
      if (state === 'card' && bench.isAutomatic) {
        await bench.act('tap');
        await bench.expectNo(AuthoriseAction.name, { after, within: 2_000 });
        await takeBack(bench);
      }
      await bench.expectNo(ActionCompleted.name, { after, within: 1_000 });
      await payAgain(bench);
      return 'the action ended Cancelled, and the next payment was captured';
    },
    NEEDS[state],
  ),
);
