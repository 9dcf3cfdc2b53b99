import { abort } from './commands.ts';
import { CONTROL, type Apdu } from './frame.ts';
import { isAnswer, POSITIVE, refusal, REFUSAL_CLASS, type TransportLayer } from './transport-layer.ts';
import { ABORTED, FUNCTION_NOT_POSSIBLE } from './result-codes.ts';
import { parseStatusInformation, type TransactionStatus } from './status-information.ts';
import { isOneOf } from '../../../protocol/tables.ts';

/** T3: from a command to its response (PA00P016 §3.2.6). */
const ANSWER_LIMIT_MS = 5_000;

/** T4: longest time between two messages of a terminal during a command (PA00P016 §3.2.6). */
const WORK_LIMIT_MS = 180_000;

/** From an abort to the end of the aborted command. */
const ABORT_LIMIT_MS = 45_000;

/** Result of a command. `noResponse`: the terminal did not respond in time, so the result is unknown. */
export type CommandResult =
  | { type: 'completed'; data: Uint8Array }
  | { type: 'aborted'; code: number }
  | { type: 'refused'; code: number }
  | { type: 'noResponse' };

/** Receives the messages that the terminal sends during a command. Each is acknowledged before it is passed on. */
interface CommandListener {
  status?(status: TransactionStatus): void;
  print?(apdu: Apdu): void;
}

/** Asks a running command to abort. Unlike an AbortSignal it can be awaited. */
export interface AbortRequest {
  readonly requested: boolean;
  /** Resolves once the abort is requested. */
  readonly promise: Promise<void>;
  request(): void;
}

export function createAbortRequest(): AbortRequest {
  let requested = false;
  let resolve!: () => void;
  const promise = new Promise<void>((done) => (resolve = done));
  return {
    get requested() {
      return requested;
    },
    promise,
    request() {
      requested = true;
      resolve();
    },
  };
}

/**
 * Sends a command and waits until the terminal completes or aborts it (PA00P016 §4). The terminal is master
 * meanwhile: each message that it sends is acknowledged with 80 00 00.
 * @param stop sends an abort (06 B0) when requested; the terminal still decides the result.
 * @throws Fault `reader` when the connection is lost.
 */
export async function exchangeCommand(
  transport: TransportLayer,
  command: Apdu,
  listener: CommandListener = {},
  stop?: AbortRequest,
): Promise<CommandResult> {
  await transport.send(command);
  for (;;) {
    const answer = await transport.next(ANSWER_LIMIT_MS);
    if (!answer) return { type: 'noResponse' };
    if (isAnswer(answer)) {
      const refused = answer.control >> 8 === REFUSAL_CLASS && (answer.control & 0xff) !== 0;
      return refused
        ? { type: 'refused', code: answer.control & 0xff }
        : awaitCompletion(transport, listener, stop);
    }
    // A message of the previous command may still be in transit.
    const result = await handleMessage(transport, answer, listener);
    if (result) return result;
  }
}

/**
 * Handles messages of the terminal until it completes or aborts. Resolves with `noResponse` when `quietMs` pass
 * without a message.
 */
export async function awaitCompletion(
  transport: TransportLayer,
  listener: CommandListener,
  stop?: AbortRequest,
  quietMs: number = WORK_LIMIT_MS,
): Promise<CommandResult> {
  let aborting = false;
  for (;;) {
    if (stop?.requested && !aborting) {
      aborting = true;
      await transport.send(abort);
    }
    const limitMs = aborting ? Math.min(quietMs, ABORT_LIMIT_MS) : quietMs;
    const apdu = await transport.next(limitMs, aborting ? undefined : stop?.promise);
    if (!apdu && stop?.requested && !aborting) continue;
    if (!apdu) return { type: 'noResponse' };
    // Only the abort can be answered here. Whether it succeeds shows in the result.
    if (isAnswer(apdu)) continue;
    const result = await handleMessage(transport, apdu, listener);
    if (result) return result;
  }
}

const KNOWN_MESSAGES = [
  CONTROL.statusInformation,
  CONTROL.intermediateStatus,
  CONTROL.printLine,
  CONTROL.printTextBlock,
  CONTROL.completion,
  CONTROL.aborted,
];

async function handleMessage(
  transport: TransportLayer,
  apdu: Apdu,
  listener: CommandListener,
): Promise<CommandResult | undefined> {
  const { control, data } = apdu;
  const result = resultOf(apdu);
  try {
    await transport.send(isOneOf(KNOWN_MESSAGES, control) ? POSITIVE : refusal(FUNCTION_NOT_POSSIBLE));
  } catch (error) {
    // The result is valid even if its acknowledgement does not arrive.
    if (!result) throw error;
  }
  if (control === CONTROL.statusInformation)
    listener.status?.(parseStatusInformation(data, transport.characterSet));
  if (control === CONTROL.printLine || control === CONTROL.printTextBlock) listener.print?.(apdu);
  return result;
}

function resultOf({ control, data }: Apdu): CommandResult | undefined {
  if (control === CONTROL.completion) return { type: 'completed', data };
  if (control === CONTROL.aborted) return { type: 'aborted', code: data[0] ?? ABORTED };
  return undefined;
}
