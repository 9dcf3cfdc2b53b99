import { Fault, messageOf } from '../../protocol/failures.ts';
import type { Log } from '../../protocol/log.ts';
import type { DeviceApproval } from '../../protocol/messages/card-data.schema.ts';
import type { IssuerAnswer } from '../emv/completion.ts';
import type { CardRequest, DeviceReversal, Reader, ReaderEvent, ReversalOptions } from '../readers/reader.ts';

/** The reader during one action. Events before `begin` and after `end` are ignored. */
export interface ReaderSession {
  begin(request: CardRequest): void;
  /** Continues with a request that the reader was restored with; does nothing when it has none. */
  resume(request: CardRequest): void;
  /** Begins with a request that an earlier process has sent to a payment terminal. */
  findOutcome(request: CardRequest): void;
  sendToDevice(): void;
  /** The server has the report that the outcome is unknown. */
  unknownReported(): void;
  awaitCard(): void;
  awaitPin(): void;
  verifyPin(): void;
  completeCard(answer: IssuerAnswer): void;
  end(...options: Parameters<Reader['end']>): void;
}

/**
 * Creates a session. A reader that throws emits `reader.failed`, or `device.unknown` where it may have sent a request, and
 * does not stop the terminal.
 */
export function createReaderSession(
  { reader, log }: { reader: Reader; log: Log },
  emit: (event: ReaderEvent) => void,
): ReaderSession {
  const report = (event: ReaderEvent) => {
    // Of a card that is presented again the server gets no report, so log the reason.
    if ('reason' in event)
      log.warn({ reader: reader.name, event: event.type, reason: event.reason }, 'at the reader');
    emit(event);
  };
  let begun: object | undefined;
  const failed = (reason: string): ReaderEvent => ({ type: 'reader.failed', reason });
  const unknown = (reason: string): ReaderEvent => ({ type: 'device.unknown', reason });
  const attempt = (run: () => void, eventOf = failed) => {
    try {
      run();
    } catch (error) {
      report(eventOf(messageOf(error)));
    }
  };
  const whileBegun = (run: () => void) => () => {
    if (begun) attempt(run);
  };
  const reportOf = (session: object) => (event: ReaderEvent) => {
    if (begun === session) report(event);
  };
  return {
    begin(request) {
      const session = (begun = {});
      attempt(() => {
        reader.begin(request, reportOf(session));
        reader.awaitCard();
      });
    },
    resume(request) {
      const session = {};
      if (reader.resume?.(request, reportOf(session))) begun = session;
    },
    findOutcome(request) {
      const session = (begun = {});
      attempt(() => {
        reader.begin(request, reportOf(session));
        reader.findOutcome?.();
      }, unknown);
    },
    sendToDevice() {
      if (begun) attempt(() => reader.sendToDevice?.(), unknown);
    },
    unknownReported: whileBegun(() => reader.unknownReported?.()),
    awaitCard: whileBegun(() => reader.awaitCard()),
    awaitPin: whileBegun(() => reader.awaitPin()),
    verifyPin: whileBegun(() => reader.verifyPin()),
    completeCard(answer) {
      if (begun) attempt(() => reader.completeCard?.(answer));
    },
    end(...options) {
      if (!begun) return;
      begun = undefined;
      try {
        reader.end(...options);
      } catch {
        // The action is over, so the failure has no effect on it.
      }
    },
  };
}

/**
 * Reverses the approval of a payment terminal. Returns also where only a person can, which is reported.
 * @throws Fault `reader` when it fails.
 */
export async function reverseOnDevice(
  {
    reader,
    log,
    onReversal,
  }: { reader: Reader; log: Log; onReversal?: ((reversal: DeviceReversal) => void) | undefined },
  request: CardRequest,
  approval: DeviceApproval,
  options: ReversalOptions,
): Promise<void> {
  const { actionId, amountMinor, currency } = request;
  const { reference } = approval;
  const transaction = { actionId, reference, amountMinor, currency };
  try {
    if (!reader.reverse) throw new Fault('reader', `${reader.name} cannot reverse transactions`);
    const left = await reader.reverse(request, approval, options);
    if (left) {
      const reason = left.notReversed;
      log.error({ actionId, reference, reason }, 'the approval of the device has to be reversed by a person');
      return onReversal?.({ ...transaction, outcome: 'NotReversed', reason });
    }
  } catch (error) {
    const reason = messageOf(error);
    log.error({ actionId, reference, reason }, 'the approval of the device is not reversed yet');
    onReversal?.({ ...transaction, outcome: 'NotReversed', reason });
    throw error;
  }
  onReversal?.({ ...transaction, outcome: 'Reversed' });
}
