import type { ActionEvent } from '../../../agent/lifecycle/action-events.ts';
import type { ReaderChip } from '../../../agent/readers/reader.ts';
import {
  CancelAction,
  ConfirmReceipt,
  DecideAction,
  EndAction,
  RequestReport,
  StartAction,
} from '../../../protocol/messages/action.messages.ts';
import { actionIdOf, CHIP, INSERTED_CARD, NOW_MS, sessionIdOf, TAPPED_CARD } from '../fixtures.ts';
import { snapshotOf, type TerminalInput, type TerminalState } from '../terminal-model.ts';

const SWIPED_CARD = { ...TAPPED_CARD, entryMode: 'Swipe' as const };
/** As of a tapped card, which is not needed any more. */
const TAPPED_CHIP: ReaderChip = { ...CHIP, awaitsAnswer: false };
/** A second cryptogram, after the PIN. */
const LATER_CHIP: ReaderChip = { ...CHIP, request: { ...CHIP.request, emv: '9F260811223344556677' } };
const APPROVAL = { authorisationCode: 'D4E5F6', reference: 'receipt-2' };
const RECEIPT = { merchantCopy: 'for the merchant', customerCopy: 'for the customer' };

/** Cards of each kind, also those of which a state is derived. */
export const READ_CARDS: readonly ActionEvent[] = [
  { type: 'card.read', card: TAPPED_CARD, pin: 'none' },
  { type: 'card.read', card: TAPPED_CARD, pin: 'pin' },
  { type: 'card.read', card: TAPPED_CARD, pin: 'onDevice', chip: TAPPED_CHIP },
  { type: 'card.read', card: INSERTED_CARD, pin: 'pin' },
  { type: 'card.read', card: INSERTED_CARD, pin: 'pin', chip: CHIP },
  { type: 'card.read', card: INSERTED_CARD, pin: 'none', chip: CHIP },
  { type: 'card.read', card: INSERTED_CARD, pin: 'signature', chip: CHIP },
  { type: 'card.read', card: SWIPED_CARD, pin: 'none' },
  { type: 'device.approved', card: TAPPED_CARD, approval: APPROVAL },
  { type: 'device.approved', card: TAPPED_CARD, approval: APPROVAL, receipt: RECEIPT },
];

/** Every event of a reader, a printer, the bank of a device and of the terminal itself: in any state, also a wrong one. */
const EVENTS: readonly ActionEvent[] = [
  ...READ_CARDS,
  { type: 'card.missing' },
  { type: 'card.presented', entryMode: 'Contact' },
  { type: 'card.unreadable', reason: 'dirty' },
  { type: 'card.removed' },
  { type: 'card.declined', reason: 'offline' },
  { type: 'pin.entered' },
  { type: 'pin.accepted' },
  { type: 'pin.accepted', method: 'OnlinePin' },
  { type: 'pin.accepted', chip: LATER_CHIP },
  { type: 'pin.rejected', triesLeft: 2 },
  { type: 'pin.rejected', triesLeft: 1 },
  { type: 'pin.rejected', triesLeft: 0 },
  { type: 'pin.rejected', triesLeft: 0, chip: LATER_CHIP },
  { type: 'card.completed' },
  { type: 'card.refused', reason: 'declined' },
  { type: 'device.ready' },
  { type: 'device.unknown', reason: 'no answer' },
  { type: 'device.declined', reason: 'limit' },
  { type: 'cancel.pressed' },
  { type: 'reader.failed', reason: 'broken' },
  { type: 'copy.printed', copy: 'merchantCopy' },
  { type: 'copy.printed', copy: 'customerCopy' },
  { type: 'copy.failed', copy: 'merchantCopy', reason: 'noPaper' },
  { type: 'copy.failed', copy: 'customerCopy', reason: 'noPaper' },
  { type: 'device.reversed' },
  { type: 'device.reversalFailed', reason: 'busy' },
  { type: 'authorisation.overdue' },
  { type: 'inquiry.sent' },
  { type: 'power.returned' },
];

const EXPIRES_MS = NOW_MS + 10_000;
const RESPONSE = { emv: '8A023030' };

/** Every command of the server, in any state. */
const COMMANDS: readonly (readonly [string, object])[] = [
  [CancelAction.name, {}],
  [DecideAction.name, { outcome: 'approved', authorisationCode: 'A1B2C3' }],
  [DecideAction.name, { outcome: 'approved', authorisationCode: 'A1B2C3', chip: RESPONSE }],
  [DecideAction.name, { outcome: 'declined', code: 'insufficient_funds' }],
  [DecideAction.name, { outcome: 'declined', code: 'insufficient_funds', chip: RESPONSE }],
  [ConfirmReceipt.name, { copy: 'merchantCopy', status: 'Succeeded' }],
  [ConfirmReceipt.name, { copy: 'merchantCopy', status: 'Failed' }],
  [ConfirmReceipt.name, { copy: 'customerCopy', status: 'Succeeded' }],
  [ConfirmReceipt.name, { copy: 'customerCopy', status: 'Failed' }],
  [RequestReport.name, {}],
  [EndAction.name, { status: 'Succeeded' }],
  [EndAction.name, { status: 'Failed', code: 'receipt_failed' }],
  [EndAction.name, { status: 'Cancelled' }],
];

/** Returns everything that could happen next to a terminal, whether it belongs to the state of its action or not. */
export function inputsTo({ host, online }: TerminalState): TerminalInput[] {
  if (!host) return [{ type: 'powerOn' }];
  if (host.isDormant) return [{ type: 'online' }];
  const { action } = host;
  const connects: TerminalInput[] = online ? [] : [{ type: 'online' }];
  const commands = online ? commandsTo(action?.actionId ?? actionIdOf(0), action?.lastSeqSeen ?? 0) : [];
  if (!action) return [...connects, ...commands];
  const { deadlineMs, askAgainMs } = snapshotOf(action).context;
  return [
    ...connects,
    ...EVENTS.map((event): TerminalInput => ({ type: 'event', event })),
    ...commands,
    ...(deadlineMs === null ? [] : [{ type: 'timer', timer: 'deadline' } as const]),
    ...(askAgainMs === null ? [] : [{ type: 'timer', timer: 'retry' } as const]),
  ];
}

function commandsTo(actionId: string, seen: number): TerminalInput[] {
  const command = (name: string, body: object, nowMs = NOW_MS): TerminalInput => ({
    type: 'command',
    name,
    body: JSON.stringify({ actionId, seq: seen + 1, ...body }),
    nowMs,
  });
  return [
    ...COMMANDS.map(([name, body]) => command(name, body)),
    command(RequestReport.name, { actionId: actionIdOf(1) }),
    command(CancelAction.name, { seq: Math.max(seen, 1) }),
    ...[actionId, actionIdOf(1)].map((id) => command(StartAction.name, startOf(id))),
    command(StartAction.name, startOf(actionIdOf(1)), EXPIRES_MS + 1),
  ];
}

/** Returns the approval of the issuer for a terminal that has asked for it. */
export function approvalFor({ host }: TerminalState): TerminalInput {
  const { actionId, lastSeqSeen } = host!.action!;
  const body = { actionId, seq: lastSeqSeen + 1, outcome: 'approved', authorisationCode: 'A1B2C3' };
  return { type: 'command', name: DecideAction.name, body: JSON.stringify(body), nowMs: NOW_MS };
}

function startOf(actionId: string): object {
  return {
    actionId,
    type: 'Payment',
    paymentSessionId: sessionIdOf(1),
    amountMinor: 1_000,
    currency: 'EUR',
    receiptPrintingSource: 'Terminal',
    expiresAtMs: EXPIRES_MS,
    presentCardMs: 120_000,
    merchantName: 'Shop',
  };
}
