import { describeMachine } from '../protocol/machine-shape.ts';
import { verificationMachine } from './api/accounts/verification.machine.ts';
import { disputeMachine } from './api/disputes/dispute.machine.ts';
import { actionMachine } from './api/in-person/actions/action.machine.ts';
import { paymentSessionMachine } from './api/payments/payment-session.machine.ts';
import { payoutMachine } from './api/payouts/payout.machine.ts';
import { subscriptionMachine } from './api/subscriptions/subscription.machine.ts';
import type { MachineShape } from './dashboard/view.ts';

/** The machines of the server itself; those of terminals are told by the terminals. */
export const SERVER_MACHINES: readonly MachineShape[] = [
  actionMachine,
  paymentSessionMachine,
  subscriptionMachine,
  disputeMachine,
  payoutMachine,
  verificationMachine,
].map(describeMachine);
