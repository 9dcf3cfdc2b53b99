import { delay } from '../../../protocol/clock.ts';
import { messageOf, Fault } from '../../../protocol/failures.ts';
import type { DriverParts } from '../driver.ts';
import type { CardRequest } from '../reader.ts';
import type { DeviceOutcome, TerminalSession } from '../till/language.ts';
import { unknown } from '../till/outcomes.ts';
import { openTerminalChannel } from '../till/terminal-port.ts';
import * as commands from './commands.ts';
import { createFrameParser } from './frame.ts';
import { createEcrLink, type EcrLink, type KnownSpan } from './link.ts';
import {
  amountIn,
  codeOf,
  keyOf,
  outcomeOf,
  readStatus,
  RESULT_CODES,
  type EcrStatus,
  type ResultKey,
} from './result.ts';

const LINE = { baudRate: 9_600 };
const STATUS_LIMIT_MS = 10_000;

/** Silence after which a result is not waited for any more. Progress of the terminal restarts it. */
const RESULT_SILENCE_MS = 90_000;

/** Between two questions for a result that did not come, and how often it is asked for. */
const ASK_AGAIN_MS = 10_000;
const ASK_TIMES = 12;

const ADVICE = 'compare the last transactions in the menu of the terminal';

type Parts = Pick<DriverParts, 'open' | 'clock' | 'trace' | 'allowRealTerminal'>;

/** What the driver keeps of a terminal between connections. */
export interface EcrMemory extends KnownSpan {
  /** The last result before the payment of an action; null when the terminal had none to show. */
  before?: { actionId: string; result: ResultKey | null };
}

function resultBefore({ before }: EcrMemory, actionId: string): ResultKey | null | undefined {
  return before?.actionId === actionId ? before.result : undefined;
}

/** A terminal that answered a status request. */
interface EcrConnection {
  readonly status: EcrStatus;
  readonly link: EcrLink;
  /** Returns the last result that the terminal stores; undefined when it shows none. @throws Fault `reader`. */
  readLast(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Connects to a terminal and reads its state. @throws Fault `reader` when it does not answer, or may not be used. */
export async function connectEcr(parts: Parts, memory: EcrMemory): Promise<EcrConnection> {
  const channel = await openTerminalChannel(parts, { settings: LINE, parser: createFrameParser() });
  const link = createEcrLink(channel, parts.clock, memory);
  try {
    const status = await readState(link, memory);
    return {
      status,
      link,
      async readLast() {
        const { terminalId } = status;
        const sent = await link.ask(commands.lastResult(terminalId));
        if (sent !== 'taken') return undefined;
        return link.receive(STATUS_LIMIT_MS, isResultOf(terminalId));
      },
      close: () => channel.close(),
    };
  } catch (error) {
    await channel.close();
    throw error;
  }
}

async function readState(link: EcrLink, memory: KnownSpan): Promise<EcrStatus> {
  const request = commands.status(commands.ANY_TERMINAL);
  let sent = await link.ask(request);
  if (sent === 'refused' && memory.span) {
    // What is known may come from an answer to an earlier message, or the terminal was set anew.
    delete memory.span;
    sent = await link.ask(request);
  }
  if (sent === 'refused')
    throw new Fault('reader', 'the terminal refuses every check byte (LRC) of the status request');
  const answer =
    sent === 'taken'
      ? await link.receive(STATUS_LIMIT_MS, (payload) => codeOf(payload, undefined) === 's')
      : undefined;
  if (answer === undefined) throw new Fault('reader', 'the terminal does not answer the status request');
  return readStatus(answer);
}

function isResultOf(terminalId: string): (payload: string) => boolean {
  return (payload) => RESULT_CODES.includes(codeOf(payload, terminalId) ?? '');
}

/** Connects to a terminal for one payment. @throws Fault `reader` when it takes none. */
export async function openEcrTerminal(parts: Parts, memory: EcrMemory): Promise<TerminalSession> {
  const connection = await connectEcr(parts, memory);
  try {
    const { problem } = connection.status;
    if (problem !== undefined) throw new Fault('reader', `the terminal takes no payments: ${problem}`);
    const last = await connection.readLast();
    return sessionOn(parts, { memory, connection, before: (last && keyOf(last)) || null });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

interface Opened {
  memory: EcrMemory;
  connection: EcrConnection;
  /** The last result before this connection; null when the terminal had none to show. */
  before: ResultKey | null;
}

function sessionOn(parts: Parts, { memory, connection, before }: Opened): TerminalSession {
  const { terminalId } = connection.status;
  let closed = false;
  return {
    async transact(request) {
      memory.before = { actionId: request.actionId, result: before };
      const outcome = await pay(connection, before, request).catch(
        (error: unknown): Pick<Lost, 'lost' | 'seen'> => ({ lost: messageOf(error) }),
      );
      if (!('lost' in outcome)) return outcome;
      await connection.close();
      return recover(parts, memory, { ...outcome, request, isOver: () => closed });
    },
    async reverse(_request, { reference }) {
      const stan = /^([0-9]{6})\//.exec(reference)?.[1];
      if (stan === undefined || stan === NO_STAN)
        return `'${reference}' is no transaction of an ECR17 terminal`;
      const { link } = connection;
      const sent = await link.send(commands.reversal(terminalId, stan));
      if (sent === 'refused') return 'the terminal refuses the reversal: reverse it at the terminal';
      const result = await link.receive(RESULT_SILENCE_MS, isNewResultOf(terminalId, before));
      if (result === undefined) return `the terminal does not report the reversal: ${ADVICE}`;
      return result.slice(10, 12) === '00'
        ? undefined
        : 'the terminal does not reverse it: reverse it at the terminal';
    },
    async findOutcome(request) {
      const { outcome } = await findLast(connection, resultBefore(memory, request.actionId), request);
      return outcome;
    },
    async close() {
      closed = true;
      await connection.close();
    },
  };
}

/** Sends a payment once it is taken, and returns its outcome, or why it is not known. @throws Fault when the line is lost. */
async function pay(
  { link, status: { terminalId } }: EcrConnection,
  before: ResultKey | null,
  { amountMinor }: CardRequest,
): Promise<DeviceOutcome | Pick<Lost, 'lost' | 'seen'>> {
  const isNew = isNewResultOf(terminalId, before);
  for (const code of ['X', 'P'] as const) {
    const sent = await link.send(commands.payment(code, terminalId, amountMinor));
    // A terminal that does not know the extended payment refuses it, and has done nothing.
    if (sent === 'refused') continue;
    if (sent === 'silent') return { lost: 'the terminal does not acknowledge the payment' };
    const result = await link.receive(RESULT_SILENCE_MS, isNew);
    if (result === undefined) return { lost: 'the terminal sends no result' };
    if (mayRepeat(result, before)) return { lost: 'the terminal sends an earlier result', seen: result };
    return outcomeOf(result, amountMinor);
  }
  return { type: 'failed', reason: 'the terminal refuses the payment (NAK)' };
}

/** Finds the result of a request. An earlier result comes again when its acknowledgement was lost. */
function isNewResultOf(terminalId: string, before: ResultKey | null): (payload: string) => boolean {
  const isResult = isResultOf(terminalId);
  return (payload) => isResult(payload) && !repeats(payload, before);
}

function repeats(payload: string, before: ResultKey | null): boolean {
  return before !== null && before.stan !== NO_STAN && keyOf(payload)?.key === before.key;
}

/**
 * Whether a result without a transaction may be the one from before the payment: it comes again where its acknowledgement
 * was lost, and has nothing that tells it from that of the payment.
 */
function mayRepeat(payload: string, before: ResultKey | null): boolean {
  return before?.stan === NO_STAN && keyOf(payload)?.key === before.key;
}

/** In a result without a transaction, such as that of a card that was not there. */
const NO_STAN = '000000';

interface Lost {
  request: CardRequest;
  lost: string;
  /** A result without a transaction that came, and may be of the payment. */
  seen?: string;
  isOver(): boolean;
}

/** How often a terminal that is idle has to show the same result without a transaction, to have charged nothing. */
const NOTHING_DONE_TIMES = 2;

/** Asks for the result of a payment whose connection was lost, until it is there. */
async function recover(
  parts: Parts,
  memory: EcrMemory,
  { request, lost, seen, isOver }: Lost,
): Promise<DeviceOutcome> {
  let outcome: DeviceOutcome = { type: 'unknown', reason: `${lost}: ${ADVICE}` };
  let nothingDone = 0;
  for (let times = 0; times < ASK_TIMES && !isOver(); times += 1) {
    await delay(parts.clock, ASK_AGAIN_MS);
    const asked = await askOnce(parts, memory, request).catch((error: unknown) => ({
      last: undefined,
      outcome: unknown(`${messageOf(error)}: ${ADVICE}`),
    }));
    ({ outcome } = asked);
    if (outcome.type !== 'unknown') return outcome;
    nothingDone = seen !== undefined && asked.last === seen ? nothingDone + 1 : 0;
    if (seen !== undefined && nothingDone === NOTHING_DONE_TIMES) return outcomeOf(seen, request.amountMinor);
  }
  return outcome;
}

async function askOnce(parts: Parts, memory: EcrMemory, request: CardRequest): Promise<LastResult> {
  const connection = await connectEcr(parts, memory);
  try {
    return await findLast(connection, resultBefore(memory, request.actionId), request);
  } finally {
    await connection.close();
  }
}

const STANS = 1_000_000;

/** The last result of a terminal, and what it says of a payment. */
interface LastResult {
  last: string | undefined;
  outcome: DeviceOutcome;
}

async function findLast(
  connection: EcrConnection,
  before: ResultKey | null | undefined,
  request: CardRequest,
): Promise<LastResult> {
  const last = await connection.readLast();
  return { last, outcome: outcomeInLast(last, before, request) };
}

/**
 * Returns the outcome of a payment as the last result of the terminal shows it. A result names no request, so it counts only
 * where it is the next after the last one before the payment; an approval also has to have its amount.
 */
function outcomeInLast(
  last: string | undefined,
  before: ResultKey | null | undefined,
  { amountMinor }: CardRequest,
): DeviceOutcome {
  const found = last && keyOf(last);
  if (!last || !found) return unknown(`the terminal shows no last result: ${ADVICE}`);
  if (!before) return unknown(`what the terminal had done before is not known: ${ADVICE}`);
  if (found.key === before.key) return unknown(`the last result of the terminal is an older one: ${ADVICE}`);
  if (Number(found.stan) !== (Number(before.stan) + 1) % STANS)
    return unknown(`the terminal has done more than this payment: ${ADVICE}`);
  const outcome = outcomeOf(last, amountMinor);
  if (outcome.type === 'approved' && amountIn(last) === undefined)
    return unknown(`the last result of the terminal has no amount: ${ADVICE}`);
  return outcome;
}
