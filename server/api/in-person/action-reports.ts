import type { BodyOf, DeclaredMessage } from '../../../protocol/message.ts';
import {
  ActionAbandoned,
  ActionAccepted,
  ActionCompleted,
  ActionInquired,
  AuthoriseAction,
  EndAction,
  ReceiptReady,
  SEQ_MAX,
} from '../../../protocol/messages/action.messages.ts';
import { Presence } from '../../../protocol/messages/presence.messages.ts';
import type { Services } from '../../platform/services.ts';
import type { PaymentSessionRow } from '../payments/payment-session-row.ts';
import { jsonText } from '../../platform/store/json-text.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { applyActionEvent } from './apply-action-event.ts';
import {
  findAction,
  findActionInProgress,
  listActionsInProgress,
  saveAction,
  type ActionRow,
  type StoredDecision,
} from './action.records.ts';
import type { ActionEvent } from './action.machine.ts';
import { findReportedAction, type ReportedAction } from './reported-action.records.ts';
import { sessionOf } from './action-money.ts';
import { authorise } from './authorisation.ts';
import { repeatCommands } from './terminal-commands.ts';
import { findAnyTerminal, savePresence, type TerminalRow } from './terminal.records.ts';

type Report = { actionId: string; seq: number };
/** Handles a report and saves its action, whose `seen_seq` is incremented and not saved yet. */
type Handler<M extends DeclaredMessage> = (
  tx: Transaction,
  reported: ReportedAction,
  body: BodyOf<M>,
) => Promise<void>;

/** Whether a report is not a repeat. Says on the terminal's timeline what is out of sequence. */
function isNext(
  tx: Transaction,
  { log, notices }: Pick<Services, 'log' | 'notices'>,
  { id: actionId, terminal_id: terminalId, seen_seq: seen }: ActionRow,
  { message, seq }: { message: string; seq: number },
): boolean {
  const refuse = (reason: string) =>
    tx.afterCommit(() => notices.emit({ kind: 'message.refused', terminalId, actionId, message, reason }));
  if (seq <= seen) {
    refuse(`repeated: ${seq} is not above ${seen}, the last number seen`);
    return false;
  }
  if (seq > seen + 1) {
    log.warn({ terminalId, actionId, seq, seen }, 'a gap in reports');
    refuse(`out of sequence: ${seq} follows ${seen}. It is used; what is missing was not received`);
  }
  return true;
}

/** Applies the reports of terminals to their actions. Reports of one terminal arrive one after another. */
export function handleTerminalReports(services: Services): void {
  const { store, gateway } = services;

  /** Registers the handler of a report, called with its action unless the report is a repeat. */
  function onReport<M extends DeclaredMessage>(message: M, handle: Handler<M>): void {
    const report = (terminalId: string, body: BodyOf<M>) =>
      store.transaction(async (tx) => {
        const { actionId, seq } = body as Report;
        const reported = await findReportedAction(tx, terminalId, actionId);
        if (reported === 'no terminal') return;
        if (reported === 'no action') return endUnknownAction(tx, services, terminalId, actionId);
        const { action, terminal } = reported;
        if (!isNext(tx, services, action, { message: message.name, seq })) return;
        await handle(tx, { action: { ...action, seen_seq: seq }, terminal }, body);
      });
    // For an unknown action the terminal is sent an end; otherwise it would never settle the action.
    gateway.onReport(message, report, { anyAction: true });
  }

  /** The same for reports that do not matter after the end of an action: the end is sent again. */
  function onReportUnderWay<M extends DeclaredMessage>(message: M, handle: Handler<M>): void {
    onReport(message, (tx, reported, body) =>
      reported.action.status === 'InProgress'
        ? handle(tx, reported, body)
        : repeatCommands(tx, services, reported.action),
    );
  }

  /** Applies the event of a report. When it changes nothing, saves only that the report is seen. */
  async function apply(
    tx: Transaction,
    action: ActionRow,
    event: ActionEvent,
    known: { storedDecision?: StoredDecision; session?: PaymentSessionRow } = {},
  ): Promise<void> {
    const stepped = await applyActionEvent(tx, services, action, event, known);
    if (!stepped) await saveAction(tx, action, action);
  }

  onReportUnderWay(ActionAccepted, (tx, { action }) => apply(tx, action, { type: 'action.accepted' }));

  onReportUnderWay(AuthoriseAction, async (tx, { action, terminal }, body) => {
    // A repeated request gets the stored decision; the issuer does not decide twice.
    if (action.decision !== null) return repeatCommands(tx, services, action);
    const session = await sessionOf(tx, action);
    const storedDecision = await authorise(tx, services, { action, terminal, session, body });
    const { decision } = storedDecision;
    const event: ActionEvent =
      decision.outcome === 'approved'
        ? { type: 'issuer.approved' }
        : { type: 'issuer.declined', code: decision.code };
    await apply(tx, action, event, { storedDecision, session });
  });

  // A late receipt is saved too: the money of a refund has moved even when its action timed out.
  onReport(ReceiptReady, async (tx, { action }, body) => {
    const withReceipt = { ...action, receipt: jsonText(body.receipt) };
    if (action.status === 'InProgress') await saveAction(tx, action, withReceipt);
    else await repeatCommands(tx, services, withReceipt);
  });

  onReportUnderWay(ActionCompleted, (tx, { action }, { failedCopies }) =>
    apply(tx, action, { type: 'action.completed', failedCopies }),
  );

  onReportUnderWay(ActionAbandoned, (tx, { action }, { code }) =>
    apply(tx, action, { type: 'action.abandoned', code }),
  );

  const inquired = (terminalId: string, body: BodyOf<typeof ActionInquired>) =>
    store.transaction(async (tx) => {
      const terminal = await findAnyTerminal(tx, terminalId);
      if (terminal) await answerInquiry(tx, services, terminal, body);
    });
  gateway.onReport(ActionInquired, inquired, { anyAction: true });

  gateway.onReport(Presence, async (terminalId, body) => {
    const known = await store.transaction((tx) => savePresence(tx, terminalId, body));
    const { online, reader } = body;
    if (known)
      services.notices.emit({ kind: 'terminal.presence', terminalId, online, ...(reader && { reader }) });
  });
}

/** Answers the inquiry of a terminal that has reconnected (docs/protocol.md). */
async function answerInquiry(
  tx: Transaction,
  services: Services,
  terminal: TerminalRow,
  body: BodyOf<typeof ActionInquired>,
): Promise<void> {
  const { actionId, seq } = body;
  const current = await findActionInProgress(tx, terminal.id);
  let repeated = false;
  if (actionId !== undefined) {
    const inquired = await findAction(tx, actionId);
    if (inquired?.terminal_id === terminal.id) {
      repeated = seq <= inquired.seen_seq;
      const seen = { ...inquired, seen_seq: Math.max(inquired.seen_seq, seq) };
      await repeatCommands(tx, services, seen);
    } else endUnknownAction(tx, services, terminal.id, actionId);
  }
  if (!current || current.id === actionId) return;
  if (current.phase === 'sent') return repeatCommands(tx, services, current);
  // The terminal accepted this action and no longer knows it, so it cannot complete. A repeated inquiry may be older
  // than the action, so it abandons nothing.
  if (!repeated)
    await applyActionEvent(tx, services, current, { type: 'action.abandoned', code: 'unexpected_error' });
}

function endUnknownAction(tx: Transaction, services: Services, terminalId: string, actionId: string): void {
  const body: BodyOf<typeof EndAction> = {
    actionId,
    seq: SEQ_MAX, // above any that the terminal can have seen
    status: 'Failed',
    code: 'unexpected_error',
  };
  tx.afterCommit(() => void services.gateway.send(EndAction, terminalId, body, { foreignAction: true }));
}

/**
 * Repeats the commands of every action in progress, and requests the terminals' reports. A server that was killed
 * does not know which decisions it has sent, and a server without a connection has missed reports.
 */
export async function repeatActionsInProgress(services: Services): Promise<void> {
  for (const { id } of await listActionsInProgress(services.store)) {
    await services.store.transaction(async (tx) => {
      const action = await findAction(tx, id);
      const terminal = action && (await findAnyTerminal(tx, action.terminal_id));
      if (action?.status === 'InProgress' && terminal) {
        await repeatCommands(tx, services, action, { requestReport: true });
      }
    });
  }
}
