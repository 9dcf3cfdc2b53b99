import type { HolderVerification } from './cardholder-verification.ts';
import type { DataStore } from './data-store.ts';
import type { Transaction } from './terminal.ts';
import type { CardConnection } from './card-connection.ts';

/** Input of a contactless kernel: the card with its selected application, and the terminal and card data. */
export interface TapParts {
  connection: CardConnection;
  store: DataStore;
  transaction: Transaction;
  /** Called when the card has been read. Returns why it may not be used, or undefined. */
  refusalReason(store: DataStore): string | undefined;
}

/** Outcome of a tap. The card can be removed: the rest of the transaction does not need it. */
export type TapOutcome =
  | {
      outcome: 'online';
      store: DataStore;
      holder: HolderVerification['method'];
      /** A consumer device such as a phone or watch, with a CVM of its own (CDCVM). */
      isPhone: boolean;
    }
  | { outcome: 'declined'; reason: string };

/** A contactless kernel. Returns undefined when the next application is to be selected (Select Next). */
export type ContactlessKernel = (parts: TapParts) => Promise<TapOutcome | undefined>;
