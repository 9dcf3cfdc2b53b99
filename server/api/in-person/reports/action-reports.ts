import type { BodyOf } from '../../../../protocol/message.ts';
import {
  ActionInquired,
  EndAction,
  SEQ_MAX,
  UNKNOWN_ACTION_CODE,
} from '../../../../protocol/messages/action.messages.ts';
import { Presence, RequestPresence } from '../../../../protocol/messages/presence.messages.ts';
import type { Services } from '../../../platform/services.ts';
import { jsonText } from '../../../platform/store/json-text.ts';
import { joinTransactions } from '../../../platform/store/joined-transactions.ts';
import type { Transaction } from '../../../platform/store/store.ts';
import { readAccount } from '../../accounts/account.records.ts';
import { BROKER_AWAY_MS, renewAcceptance } from '../actions/action-deadlines.ts';
import { applyActionEvent, type EventFacts } from '../actions/apply-action-event.ts';
import {
  actions,
  findActionInProgress,
  listActionsInProgress,
  type ActionRow,
  findReportedAction,
  type ReportedAction,
  ACTION_GUARDS,
  lockAction,
} from '../actions/action.records.ts';
import type { ActionEvent } from '../actions/action.machine.ts';
import { sessionOf } from '../actions/action-money.ts';
import { askForReport, repeatCommands, type ActionServices } from '../actions/terminal-commands.ts';
import { type TerminalRow, savePresence, terminals } from '../terminals/terminal.records.ts';
import { handleReversalReports, recordReversal } from './device-reversals.ts';
import { authorise } from './authorisation.ts';
import {
  answersToInquiry,
  ANSWERED_REPORTS,
  eventOf,
  isRepeat,
  type ReportAnswer,
} from './report-answers.ts';

type Report = { actionId: string; seq: number };

/** Whether a report is not a repeat. Says on the terminal's timeline what is out of sequence. */
function isNext(
  tx: Transaction,
  { log, activities }: Pick<Services, 'log' | 'activities'>,
  action: ActionRow,
  { message, seq }: { message: string; seq: number },
): boolean {
  const { id: actionId, terminal_id: terminalId, seen_seq: seen } = action;
  const refuse = (reason: string) =>
    tx.afterCommit(() => activities.emit({ kind: 'message.refused', terminalId, actionId, message, reason }));
  if (isRepeat(action, seq)) {
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
export function handleTerminalReports(services: ActionServices): void {
  const { store, gateway } = services;
  const inOrder = joinTransactions(store, { guardedBy: ACTION_GUARDS });

  for (const { message, answer } of ANSWERED_REPORTS) {
    const handle = (terminalId: string, body: unknown) =>
      inOrder(terminalId, async (tx) => {
        const { actionId, seq } = body as Report;
        const reported = await findReportedAction(tx, terminalId, actionId);
        if (reported === 'no terminal') return;
        if (reported === 'no action') return endUnknownAction(tx, services, terminalId, actionId);
        const { action, terminal } = reported;
        if (!isNext(tx, services, action, { message: message.name, seq })) return;
        const seen = { ...action, seen_seq: seq };
        await perform(tx, services, { action: seen, terminal }, answer(seen, body));
      });
    // For an unknown action the terminal is sent an end; otherwise it would never settle the action.
    gateway.onReport(message, handle, { anyAction: true });
  }

  const inquired = (terminalId: string, body: BodyOf<typeof ActionInquired>) =>
    inOrder(terminalId, async (tx) => {
      tx.lockRow('terminals', terminalId);
      const terminal = await terminals.findAny(tx, terminalId);
      if (terminal) await answerInquiry(tx, services, terminal, body);
    });
  gateway.onReport(ActionInquired, inquired, { anyAction: true });
  handleReversalReports(services, inOrder);

  gateway.onReport(Presence, async (terminalId, body) => {
    const known = await inOrder(terminalId, (tx) => savePresence(tx, terminalId, body));
    const { online, reader } = body;
    if (!known) return;
    services.activities.emit({ kind: 'terminal.presence', terminalId, online, ...(reader && { reader }) });
    // The last will of an earlier connection may come after the terminal has connected again, at another node.
    if (!online && gateway.lossDetectedMs) await gateway.send(RequestPresence, terminalId, {});
  });
}

/** Performs the answer to a report and saves its action, whose `seen_seq` is incremented and not saved yet. */
async function perform(
  tx: Transaction,
  services: ActionServices,
  { action, terminal }: ReportedAction,
  answer: ReportAnswer,
): Promise<void> {
  switch (answer.type) {
    case 'applyEvent': {
      const { event, receipt, reason } = answer;
      const reported = receipt ? { ...action, receipt: jsonText(receipt) } : action;
      return apply(tx, services, reported, event, { reason });
    }
    case 'authorise': {
      // Together, since each is a round trip on PostgreSQL. The account is read for the events of the decision.
      const [session] = await Promise.all([sessionOf(tx, action), readAccount(tx, action.account_id)]);
      const context = { action, terminal, session, body: answer.request };
      const storedDecision = await authorise(tx, services, context);
      return apply(tx, services, action, eventOf(storedDecision.decision), { storedDecision, session });
    }
    case 'saveReceipt': {
      const withReceipt = { ...action, receipt: jsonText(answer.receipt) };
      if (answer.thenRepeat) return repeatCommands(tx, services, withReceipt);
      return actions.save(tx, action, withReceipt);
    }
    case 'recordUnknown': {
      const { id: actionId, amount_minor: amountMinor, currency } = action;
      const atMs = services.clock.nowMs();
      const { reason = 'whether the terminal has charged is not known' } = answer;
      const unknown = { actionId, amountMinor, currency, outcome: 'NotReversed', reason, atMs } as const;
      await recordReversal(tx, services, action, unknown);
      return repeatCommands(tx, services, action);
    }
    case 'repeatCommands':
      return repeatCommands(tx, services, action);
  }
}

/** Applies the event of a report. When it changes nothing, saves only that the report is seen. */
async function apply(
  tx: Transaction,
  services: ActionServices,
  action: ActionRow,
  event: ActionEvent,
  known: EventFacts = {},
): Promise<void> {
  const stepped = await applyActionEvent(tx, services, action, event, known);
  if (!stepped) actions.save(tx, action, action);
}

async function answerInquiry(
  tx: Transaction,
  services: ActionServices,
  { id: terminalId }: TerminalRow,
  body: BodyOf<typeof ActionInquired>,
): Promise<void> {
  const current = await findActionInProgress(tx, terminalId);
  const named = body.actionId === undefined ? undefined : await actions.findAny(tx, body.actionId);
  const inquired = named?.terminal_id === terminalId ? named : undefined;
  for (const answer of answersToInquiry({ inquired, current }, body)) {
    if (answer.type === 'repeatCommands') await repeatCommands(tx, services, answer.action);
    else if (answer.type === 'applyEvent') {
      const { action, event, reason } = answer;
      await applyActionEvent(tx, services, action, event, { reason });
    } else if (answer.type === 'requestReport') await askForReport(tx, services, answer.action);
    else endUnknownAction(tx, services, terminalId, answer.actionId);
  }
}

function endUnknownAction(
  tx: Transaction,
  services: ActionServices,
  terminalId: string,
  actionId: string,
): void {
  const body: BodyOf<typeof EndAction> = {
    actionId,
    seq: SEQ_MAX, // above any that the terminal can have seen
    status: 'Failed',
    code: UNKNOWN_ACTION_CODE,
  };
  tx.afterCommit(() => void services.gateway.send(EndAction, terminalId, body, { foreignAction: true }));
}

/**
 * Repeats the commands of every action in progress, and requests the terminals' reports. A server that was killed
 * does not know which decisions it has sent, and a server without a connection has missed reports. Terminals have the
 * whole time again to accept an action: they could not while the server was away.
 */
export async function repeatActionsInProgress(services: ActionServices): Promise<void> {
  const createdAfterMs = services.clock.nowMs() - BROKER_AWAY_MS;
  await services.store.transaction((tx) => renewAcceptance(tx, services, createdAfterMs), {
    guardedBy: ACTION_GUARDS,
  });
  const inProgress = await listActionsInProgress(services.store);
  // Together, since those that wait for the disk share a sync: with one after the other the last terminals wait long.
  for (let from = 0; from < inProgress.length; from += REPEATED_AT_ONCE) {
    const some = inProgress.slice(from, from + REPEATED_AT_ONCE);
    await Promise.all(some.map(({ id }) => repeatAction(services, id)));
  }
}

const REPEATED_AT_ONCE = 50;

function repeatAction(services: ActionServices, actionId: string): Promise<void> {
  return services.store.transaction(
    async (tx) => {
      const action = await lockAction(tx, actionId);
      const terminal = action && (await terminals.findAny(tx, action.terminal_id));
      if (action?.status === 'InProgress' && terminal)
        await repeatCommands(tx, services, action, { requestReport: true });
    },
    { guardedBy: ACTION_GUARDS },
  );
}
