import type { CutPointName } from '../../server/platform/faults/cut-points.ts';
import { faultWords } from '../../server/platform/faults/fault-words.ts';
import type { PlannedFault } from '../../server/platform/faults/fault-plan.schema.ts';
import type { Json, Teller } from './story.ts';
import type { Backstage } from './stage.ts';

/** A fault of the plan that struck. */
export interface Strike {
  /** Index of the fault in the plan. */
  fault: number;
  at: CutPointName;
  what: string;
  subject: string;
  text: string;
}

interface Observer {
  /** Tells what struck and what the terminal did since the last time. */
  observe(): Promise<void>;
  strikes: Strike[];
}

/** What of the sandbox a fault strikes, before its subject. */
const STRUCK: Record<CutPointName, string> = {
  'api.request': 'the request',
  'api.reply': 'the reply to',
  'message.command': 'the message',
  'message.report': 'the message',
  'terminal.state': 'the terminal in',
  'terminal.effect': 'the terminal at',
  'server.commit': 'the commit of',
  'webhook.attempt': 'the event',
};

const STATES: Record<string, string> = {
  awaitingCard: 'asks for a card',
  authorising: 'has read the card, and asks for the approval',
  approved: 'is told that the payment is approved',
  cancelling: 'is told that the payment is cancelled',
};

/** Watches a sandbox by its plan of faults and the terminal of the drill. */
export function createObserver(
  backstage: Backstage,
  planId: string,
  terminalId: string | undefined,
  tell: (who: Teller, text: string) => void,
): Observer {
  const strikes: Strike[] = [];
  let before: Json = { online: true, state: null, action: null };
  let observing = Promise.resolve();

  async function look(): Promise<void> {
    const plan = await backstage('GET', `/sandbox/faults/${planId}`);
    for (const { fault, what, subject } of plan.strikes.slice(strikes.length)) {
      const planned = plan.faults[fault] as PlannedFault;
      const { at } = planned;
      const text = `${STRUCK[at]} ${subject}: ${faultWords(planned).what}`;
      strikes.push({ fault, at, what, subject, text });
      tell('fault', text);
    }
    if (terminalId === undefined) return;
    const now = await backstage('GET', `/sandbox/terminals/${terminalId}`);
    for (const text of changesOf(before, now)) tell('terminal', text);
    before = now;
  }

  return {
    strikes,
    // One after the other, so that nothing is told twice.
    observe: () => (observing = observing.then(look)),
  };
}

function changesOf(before: Json, now: Json): string[] {
  const state = (terminal: Json) => terminal.state?.split('.')[0];
  const isNew = state(now) !== state(before) || now.action?.id !== before.action?.id;
  const ended = now.action && now.action.status !== 'InProgress';
  const hasEnded = ended && (now.action.id !== before.action?.id || before.action.status === 'InProgress');
  return [
    ...(isNew && STATES[state(now)] ? [STATES[state(now)]!] : []),
    ...(now.online === before.online ? [] : [now.online ? 'is online again' : 'is offline']),
    ...(hasEnded ? [`the payment on it has ended: ${now.action.status}`] : []),
  ];
}
