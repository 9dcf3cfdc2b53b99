import type { HolderVerification } from './cardholder-verification.ts';
import type { DataStore } from './data-store.ts';
import type { Transaction } from './terminal.ts';
import type { CardConnection } from './card-connection.ts';

/** What a kernel works with: the card, whose application it has just selected, and what is known. */
export interface TapParts {
  connection: CardConnection;
  store: DataStore;
  transaction: Transaction;
  /** The card has been read. Why it may not be used, if so. */
  refusalReason(store: DataStore): string | undefined;
}

/** What came of a tap. The card may go: what is still to be done is done without it. */
export type TapOutcome =
  | {
      outcome: 'online';
      store: DataStore;
      holder: HolderVerification['method'];
      /** A phone or a watch, which verifies its holder by itself. */
      isPhone: boolean;
    }
  | { outcome: 'declined'; reason: string };

/** A contactless kernel; undefined when the card does not want this application to be used (Select Next). */
export type ContactlessKernel = (parts: TapParts) => Promise<TapOutcome | undefined>;
