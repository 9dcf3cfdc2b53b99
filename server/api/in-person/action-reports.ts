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
import { jsonText } from '../../platform/store/json-text.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { applyActionEvent, repeatDecisions } from './apply-action-event.ts';
import {
  findAction,
  findActionInProgress,
  listActionsInProgress,
  saveAction,
  type StoredDecision,
} from './action.records.ts';
import type { ActionEvent } from './action.machine.ts';
import { findReportedAction, type ReportedAction } from './reported-action.records.ts';
import { authorise } from './authorisation.ts';
import { findAnyTerminal, setPresence, type TerminalRow } from './terminal.records.ts';

type Report = { actionId: string; seq: number };
/** Handles a report, and writes its action: `seen_seq` has been counted up, and is not stored yet. */
type Handler<M extends DeclaredMessage> = (
  tx: Transaction,
  reported: ReportedAction,
  body: BodyOf<M>,
) => Promise<void>;

/** What terminals report becomes events of their actions. Reports of one terminal arrive one after another. */
export function listenToTerminals(services: Services): void {
  const { store, gateway, log } = services;

  /** Runs a report on the action it is about, unless it is a repeat. */
  function onReport<M extends DeclaredMessage>(message: M, handle: Handler<M>): void {
    const report = (terminalId: string, body: BodyOf<M>) =>
      store.transaction(async (tx) => {
        const { actionId, seq } = body as Report;
        const reported = await findReportedAction(tx, terminalId, actionId);
        if (reported === 'no terminal') return;
        if (reported === 'no action') return endUnknown(tx, services, terminalId, actionId);
        const { action } = reported;
        if (seq <= action.seen_seq) return;
        if (seq > action.seen_seq + 1)
          log.warn({ terminalId, actionId, seq, seen: action.seen_seq }, 'a gap in reports');
        await handle(tx, { ...reported, action: { ...action, seen_seq: seq } }, body);
      });
    // The end of an action that is unknown here is sent to the terminal, which else would not settle it.
    gateway.onReport(message, report, { anyAction: true });
  }

  /** The same for a report that says nothing new of an action that has ended: the end is said again. */
  function onReportUnderWay<M extends DeclaredMessage>(message: M, handle: Handler<M>): void {
    onReport(message, (tx, reported, body) =>
      reported.action.status === 'InProgress'
        ? handle(tx, reported, body)
        : repeatDecisions(tx, services, reported.action, reported.terminal),
    );
  }

  /** Applies the event that a report means; one that changes nothing is noted as seen. */
  async function apply(
    tx: Transaction,
    { action, session }: ReportedAction,
    event: ActionEvent,
    kept?: StoredDecision,
  ): Promise<void> {
    const stepped = await applyActionEvent(tx, services, action, event, { session, ...(kept && { kept }) });
    if (!stepped) await saveAction(tx, action, action);
  }

  onReportUnderWay(ActionAccepted, (tx, reported) => apply(tx, reported, { type: 'action.accepted' }));

  onReportUnderWay(AuthoriseAction, async (tx, reported, body) => {
    const { action, terminal, session } = reported;
    // Asked again, the issuer is not: what it said is repeated.
    if (action.decision !== null) return repeatDecisions(tx, services, action, terminal);
    const kept = await authorise(tx, services, { action, terminal, session, body });
    const { decision } = kept;
    if (decision.outcome === 'approved') await apply(tx, reported, { type: 'issuer.approved' }, kept);
    else await apply(tx, reported, { type: 'issuer.declined', code: decision.code }, kept);
  });

  // Kept also when it comes late: a refund that was not waited for has moved its money all the same.
  onReport(ReceiptReady, async (tx, { action, terminal }, body) => {
    const kept = { ...action, receipt: jsonText(body.receipt) };
    if (action.status === 'InProgress') await saveAction(tx, action, kept);
    else await repeatDecisions(tx, services, kept, terminal);
  });

  onReportUnderWay(ActionCompleted, (tx, reported, { failedCopies }) =>
    apply(tx, reported, { type: 'action.completed', failedCopies }),
  );

  onReportUnderWay(ActionAbandoned, (tx, reported, { code }) =>
    apply(tx, reported, { type: 'action.abandoned', code }),
  );

  const inquired = (terminalId: string, body: BodyOf<typeof ActionInquired>) =>
    store.transaction(async (tx) => {
      const terminal = await findAnyTerminal(tx, terminalId);
      if (terminal) await answerInquiry(tx, services, terminal, body);
    });
  gateway.onReport(ActionInquired, inquired, { anyAction: true });

  gateway.onReport(Presence, async (terminalId, body) => {
    const known = await store.transaction((tx) => setPresence(tx, terminalId, body));
    const { online, reader } = body;
    if (known)
      services.notices.emit({ kind: 'terminal.presence', terminalId, online, ...(reader && { reader }) });
  });
}

/** A terminal that came back asks what became of its action (docs/protocol.md). */
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
      await repeatDecisions(tx, services, seen, terminal);
    } else endUnknown(tx, services, terminal.id, actionId);
  }
  if (!current || current.id === actionId) return;
  if (current.phase === 'sent') return repeatDecisions(tx, services, current, terminal);
  // The terminal began this action and does not know it any more: nobody can finish it. An inquiry that comes
  // twice says nothing of what was begun in between.
  if (!repeated)
    await applyActionEvent(tx, services, current, { type: 'action.abandoned', code: 'unexpected_error' });
}

function endUnknown(tx: Transaction, services: Services, terminalId: string, actionId: string): void {
  const body: BodyOf<typeof EndAction> = {
    actionId,
    seq: SEQ_MAX, // above any that the terminal could have seen of it
    status: 'Failed',
    code: 'unexpected_error',
  };
  tx.afterCommit(() => void services.gateway.send(EndAction, terminalId, body, { foreignAction: true }));
}

/**
 * Repeats every action in progress to its terminal, and asks for the terminal's reports: a server that was killed
 * between writing a decision and sending it does not know which were sent, and one that was not connected heard
 * nothing of terminals that were.
 */
export async function repeatActionsInProgress(services: Services): Promise<void> {
  for (const { id } of await listActionsInProgress(services.store)) {
    await services.store.transaction(async (tx) => {
      const action = await findAction(tx, id);
      const terminal = action && (await findAnyTerminal(tx, action.terminal_id));
      if (action?.status === 'InProgress' && terminal) {
        await repeatDecisions(tx, services, action, terminal, { requestReport: true });
      }
    });
  }
}
