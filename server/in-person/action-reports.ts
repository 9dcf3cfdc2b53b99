import type { BodyOf, DeclaredMessage } from '../../protocol/message.ts';
import {
  ActionAbandoned,
  ActionAccepted,
  ActionCompleted,
  ActionInquired,
  AuthoriseAction,
  EndAction,
  ReceiptReady,
} from '../../protocol/messages/action.messages.ts';
import { Presence } from '../../protocol/messages/presence.messages.ts';
import { decide } from '../issuer/issuer.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/store.ts';
import { conduct, repeatFacts, type KeptDecision } from './action-conductor.ts';
import {
  findAction,
  findActionInProgress,
  listActionsInProgress,
  saveAction,
  type ActionRow,
} from './action.records.ts';
import { magicAmountsApply } from './magic-amounts.ts';
import { findAnyTerminal, setPresence, type TerminalRow } from './terminal.records.ts';

// An action that the server never heard of ends with a number above any that could have been seen for it.
const LAST_SEQ = 2 ** 31;

type Report = { actionId: string; seq: number };
type Handler<M extends DeclaredMessage> = (
  tx: Transaction,
  action: ActionRow,
  body: BodyOf<M>,
  terminal: TerminalRow,
) => Promise<void>;

/** What terminals report becomes facts of their actions. Reports of one terminal arrive one after another. */
export function listenToTerminals(services: Services): void {
  const { store, gateway, log } = services;

  /** Runs a report on the action it is about, unless it is a repeat or the action has ended. */
  function onReport<M extends DeclaredMessage>(message: M, handle: Handler<M>): void {
    gateway.onReport(message, (terminalId, body) =>
      store.transaction(async (tx) => {
        const { actionId, seq } = body as Report;
        const terminal = await findAnyTerminal(tx, terminalId);
        if (!terminal) return;
        const action = await findAction(tx, actionId);
        if (!action || action.terminal_id !== terminalId)
          return endUnknown(tx, services, terminalId, actionId);
        if (seq <= action.seen_seq) return;
        if (seq > action.seen_seq + 1)
          log.warn({ terminalId, actionId, seq, seen: action.seen_seq }, 'a gap in reports');
        const seen = { ...action, seen_seq: seq };
        await saveAction(tx, action, seen);
        if (action.status !== 'InProgress') return repeatFacts(tx, services, seen, terminal);
        await handle(tx, seen, body, terminal);
      }),
    );
  }

  onReport(ActionAccepted, async (tx, action) => {
    await conduct(tx, services, action, { type: 'action.accepted' });
  });

  onReport(AuthoriseAction, async (tx, action, body, terminal) => {
    // Asked again, the issuer is not: what it said is repeated.
    if (action.decision !== null) return repeatFacts(tx, services, action, terminal);
    const { card, verification } = body;
    const { settings, clock } = services;
    const decision = decide({
      actionId: action.id,
      amountMinor: action.amount_minor,
      card,
      verification,
      magicAmounts: magicAmountsApply({ serialNumber: terminal.serial_number, settings }),
      nowMs: clock.nowMs(),
    });
    const kept: KeptDecision = { decision, card };
    if (decision.outcome === 'approved')
      await conduct(tx, services, action, { type: 'issuer.approved' }, kept);
    else await conduct(tx, services, action, { type: 'issuer.declined', code: decision.code }, kept);
  });

  onReport(ReceiptReady, async (tx, action, body) => {
    await saveAction(tx, action, { ...action, receipt: JSON.stringify(body.receipt) });
  });

  onReport(ActionCompleted, async (tx, action, { failedCopies }) => {
    await conduct(tx, services, action, { type: 'action.completed', failedCopies });
  });

  onReport(ActionAbandoned, async (tx, action, { code }) => {
    await conduct(tx, services, action, { type: 'action.abandoned', code });
  });

  gateway.onReport(ActionInquired, (terminalId, body) =>
    store.transaction(async (tx) => {
      const terminal = await findAnyTerminal(tx, terminalId);
      if (terminal) await answerInquiry(tx, services, terminal, body);
    }),
  );

  gateway.onReport(Presence, async (terminalId, body) => {
    await store.transaction((tx) => setPresence(tx, terminalId, body));
    services.notices.tell({ kind: 'terminal.presence', terminalId, online: body.online });
  });
}

/** A terminal that came back asks what became of its action (docs/protocol.md). */
async function answerInquiry(
  tx: Transaction,
  services: Services,
  terminal: TerminalRow,
  body: BodyOf<typeof ActionInquired>,
): Promise<void> {
  const current = await findActionInProgress(tx, terminal.id);
  if (body.actionId !== undefined && body.actionId !== current?.id) {
    const asked = await findAction(tx, body.actionId);
    if (asked?.terminal_id === terminal.id)
      await repeatFacts(tx, services, seenBy(asked, body.seq), terminal);
    else endUnknown(tx, services, terminal.id, body.actionId);
  }
  if (!current) return;
  if (body.actionId === current.id) return repeatFacts(tx, services, seenBy(current, body.seq), terminal);
  if (current.phase === 'sent') return repeatFacts(tx, services, current, terminal);
  // The terminal began this action and does not know it any more: nobody can finish it.
  await conduct(tx, services, current, { type: 'action.abandoned', code: 'unexpected_error' });
}

function seenBy(action: ActionRow, seq: number): ActionRow {
  return { ...action, seen_seq: Math.max(action.seen_seq, seq) };
}

function endUnknown(tx: Transaction, services: Services, terminalId: string, actionId: string): void {
  const body: BodyOf<typeof EndAction> = {
    actionId,
    seq: LAST_SEQ,
    status: 'Failed',
    code: 'unexpected_error',
  };
  tx.afterCommit(() => void services.gateway.send(EndAction, terminalId, body));
}

/**
 * Repeats every action in progress to its terminal: a server that was killed between writing a decision and
 * sending it does not know which were sent.
 */
export async function repeatActionsInProgress(services: Services): Promise<void> {
  for (const { id } of await listActionsInProgress(services.store)) {
    await services.store.transaction(async (tx) => {
      const action = await findAction(tx, id);
      const terminal = action && (await findAnyTerminal(tx, action.terminal_id));
      if (action?.status === 'InProgress' && terminal) await repeatFacts(tx, services, action, terminal);
    });
  }
}
