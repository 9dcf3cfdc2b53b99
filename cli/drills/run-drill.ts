import { takesTime, type CutPointName } from '../../server/platform/faults/cut-points.ts';
import { delayOf } from '../../server/platform/faults/fault-plans.ts';
import { faultWords } from '../../server/platform/faults/fault-words.ts';
import type { ShopOrder } from '../../world/verdicts/hunt-facts.ts';
import type { Drill } from './drill.ts';
import { callPerson } from './settling-person.ts';
import { judge, knownIn, type Judgement, type Known } from './judge.ts';
import type { Step, Teller, Stage, Json, Backstage } from './stage.ts';
import type { PlannedFault } from '../../server/platform/faults/fault-plan.schema.ts';

/** What came of a drill. */
export interface DrillResult extends Judgement {
  steps: Step[];
  /** Faults of the plan that struck, in order. */
  strikes: Strike[];
  /** What the books say; undefined when nobody says. */
  orders: readonly ShopOrder[] | undefined;
  /** Why it cannot be said that nothing was lost; null when it can, or when money was lost. */
  inconclusive: string | null;
}

/** What is left to ask of an integration that has sold. */
interface Sold {
  /** Reads what its books say; resolves with undefined when nobody says. */
  readBooks(): Promise<readonly ShopOrder[] | undefined>;
  /** Why what it did proves nothing, such as an exit code that is not 0. */
  failure?: string;
}

export interface DrillParts {
  stage: Stage;
  /** Of a simulated terminal that is online; undefined for a drill without one. */
  terminalId: string | undefined;
  /** Whether the sandbox was created for the drill, and is no fork. */
  isNew: boolean;
  /** Called with each line of the story as it happens. */
  onStep?(step: Step): void;
}

/** A drill whose plan is on the sandbox. */
export interface RunningDrill {
  tell(who: Teller, text: string): void;
  /** Tells what struck and what the terminal did since the last time. */
  observe(): Promise<void>;
  /** Waits; what happens meanwhile is told. */
  sleep(ms: number): Promise<void>;
  /** Faults of the plan that have struck. */
  strikes: readonly Strike[];
  /** Sets what the cardholder does at the terminal, and after how long. */
  cardholder(script: string, delayMs: number): Promise<void>;
}

const NOTHING: Known = new Set();
const POLL_MS = 250;
const CARDHOLDER_MS = 500;
// Longer than a simulated cardholder and a printer take together.
const IDLE_MS_MAX = 10_000;
const SETTLED_MS_MAX = 5_000;
// Longer than all attempts of a webhook take, in steps no longer than the pause between two.
const QUIET_STEPS = 7;
const QUIET_STEP_SECONDS = 600;

/**
 * Puts the plan of a drill on its sandbox, lets an integration sell, lets all deadlines pass, and judges.
 * @param sell resolves when the integration has sold
 */
export async function runDrill(
  name: string,
  drill: Drill,
  { stage, terminalId, isNew, onStep }: DrillParts,
  sell: (running: RunningDrill) => Promise<Sold>,
): Promise<DrillResult> {
  const { backstage } = stage;
  // To read it takes requests that the shop would lack by the rate limit.
  const known = isNew ? NOTHING : await knownIn(backstage);
  const steps: Step[] = [];
  const tell = (who: Teller, text: string) => {
    steps.push({ who, text });
    onStep?.({ who, text });
  };
  const cardholder: RunningDrill['cardholder'] = (script, delayMs) =>
    backstage('POST', `/sandbox/terminals/${terminalId}/cardholder`, { script, delayMs });
  if (terminalId !== undefined) await cardholder('tap', CARDHOLDER_MS);
  const plan = { title: `drill ${name}`, seed: name, faults: drill.faults };
  const { id: planId } = await backstage('POST', '/sandbox/faults', plan);
  const { observe, strikes } = createObserver(backstage, planId, terminalId, tell);
  const sleep = sleeper(stage, observe);
  const person = callPerson({ stage, terminalId, settledAs: drill.settledAs, tell });
  let sold: Sold;
  try {
    sold = await sell({ tell, observe, sleep, strikes, cardholder });
    // What faults delay, what is under way at the terminal, deadlines and attempts of webhooks are still to come. The clock
    // would end a payment whose card is not tapped yet.
    await sleep(Math.max(0, ...drill.faults.filter(({ at, what }) => takesTime(at, what)).map(delayOf)));
    if (terminalId !== undefined) await untilIdle(stage, terminalId, sleep);
  } finally {
    await person.leave();
  }
  for (let step = 0; step < QUIET_STEPS; step += 1) {
    await stage.advance(QUIET_STEP_SECONDS);
    await sleep(POLL_MS);
  }
  const orders = await sold.readBooks();
  const judgement = await settledJudgement(stage, known, orders);
  const inconclusive =
    judgement.verdict === null ? whyInconclusive(drill, strikes, judgement, sold.failure) : null;
  return { steps, strikes, orders, ...judgement, inconclusive };
}

/** Returns why a drill in which no money was lost shows nothing; null when each of its faults struck a sale. */
function whyInconclusive(
  { faults }: Drill,
  strikes: readonly Strike[],
  { payments }: Judgement,
  failure: string | undefined,
): string | null {
  if (failure !== undefined) return failure;
  if (payments.length === 0) return 'nothing was sold: no payment was created in the sandbox of the drill';
  const missed = faults.filter((_, index) => !strikes.some(({ fault }) => fault === index));
  if (missed.length === 0) return null;
  const words = missed.map(faultWords).map(({ where, which }) => `${where}: ${which}`);
  return `a fault of the drill never struck, so that nothing was tested: ${words.join('; ')}`;
}

/** Waits until no action is in progress at the terminal, or it has waited long enough for one that only a deadline ends. */
async function untilIdle(
  { backstage }: Stage,
  terminalId: string,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < IDLE_MS_MAX; waitedMs += POLL_MS) {
    const { action } = await backstage('GET', `/sandbox/terminals/${terminalId}`);
    if (action?.status !== 'InProgress') return;
    await sleep(POLL_MS);
  }
}

/** Judges once nothing is under way any more, or it has waited long enough for that. */
async function settledJudgement(
  { backstage, sleep }: Stage,
  known: Known,
  orders: readonly ShopOrder[] | undefined,
): Promise<Judgement> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const { isSettled, ...judgement } = await judge(backstage, known, orders);
    if (isSettled || waitedMs >= SETTLED_MS_MAX) return judgement;
    await sleep(POLL_MS);
  }
}

/** Waits in short steps, so that what happens meanwhile is told when it happens. */
function sleeper(stage: Stage, observe: () => Promise<void>): (ms: number) => Promise<void> {
  return async (ms) => {
    for (let left = ms; left > 0; left -= POLL_MS) {
      await stage.sleep(Math.min(POLL_MS, left));
      await observe();
    }
  };
}

/** A fault of the plan that struck. */
interface Strike {
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
  'device.message': 'the message of the payment terminal at',
  'device.charged': 'the answer of the payment terminal at',
  'server.commit': 'the commit of',
  'webhook.attempt': 'the event',
  'bank.authorisation': 'the bank at',
  'bank.renewal': 'the bank at',
  'bank.settlement': 'what was accepted by',
  'bank.payout': 'the bank at',
  'bank.dispute': 'the card scheme at',
  'cardholder.card': 'the cardholder at',
  'cardholder.pin': 'the cardholder at',
  'cardholder.challenge': 'the cardholder at',
};

const STATES: Record<string, string> = {
  awaitingCard: 'asks for a card',
  authorising: 'has read the card, and asks for the approval',
  approved: 'is told that the payment is approved',
  atDevice: 'has the payment terminal take the payment',
  outcomeUnknown: 'does not know what came of the payment',
  cancelling: 'is told that the payment is cancelled',
};

/** Watches a sandbox by its plan of faults and the terminal of the drill. */
function createObserver(
  backstage: Backstage,
  planId: string,
  terminalId: string | undefined,
  tell: (who: Teller, text: string) => void,
): Observer {
  const strikes: Strike[] = [];
  let before: Json = { online: true, state: null, action: null };
  let observing = Promise.resolve();

  async function check(): Promise<void> {
    const plan = await backstage('GET', `/sandbox/faults/${planId}`);
    for (const { fault, what, subject } of plan.strikes.slice(strikes.length)) {
      const planned: PlannedFault = plan.faults[fault];
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
    observe: () => (observing = observing.then(check)),
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
