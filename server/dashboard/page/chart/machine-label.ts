const WORDS: Record<string, string> = {
  action: 'Terminal',
  serverAction: 'Server',
  paymentSession: 'Payment session',
  subscription: 'Subscription',
  dispute: 'Dispute',
  payout: 'Payout',
  verification: 'Verification',
};

/** Whose machine it is, for a person; its own name where we have no better one. */
export function machineLabel(machineId: string): string {
  return WORDS[machineId] ?? machineId;
}
