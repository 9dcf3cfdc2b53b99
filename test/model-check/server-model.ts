import {
  ActionInquired,
  EndAction,
  SEQ_MAX,
  StartAction,
  UNKNOWN_ACTION_CODE,
} from '../../protocol/messages/action.messages.ts';
import { actionTransition } from '../../server/api/in-person/actions/action-transition.ts';
import type { ActionEvent, MoneyEffect } from '../../server/api/in-person/actions/action.machine.ts';
import type { StoredDecision, ActionRow } from '../../server/api/in-person/actions/action.records.ts';
import { isAtPaymentTerminal } from '../../server/api/in-person/actions/action.rules.ts';
import { settlementOf, type SettledOutcome } from '../../server/api/in-person/actions/settlement.rules.ts';
import {
  commandsToRepeat,
  messageOf,
  numbered,
  startMessage,
  type CommandMessage,
  type NumberedMessage,
} from '../../server/api/in-person/actions/command-messages.ts';
import {
  ANSWERED_REPORTS,
  answersToInquiry,
  eventOf,
  isRepeat,
} from '../../server/api/in-person/reports/report-answers.ts';
import { sessionStep, type SessionEvent } from '../../server/api/payments/payment-session.machine.ts';
import { jsonText } from '../../server/platform/store/json-text.ts';
import { actionIdOf, CHIP_RESPONSE, indexOfAction, NOW_MS } from './fixtures.ts';
import type { Packet } from './network.ts';
import { areAnswersRight, isAnswerRight } from './protocol-rules/answers.ts';
import { beginStep } from './places.ts';
import { isCancelRight, isSettlementRight } from './protocol-rules/at-payment-terminal.ts';
import { endsRightly } from './protocol-rules/ends-rightly.ts';
import {
  brokenServerRules,
  isConfirmationRight,
  isRepeatRight,
  isStartTrue,
} from './protocol-rules/server-rules.ts';
import { eventsOrRefusal, isOffered, type Confirmation } from './refusals.ts';
import type { Scenario } from './scenarios.ts';
import { currentAction, newAction, type ServerAction, type ServerState, type Tally } from './server-state.ts';

type Cardholder = NonNullable<Parameters<typeof startMessage>[1]['cardholder']>;

export type ServerInput =
  | { type: 'report'; packet: Packet; outcome: 'approved' | 'declined' }
  | { type: 'deadline' }
  | { type: 'cancel' }
  | { type: 'settle'; outcome: SettledOutcome }
  | { type: 'confirm'; confirmation: Confirmation }
  | { type: 'connect' }
  | { type: 'start'; cardholder?: Cardholder }
  /** An event of the machine by itself, in a state in which the rules around it would not let it through. */
  | { type: 'event'; event: ActionEvent };

interface ServerStep {
  after: ServerState;
  sent: Packet[];
  /** Whether the issuer was asked, so that the other outcome is a step too. */
  asked: boolean;
  broken: string[];
}

/** Takes one step of the server: its transaction, by the rules and machines of the real one. */
export function stepServer(before: ServerState, input: ServerInput, scenario: Scenario): ServerStep {
  beginStep();
  const transaction = new ServerTransaction(structuredClone(before), scenario);
  try {
    transaction.take(input);
  } catch (error) {
    // The transaction is undone, as in the store.
    const broken = [`noFault: ${error instanceof Error ? error.message : String(error)}`];
    return { after: before, sent: [], asked: false, broken };
  }
  const { state, sent, asked, broken } = transaction;
  return { after: state, sent, asked, broken };
}

class ServerTransaction {
  readonly state: ServerState;
  readonly sent: Packet[] = [];
  readonly broken: string[] = [];
  asked = false;
  readonly #scenario: Scenario;

  constructor(state: ServerState, scenario: Scenario) {
    this.state = state;
    this.#scenario = scenario;
  }

  take(input: ServerInput): void {
    const current = currentAction(this.state);
    switch (input.type) {
      case 'report':
        return this.#receive(input.packet, input.outcome);
      case 'deadline':
        return this.#apply(current!, { type: 'deadline.passed' });
      case 'settle':
        return this.#settle(current!, input.outcome);
      case 'cancel':
        if (!isCancelRight(current!.row, isAtPaymentTerminal(current!.row))) this.broken.push('cancelsRight');
        if (isAtPaymentTerminal(current!.row)) return undefined;
        current!.tally.cancelled = current!.row.type === 'Payment' || current!.row.decision === null;
        return this.#apply(current!, { type: 'action.cancelled' });
      case 'confirm':
        return this.#confirm(current!, input.confirmation);
      case 'connect':
        if (current) this.#repeat(current, true);
        return undefined;
      case 'start':
        return this.#start(input.cardholder);
      case 'event':
        current!.tally.confirmed.push(input.event.type);
        return this.#apply(current!, input.event);
    }
  }

  #start(cardholder: Cardholder | undefined): void {
    const index = this.state.actions.length;
    const action = newAction(index, this.#scenario);
    this.state.actions.push(action);
    this.#send(action, startMessage(action.row, { merchantName: 'Shop', cardholder }));
    if (!isStartTrue(action.row, this.sent, cardholder)) this.broken.push('commandsTrue');
  }

  #confirm(action: ServerAction, confirmation: Confirmation): void {
    const events = eventsOrRefusal(action.row, confirmation);
    if (!isConfirmationRight(action.row, confirmation, events)) this.broken.push('confirmationsRight');
    for (const event of events ?? []) {
      action.tally.confirmed.push(event.type);
      this.#apply(action, event);
    }
  }

  #settle(action: ServerAction, outcome: SettledOutcome): void {
    const isRefused = !isOffered(action.row);
    const settlement = settlementOf(outcome);
    const { event, ...facts } = settlement;
    if (!isSettlementRight(action.row, outcome, isRefused ? undefined : settlement))
      this.broken.push('settlesRight');
    if (isRefused) return;
    action.tally.settled = true;
    this.#apply(action, event, facts);
  }

  #receive(packet: Packet, outcome: 'approved' | 'declined'): void {
    const named = packet.action === null ? undefined : this.state.actions[packet.action];
    if (packet.name === ActionInquired.name) return this.#inquired(packet, named);
    if (!named) return this.#endUnknown(packet.action!);
    if (isRepeat(named.row, packet.seq) !== packet.seq <= named.row.seen_seq)
      this.broken.push('repeatsDropped');
    if (isRepeat(named.row, packet.seq)) return;
    named.row.seen_seq = packet.seq;
    const report = ANSWERED_REPORTS.find(({ message }) => message.name === packet.name)!;
    const answer = report.answer(named.row, JSON.parse(packet.body));
    if (!isAnswerRight(named, packet, answer)) this.broken.push('answersRight');
    switch (answer.type) {
      case 'applyEvent':
        note(named.tally, answer.event);
        if (answer.receipt) named.row.receipt = jsonText(answer.receipt);
        return this.#apply(named, answer.event, { reason: answer.reason });
      case 'authorise': {
        this.asked = true;
        named.tally.asked += 1;
        const { card, chip } = answer.request;
        const decision: StoredDecision['decision'] =
          outcome === 'approved'
            ? { outcome, authorisationCode: 'A1B2C3' }
            : { outcome, code: 'insufficient_funds' };
        const event = eventOf(decision);
        if (event.type !== `issuer.${outcome}`) this.broken.push('answersRight');
        return this.#apply(named, event, {
          storedDecision: { decision, card, ...(chip && { chip: CHIP_RESPONSE }) },
        });
      }
      case 'saveReceipt':
        named.row.receipt = jsonText(answer.receipt);
        if (answer.thenRepeat) this.#repeat(named, false);
        return undefined;
      case 'recordUnknown':
        named.tally.told = true;
        return this.#repeat(named, false);
      case 'repeatCommands':
        return this.#repeat(named, false);
    }
  }

  #inquired(packet: Packet, inquired: ServerAction | undefined): void {
    const actionId = packet.action === null ? {} : { actionId: actionIdOf(packet.action) };
    const rows = { inquired: inquired?.row, current: currentAction(this.state)?.row };
    const requested = JSON.parse(packet.body) as { requestedActionId?: string };
    const inquiry = { ...actionId, seq: packet.seq, ...requested };
    const answers = answersToInquiry(rows, inquiry);
    if (!areAnswersRight(rows, inquiry, answers)) this.broken.push('answersRight');
    for (const answer of answers) {
      if (answer.type === 'endUnknownAction') {
        this.#endUnknown(packet.action!);
        continue;
      }
      const action = this.state.actions[indexOfAction(answer.action.id)!]!;
      action.row = answer.action;
      if (answer.type === 'repeatCommands') this.#repeat(action, false);
      else if (answer.type === 'requestReport')
        this.#send(action, messageOf(action.row, { type: 'requestReport' }));
      else {
        note(action.tally, answer.event);
        this.#apply(action, answer.event, { reason: answer.reason });
      }
    }
  }

  #apply(
    action: ServerAction,
    event: ActionEvent,
    { storedDecision, reason }: { storedDecision?: StoredDecision; reason?: string | undefined } = {},
  ): void {
    const before = action.row;
    const sentBefore = this.sent.length;
    const money: string[] = [];
    const transition = actionTransition(before, unknownYet(event), {
      nowMs: NOW_MS,
      storedDecision,
      reason,
    });
    if (!endsRightly(before, transition?.after ?? before, event)) this.broken.push('endsRightly');
    if (transition) {
      action.row = transition.after;
      action.tally.atDevice ||= isAtPaymentTerminal(action.row);
      let seq = before.sent_seq;
      for (const effect of transition.effects) {
        if (effect.type === 'send') {
          seq += 1;
          if (effect.message.body.seq !== seq) this.broken.push('numbersCount');
          this.#sendNumbered(action, effect.message);
          continue;
        }
        money.push(effect.effect);
        this.#moveMoney(action, effect.effect);
      }
      if (action.row.sent_seq !== seq) this.broken.push('numbersCount');
    }
    const sent = this.sent.slice(sentBefore);
    this.broken.push(
      ...brokenServerRules({ before, after: action.row, event, money, sent, storedDecision, reason }),
    );
  }

  #repeat(action: ServerAction, requestReport: boolean): void {
    const sentBefore = this.sent.length;
    for (const command of commandsToRepeat(action.row, { requestReport })) {
      const isStart = command.type === 'sendStart';
      this.#send(
        action,
        isStart ? startMessage(action.row, { merchantName: 'Shop' }) : messageOf(action.row, command),
      );
    }
    if (!isRepeatRight(action, this.sent.slice(sentBefore), requestReport)) this.broken.push('repeatsRight');
  }

  #send(action: ServerAction, command: CommandMessage): void {
    const { messages, sentSeq } = numbered(action.row, [command]);
    action.row.sent_seq = sentSeq;
    for (const message of messages) this.#sendNumbered(action, message);
  }

  #sendNumbered(
    action: ServerAction,
    { message, body: { actionId: _actionId, seq, ...body } }: NumberedMessage,
  ): void {
    const packet = {
      name: message.name,
      action: indexOfAction(action.row.id),
      seq,
      body: JSON.stringify(body),
    };
    this.sent.push(packet);
  }

  #endUnknown(action: number): void {
    const body = JSON.stringify({ status: 'Failed', code: UNKNOWN_ACTION_CODE });
    this.sent.push({ name: EndAction.name, action, seq: SEQ_MAX, body });
  }

  #moveMoney(action: ServerAction, effect: MoneyEffect): void {
    const event = moneyEventOf(action.row, effect);
    const step = event && sessionStep(action.session, event);
    if (event && !step) throw new Error(`the payment session did not allow ${event.type}`);
    if (step) action.session = { ...action.session, ...step.context, phase: step.state };
    if (effect === 'approve') action.tally.authorised += 1;
    if (effect === 'capture') action.tally.captured += 1;
    if (effect === 'void') action.tally.voided += 1;
    if (effect === 'refund') action.tally.refunded += 1;
  }
}

/** The event of the payment session by which an effect moves its money, as settlement.ts applies it; none for no money. */
function moneyEventOf(
  { amount_minor: amountMinor }: ActionRow,
  effect: MoneyEffect,
): SessionEvent | undefined {
  const events: Record<MoneyEffect, SessionEvent | undefined> = {
    approve: { type: 'payment.approved' },
    decline: { type: 'payment.declined' },
    capture: { type: 'amount.captured', amountMinor, final: true },
    void: { type: 'payment.voided' },
    refund: { type: 'amount.refunded', amountMinor },
    failRefund: undefined,
  };
  return events[effect];
}

let events = 0;

/** Returns the event in a form that is new: the server keeps the steps of events, also when a mutant has changed them. */
function unknownYet(event: ActionEvent): ActionEvent {
  events += 1;
  return Object.assign({ number: events }, event);
}

function note(tally: Tally, event: ActionEvent): void {
  if (event.type === 'action.completed') tally.completed = true;
}

/** Whether a message starts an action, which a terminal ignores after it has expired. */
export function startsAction({ name }: Packet): boolean {
  return name === StartAction.name;
}
