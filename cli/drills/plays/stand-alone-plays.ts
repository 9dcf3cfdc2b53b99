import type { Scene } from '../drill.ts';
import { ORDER, sell, settle } from './shop.ts';
import { startUntilAccepted } from './terminal-plays.ts';

const { orderId } = ORDER;
const PATIENCE_MS = 5_000;
const POLL_MS = 250;

/** The line to a payment terminal breaks after the charge, and the terminal cannot be asked afterwards. */
export async function unknownOutcome(scene: Scene): Promise<void> {
  const { tell, sleep, isRight } = scene;
  const sessionId = await sell(scene);
  if (isRight) return settle(scene, ORDER, sessionId);
  await sleep(PATIENCE_MS);
  tell('shop', 'hears of no end, takes the payment for failed and begins a new one');
  await settle(scene, ORDER, await startUntilAccepted(scene, scene));
}

/** A payment terminal, which nobody can cancel, answers once the till has given up. */
export async function answerAfterGivingUp(scene: Scene): Promise<void> {
  const { provider, terminal, tell, books, sleep, isRight } = scene;
  const sessionId = await sell(scene);
  await sleep(PATIENCE_MS);
  tell('shop', 'has waited long enough, and cancels the payment');
  await provider
    .once({ method: 'POST', path: `${terminal}/cancel-action` })
    .catch(({ message }: Error) => tell('shop', `is told "${message}"`));
  tell('customer', 'pays cash');
  if (!isRight) return books.note(orderId, { paid: false });
  tell('shop', 'keeps the card payment as open, and looks at it again');
  await settle(scene, ORDER, sessionId);
  tell('shop', 'gives the cash back');
}

/** A payment terminal shows that a payment is approved, which is reversed because the till cannot know. */
export async function reversedApproval(scene: Scene): Promise<void> {
  const { tell, books, isRight } = scene;
  const earlier = await approvals(scene);
  const sessionId = await sell(scene);
  if (isRight) {
    await settle(scene, ORDER, sessionId);
    if (books.order(orderId)?.paid) return;
    tell('shop', 'takes the payment again, since the first one has failed');
    return settle(scene, ORDER, await sell(scene));
  }
  await untilApproved(scene, earlier);
  tell('shop', 'the cashier sees "approved" on the payment terminal, and hands out the goods');
  books.note(orderId, { paid: true });
}

/** Waits until the payment terminal shows that its bank has answered once more. */
async function untilApproved(scene: Scene, earlier: number): Promise<void> {
  while ((await approvals(scene)) === earlier) await scene.sleep(POLL_MS);
}

/** How often the bank of the payment terminal has answered, in what a fork brought along too. */
async function approvals({ terminal, control }: Scene): Promise<number> {
  const path = terminal.replace('/in-person', '');
  const { answer } = await control('POST', `${path}/control`, { control: 'timeline' });
  return answer.split('bank.answered').length - 1;
}
