const LABELS: Record<string, string> = {
  action: 'Terminal',
  serverAction: 'Server',
  paymentSession: 'Payment session',
  subscription: 'Subscription',
  dispute: 'Dispute',
  payout: 'Payout',
  verification: 'Verification',
};

/** Returns the label of a machine; its id when it has no label. */
export function machineLabel(machineId: string): string {
  return LABELS[machineId] ?? machineId;
}
