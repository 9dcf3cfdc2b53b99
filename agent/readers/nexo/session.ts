import { createHash } from 'node:crypto';
import { delay, type Clock } from '../../../protocol/clock.ts';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { DriverParts } from '../driver.ts';
import type { CardRequest } from '../reader.ts';
import type { DeviceOutcome, TerminalSession } from '../till/language.ts';
import { openTerminalChannel } from '../till/terminal-port.ts';
import { createHttpParser, encodeHttpRequest } from './http.ts';
import { memberAt, textAt, type NexoCodec, type NexoRequest } from './message.ts';
import { decimalOf, isOpen, outcomeOf, statusIn } from './outcome.ts';

const ANSWER_LIMIT_MS = 20_000;

/** A payment that has not answered by then is asked for. */
const PAYMENT_LIMIT_MS = 120_000;

/** Between two questions for a payment, and how often it is asked for. */
const ASK_AGAIN_MS = 5_000;
const ASK_TIMES = 120;

/** A terminal has to say twice that it never received a payment. */
const NEVER_RECEIVED_TIMES = 2;

const ADVICE = 'look it up in the transactions of the terminal';

interface NexoParts extends Pick<DriverParts, 'open' | 'clock' | 'trace' | 'allowRealTerminal'> {
  codec: NexoCodec;
  /** Name of the terminal for HTTP. */
  host: string;
}

/** Sends a request on a connection of its own, and returns the content of its response. @throws Fault `reader`. */
async function askNexo(
  parts: NexoParts,
  request: NexoRequest,
  limitMs = ANSWER_LIMIT_MS,
): Promise<Record<string, unknown>> {
  const { codec, clock, host } = parts;
  const parser = createHttpParser();
  const channel = await openTerminalChannel(parts, { settings: { baudRate: 9_600 }, parser });
  try {
    await channel.send(encodeHttpRequest(host, codec.encode(request)));
    const endMs = clock.nowMs() + limitMs;
    const reply = await channel.receive(endMs - clock.nowMs()).catch((error: unknown) => {
      // A reply without a length ends with the connection.
      const whole = parser.end();
      if (whole) return whole;
      throw error;
    });
    if (!reply) throw new Fault('reader', 'the terminal does not answer');
    if (reply.type === 'broken') throw new Fault('reader', reply.reason);
    if (reply.status !== 200) throw new Fault('reader', httpError(reply));
    return codec.decode(reply.body, request);
  } finally {
    await channel.close();
  }
}

const ERROR_LETTERS_MAX = 80;

/** Returns the words of an HTTP error, such as those of a terminal that cannot decrypt the message. */
function httpError({ status, body }: { status: number; body: string }): string {
  const [, words] = /"errors"\s*:\s*\[\s*"([ !#-[\]-~]*)"/.exec(body.slice(0, 1_000)) ?? [];
  const answer = `the terminal answers HTTP ${status}`;
  return words ? `${answer}: ${words.slice(0, ERROR_LETTERS_MAX)}` : answer;
}

/** Checks that a terminal answers and is idle. @throws Fault `reader`. */
export async function requireReady(parts: NexoParts, serviceId: string): Promise<void> {
  const response = await askNexo(parts, {
    category: 'Diagnosis',
    serviceId,
    body: { HostDiagnosisFlag: false },
  });
  const status = textAt(response, 'POIStatus', 'GlobalStatus');
  if (textAt(response, 'Response', 'Result') !== 'Success' || status !== 'OK')
    throw new Fault('reader', `the terminal is not ready: ${status ?? 'it reports no GlobalStatus'}`);
}

/** Connects to a terminal for one payment. @throws Fault `reader` when it is not ready. */
export async function openNexoTerminal(
  parts: NexoParts,
  newServiceId: () => string,
): Promise<TerminalSession> {
  await requireReady(parts, newServiceId());
  return nexoSession(parts, newServiceId);
}

/** Creates a session. Each message has a connection of its own, so a terminal that is not there yet is asked again. */
export function nexoSession(parts: NexoParts, newServiceId: () => string): TerminalSession {
  let closed = false;
  const isOver = () => closed;
  return {
    async transact(request) {
      try {
        const response = await askNexo(parts, paymentOf(parts.clock, request), PAYMENT_LIMIT_MS);
        if (!isOpen(response)) return outcomeOf(response, request);
        return await recover(parts, { request, newServiceId, isOver, lost: 'the payment is still open' });
      } catch (error) {
        return await recover(parts, { request, newServiceId, isOver, lost: messageOf(error) });
      }
    },
    findOutcome: (request) =>
      recover(parts, {
        request,
        newServiceId,
        isOver,
        lost: 'the agent restarted before the terminal answered',
      }),
    async reverse(request, { reference }) {
      const payment = await statusOf(parts, request, newServiceId());
      const id = payment.state === 'ended' && memberAt(payment.response, 'POIData', 'POITransactionID');
      if (!id || textAt(id, 'TransactionID') !== reference)
        return 'the terminal does not show the payment any more: reverse it there, or at the acquirer';
      return reverseOnce(parts, id, serviceIdOf(`${request.actionId} reversal`));
    },
    async close() {
      closed = true;
    },
  };
}

async function reverseOnce(parts: NexoParts, id: unknown, serviceId: string): Promise<string | undefined> {
  const body = { OriginalPOITransaction: { POITransactionID: id }, ReversalReason: 'MerchantCancel' };
  try {
    const response = await askNexo(parts, { category: 'Reversal', serviceId, body }, PAYMENT_LIMIT_MS);
    if (textAt(response, 'Response', 'Result') === 'Success') return undefined;
    const condition = textAt(response, 'Response', 'ErrorCondition') ?? 'no ErrorCondition';
    return `${condition}: reverse it at the terminal, or at the acquirer`;
  } catch (error) {
    // The request may have arrived, whatever failed.
    return `${messageOf(error)}: whether it is reversed is not known`;
  }
}

/** Returns the number of the payment of an action, the same in each process: it asks for the outcome by it. */
function serviceIdOf(text: string): string {
  const digits = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
    .toString(36)
    .toUpperCase();
  return digits.slice(-SERVICE_ID_LETTERS);
}

const SERVICE_ID_LETTERS = 10;

function paymentOf(clock: Clock, { actionId, type, amountMinor, currency }: CardRequest): NexoRequest {
  return {
    category: 'Payment',
    serviceId: serviceIdOf(actionId),
    body: {
      SaleData: {
        SaleTransactionID: { TransactionID: actionId, TimeStamp: new Date(clock.nowMs()).toISOString() },
      },
      PaymentTransaction: { AmountsReq: { Currency: currency, RequestedAmount: decimalOf(amountMinor) } },
      ...(type === 'Refund' && { PaymentData: { PaymentType: 'Refund' } }),
    },
  };
}

async function statusOf(parts: NexoParts, { actionId }: CardRequest, serviceId: string) {
  const MessageReference = {
    MessageCategory: 'Payment',
    SaleID: parts.codec.saleId,
    ServiceID: serviceIdOf(actionId),
  };
  const request: NexoRequest = { category: 'TransactionStatus', serviceId, body: { MessageReference } };
  return statusIn(await askNexo(parts, request));
}

interface Lost {
  request: CardRequest;
  newServiceId(): string;
  isOver(): boolean;
  lost: string;
}

/** Asks for the outcome of a payment until the terminal says it. The payment is not sent again. */
async function recover(
  parts: NexoParts,
  { request, newServiceId, isOver, lost }: Lost,
): Promise<DeviceOutcome> {
  let reason = lost;
  let neverReceived = 0;
  for (let times = 0; times < ASK_TIMES && !isOver(); times += 1) {
    await delay(parts.clock, ASK_AGAIN_MS);
    const answer = await statusOf(parts, request, newServiceId()).catch((error: unknown) => ({
      state: 'unclear' as const,
      reason: messageOf(error),
    }));
    if (answer.state === 'neverReceived') neverReceived += 1;
    else neverReceived = 0;
    if (neverReceived === NEVER_RECEIVED_TIMES)
      return { type: 'failed', reason: `the terminal never received the payment: ${lost}` };
    if (answer.state === 'unclear') reason = answer.reason;
    if (answer.state === 'ended') return outcomeOf(answer.response, request);
  }
  return { type: 'unknown', reason: `${reason}: ${ADVICE}` };
}
