import { Fault, messageOf } from '../../protocol/failures.ts';
import type { Log } from '../../protocol/log.ts';
import type { DeviceApproval } from '../../protocol/messages/action.messages.ts';
import type { CardRequest, IssuerAnswer, Reader, ReaderEvent } from '../readers/reader.ts';

/** The reader as one action sees it: facts that come before `begin` or after `end` are nobody's. */
export interface ReaderSession {
  begin(request: CardRequest): void;
  awaitCard(): void;
  awaitPin(): void;
  verifyPin(): void;
  completeCard(answer: IssuerAnswer): void;
  end(): void;
}

/** A reader that throws has failed: that is a fact like any other, and no reason to stop the terminal. */
export function readerSession(
  { reader, log }: { reader: Reader; log: Log },
  tell: (fact: ReaderEvent) => void,
): ReaderSession {
  const report = (fact: ReaderEvent) => {
    // The point of sale gets a code; why it was, people read in the log.
    if ('reason' in fact)
      log.warn({ reader: reader.name, fact: fact.type, reason: fact.reason }, 'at the reader');
    tell(fact);
  };
  let begun: object | undefined;
  const attempt = (run: () => void) => {
    try {
      run();
    } catch (error) {
      report({ type: 'reader.failed', reason: messageOf(error) });
    }
  };
  const whileBegun = (run: () => void) => () => {
    if (begun) attempt(run);
  };
  return {
    begin(request) {
      const mine = (begun = {});
      attempt(() => {
        reader.begin(request, (fact) => {
          if (begun === mine) report(fact);
        });
        reader.awaitCard();
      });
    },
    awaitCard: whileBegun(() => reader.awaitCard()),
    awaitPin: whileBegun(() => reader.awaitPin()),
    verifyPin: whileBegun(() => reader.verifyPin()),
    completeCard(answer) {
      if (begun) attempt(() => reader.completeCard?.(answer));
    },
    end() {
      if (!begun) return;
      begun = undefined;
      try {
        reader.end();
      } catch {
        // Its action is over: nobody is left whom the failure would concern.
      }
    },
  };
}

/**
 * Has a payment terminal take back what it authorised.
 * @throws Fault `reader` when it could not.
 */
export async function takeBack(
  { reader, log }: { reader: Reader; log: Log },
  request: CardRequest,
  approval: DeviceApproval,
): Promise<void> {
  try {
    if (!reader.reverse) throw new Fault('reader', `${reader.name} cannot take anything back`);
    await reader.reverse(request, approval);
  } catch (error) {
    const { actionId } = request;
    const { reference } = approval;
    log.error(
      { actionId, reference, reason: messageOf(error) },
      'a payment at the device is not taken back yet',
    );
    throw error;
  }
}
