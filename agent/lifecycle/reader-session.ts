import { messageOf } from '../../protocol/failures.ts';
import type { CardRequest, IssuerAnswer, Reader, ReaderFact } from '../readers/reader.ts';

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
export function readerSession(reader: Reader, report: (fact: ReaderFact) => void): ReaderSession {
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
