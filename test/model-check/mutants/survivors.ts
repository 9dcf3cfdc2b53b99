/** Why the check does not catch a mutant. */
interface Reason {
  mutants: RegExp;
  reason: string;
  kind: 'changesNothing' | 'unreachable' | 'missed';
}

const same = (mutants: RegExp, reason: string): Reason => ({ mutants, reason, kind: 'changesNothing' });
const unreachable = (mutants: RegExp, reason: string): Reason => ({ mutants, reason, kind: 'unreachable' });

/** The states of each machine and their actions are named one by one where not all of a kind survive. */
const REASONS: readonly Reason[] = [
  // The terminal
  same(
    /^action-setup\.ts: without assertEvent\(event, (\[[^\]]*\]|'[^']*')\);( \(\d\))?$/,
    'the update belongs to transitions of that event only, so the assertion never fails',
  ),
  same(
    /^action\.[\w.]+ on device\.reversalFailed: (as in action\.reversingAtDevice|dropped)$/,
    'its transition does nothing: the bank of the device is asked again at the next deadline',
  ),
  same(
    /^action entry: startReader before acceptAction$/,
    'the report leaves and the reader starts in one step, and neither waits for the other',
  ),
  same(
    /^action\.(approved entry: sendReceipt|(abandoning|reversing) entry: abandonAction) before stopReader$/,
    'the report leaves and the reader stops in one step, and neither waits for the other',
  ),
  same(
    /^action\.awaitingCard on (card\.unreadable 2|power\.returned): without its target$/,
    'the terminal waits for a card already, until the same deadline, and the actions of the transition are the same',
  ),
  same(
    /^action\.(reading on card\.presented: as in action\.awaitingCard|verifyingPin on pin\.entered: as in action\.awaitingPin)$/,
    'it leads to the state in which the terminal is, which is not entered again',
  ),
  same(
    /^action\.approved\.completing on copy\.printed: as in action\.approved\.printing\.customerCopy$/,
    'a printed customer copy leads to the state in which the terminal is, which is not entered again',
  ),
  same(
    /^action\.approved\.awaitingMerchantReceipt on card\.completed: as in action\.completingCard$/,
    'where the point of sale prints it leads to the state in which the terminal is, which is not entered again',
  ),
  same(
    /^action\.approved\.awaitingMerchantReceipt on receipt\.confirmed 1: without setConfirmation$/,
    'its guard lets through only a copy that succeeded, and only failed copies are noted',
  ),
  same(
    /^action\.(failed|cancelled) entry: without stopReader$/,
    'the run of an action that has ended is stopped, and its reader with it',
  ),
  {
    mutants: /^deadlines\.ts: .*(inquir|GAP_INQUIRY_MS)/,
    reason:
      'time stands still in the model, so no gap follows another; test/agent/sequence.test.ts catches it',
    kind: 'missed',
  },
  same(
    /^action\.atDevice entry: setOpenAtDevice before setDeadline/,
    'the one sets the deadline and the other that the request is open',
  ),
  same(
    /^action\.atDevice on device\.ready: as in action\.awaitingCard$/,
    'it leads to the state in which the terminal is, which is not entered again',
  ),
  same(
    /^action-setup\.ts: (2 for 1 \(7\)|deadlines\.SERVER_REPLY_DOUBLINGS_MAX \+ 1 for .* \(2\))$/,
    'the time between requests to the issuer stops doubling after the sixth, and the terminal gives up after the fourth',
  ),
  same(
    /^deadlines\.ts: without current = undefined;$/,
    'after `cancel` the timer is set to another time at once, or the action is over',
  ),
  same(
    /^deadlines\.ts: never if \(current && current\.atMs === atMs\)$/,
    'the timer is cancelled and set again for the same time',
  ),
  same(
    /^action-events\.ts: \{ chip \} for chip \? \{ chip \} : \{\}$/,
    'chip data that is undefined is read as null, as without the field',
  ),
  same(
    /^action\.(authorising on issuer\.approved 2|completingCard on card\.completed 1): to action\.approved(\.printing\.merchantCopy)?$/,
    '`approved` begins with `printing`, and that with the merchant copy, so it is the same state',
  ),
  same(
    /^action\.approved\.printing\.merchantCopy on power\.returned: to action\.approved\.printing$/,
    '`printing` begins with the merchant copy, so it is entered again too',
  ),
  same(
    /^action on action\.ended 2: to action\.reversingAtDevice$/,
    '`reversingAtDevice` begins with `failed`, so it is the same state',
  ),
  unreachable(
    /^action\.approved: first /,
    'each transition to `approved` names the state in it, so its first one is not asked for',
  ),
  unreachable(
    /^action\.reversingAtDevice: first /,
    'each transition to `reversingAtDevice` names the state in it, so its first one is not asked for',
  ),

  // The server
  same(
    /^serverAction\.(sent|awaitingCard|atDevice|outcomeUnknown) on issuer\.(approved|declined) [12]: sendDecision before (approve|refund|decline|failRefund)$/,
    'the decision is sent after the transaction in which the money moves',
  ),
  same(
    /^serverAction\.(printing|awaitingMerchantCopy|awaitingCustomerCopy) on action\.cancelled 1: sendCancel before void$/,
    'the cancel is sent after the transaction in which the payment is voided',
  ),
  same(
    /^serverAction\.awaitingCustomerCopy on customerCopy\.confirmed 1: confirmReceipt customerCopy before capture$/,
    'the confirmation is sent after the transaction in which the payment is captured',
  ),
  same(
    /^serverAction\.sent: tag \w+$/,
    'the status of an action that was sent is inserted with it; a tag is read where a step leads to, and none leads there',
  ),
  same(/^serverAction\.approved: tag \w+$/, 'no step ends in `approved`, so its tag is not read'),
  same(
    /^serverAction\.printing on (action\.cancelled|action\.abandoned|deadline\.passed) [12]: without failOpenCopies$/,
    'no copy waits for a confirmation while the terminal prints',
  ),
  same(
    /^serverAction\.\w+ on [\w.]+ 1: (setReportedErrorCode|setErrorCode \w+) before failOpenCopies$/,
    'the one sets the code and the other the copies',
  ),
  same(
    /^action\.machine\.ts: event\.failedCopies for event\.type === 'action\.completed'/,
    'the update belongs to transitions of that event only',
  ),
  same(
    /^action\.machine\.ts: event\.code for 'code' in event/,
    'the update belongs to transitions of events with a code only',
  ),
  same(
    /^action\.machine\.ts: always if \(!taken\.has\(key\)\)$/,
    'a known step is computed again, and is the same',
  ),
  same(
    /^command-messages\.ts: always if \(action\.receipt_source === 'PointOfSale'\)$/,
    'no copy of a terminal that prints is ever confirmed',
  ),
  unreachable(
    /^serverAction\.approved on [\w.]+: as in serverAction\.\w+$/,
    'the step that enters `approved` leaves it too, so no event arrives there',
  ),
  unreachable(
    /^serverAction: first /,
    'the server inserts an action with its first state; the machine is not asked for it',
  ),
];

/** Returns why a mutant may survive; undefined if no reason is known. */
export function reasonOf(id: string): Omit<Reason, 'mutants'> | undefined {
  return REASONS.find(({ mutants }) => mutants.test(id));
}
