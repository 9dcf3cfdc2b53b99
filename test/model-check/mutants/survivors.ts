/** Why the check does not catch a mutant. */
interface Reason {
  mutants: RegExp;
  reason: string;
  /** Whether terminal and server do the same with it. Otherwise the check misses it. */
  changesNothing: boolean;
}

const same = (mutants: RegExp, reason: string): Reason => ({ mutants, reason, changesNothing: true });
const missed = (mutants: RegExp, reason: string): Reason => ({ mutants, reason, changesNothing: false });

const REASONS: readonly Reason[] = [
  same(/without assertEvent/, 'the assertion never fails'),
  same(/^serverAction\.printing on .*without failOpenCopies$/, 'a terminal that prints leaves no copy open'),
  same(/^serverAction.* before failOpenCopies$/, 'the two set different values'),
  same(/^serverAction.*: (sendCancel|sendDecision) before/, 'commands are sent after the transaction'),
  same(
    /^action on action\.ended [14]: without setReason$/,
    'a cancelled action has no code, and no chip data',
  ),
  same(
    /awaitingCustomerReceipt on receipt\.confirmed: without setConfirmation$/,
    'the server confirms only copies that succeeded',
  ),
  same(/device\.reversed: without clearDeviceApproval$/, 'the action is over, and its journal is cleared'),
  missed(/^action-setup\.ts: (2 for 1|1 for 0)|^action setDeadline: without inquiries$/, 'time is left out'),
  missed(/on power\.returned: .*setDeadline/, 'time is left out'),
  missed(/chip|without answer/i, 'the reader of the model gives chip data only with the card'),
  missed(
    /'onDevice'|Swipe|Signature/,
    'the reader of the model has neither signatures nor PINs on the device',
  ),
  missed(/approvedAtMs|nowMs : null/, 'time is left out'),
  missed(/cardMissing/, 'what the display says is left out'),
];

/** Returns why a mutant may survive; undefined if no reason is known. */
export function reasonOf(id: string): Omit<Reason, 'mutants'> | undefined {
  return REASONS.find(({ mutants }) => mutants.test(id));
}
