import type { IssuerAnswer } from '../../../agent/emv/completion.ts';
import { runContactKernel, type ContactOutcome } from '../../../agent/emv/contact-kernel.ts';
import type { DataStore } from '../../../agent/emv/data-store.ts';
import type { Transaction } from '../../../agent/emv/terminal.ts';
import type { Random } from '../../../protocol/ids.ts';
import type { CardConnection } from '../../../agent/emv/card-connection.ts';
import { RESULT } from './frames.ts';

/** A contact transaction in the three commands of the host (8.4.2). */
export interface ContactTransaction {
  /** Up to the records of the card. @throws CardError, CardLostError. */
  start(): Promise<ContactStep>;
  /** Up to the first cryptogram. @throws CardError, CardLostError. */
  authenticate(): Promise<ContactStep>;
  /** Up to the end. @throws CardError, CardLostError. */
  complete(answer: IssuerAnswer | undefined): Promise<ContactStep>;
}

/** Where a command has brought the transaction. */
export interface ContactStep {
  /** Result code (DFEE25). */
  code: number;
  store: DataStore | undefined;
}

interface ContactParts {
  connection: CardConnection;
  transaction: Transaction;
  random: Random;
  /** The digits that the holder types at the host; none of an online PIN, which the host keeps. */
  requestPin(isOnline: boolean): Promise<string>;
}

const CVM_ONLINE_PIN = 0x02;

/** Runs the agent's kernel and pauses it twice: after the records are read, and after the first cryptogram. */
export function createContactTransaction(parts: ContactParts): ContactTransaction {
  const { transaction, random, requestPin } = parts;
  const records = signal<DataStore>();
  const authenticated = signal<void>();
  const cryptogram = signal<DataStore>();
  const answered = signal<IssuerAnswer | undefined>();
  let held = false;
  let store: DataStore | undefined;

  const connection: CardConnection = {
    ...parts.connection,
    async transceive(command) {
      if (held) await authenticated.promise;
      return parts.connection.transceive(command);
    },
  };
  const kernel = runContactKernel(connection, transaction, {
    random,
    refusalReason(read) {
      store = read;
      held = true;
      records.give(read);
      return undefined;
    },
    async requestPin(asked) {
      await authenticated.promise;
      const isOnline = ((asked.get('9F34')?.[0] ?? 0) & 0x3f) === CVM_ONLINE_PIN;
      return requestPin(isOnline);
    },
    pinRejected() {},
    async goOnline(made) {
      cryptogram.give(made);
      return answered.promise;
    },
    submitCard() {},
  });
  kernel.catch(() => {});

  return {
    async start() {
      const read = await Promise.race([records.promise, kernel.then(() => store)]);
      return { code: RESULT.started, store: read };
    },
    async authenticate() {
      authenticated.give();
      const over = kernel.then((outcome) => outcome);
      const made = await Promise.race([cryptogram.promise.then(() => 'online' as const), over]);
      return { code: made === 'online' ? RESULT.goOnline : RESULT.declinedOffline, store };
    },
    async complete(answer) {
      answered.give(answer);
      return { code: finalResult(await kernel, answer), store };
    },
  };
}

function finalResult({ outcome }: ContactOutcome, answer: IssuerAnswer | undefined): number {
  return outcome === 'completed' && answer?.outcome === 'approved' ? RESULT.approved : RESULT.declined;
}

function signal<T>(): { promise: Promise<T>; give(value: T): void } {
  let give!: (value: T) => void;
  const promise = new Promise<T>((resolve) => (give = resolve));
  return { promise, give };
}
