import { TVR } from '../../../agent/emv/bits.ts';
import { CardError, type CardConnection, type CardErrorReason } from '../../../agent/emv/card-connection.ts';
import type { DataStore } from '../../../agent/emv/data-store.ts';
import { holderVerification } from '../../../agent/emv/kernel-visa.ts';
import type { Transaction } from '../../../agent/emv/terminal.ts';
import { ERROR, RF_STATE } from './frames.ts';

const INSTRUCTION = { select: 0xa4, processingOptions: 0xa8, readRecord: 0xb2, generateCryptogram: 0xae };
const PROXIMITY_DIRECTORY = Buffer.from('2PAY.SYS.DDF01', 'latin1');
const NO_STATUS_WORDS = Uint8Array.of(0x00, 0x00);

/** Tracks the last command to a card and its response, for the failure result. */
export interface CardFlow {
  connection: CardConnection;
  /** Error code, SW1, SW2, RF state of a transaction that ended by an error (table 8, table 9). */
  failure(error: unknown): Uint8Array;
  /** The same four bytes for a transaction that was declined before the authorisation request. */
  decline(store: DataStore, transaction: Transaction): Uint8Array;
}

/** Wraps a card connection to track the commands of one transaction. */
export function watchCardFlow(card: CardConnection): CardFlow {
  let command: Uint8Array = new Uint8Array(0);
  let statusWords: Uint8Array = NO_STATUS_WORDS;
  const report = (error: number) => {
    const state = card.technology === 'Contactless' ? stateOf(command) : RF_STATE.none;
    return Uint8Array.of(error, statusWords[0]!, statusWords[1]!, state);
  };
  return {
    connection: {
      ...card,
      async transceive(next) {
        command = next;
        statusWords = NO_STATUS_WORDS;
        const response = await card.transceive(next);
        statusWords = response.slice(-2);
        return response;
      },
    },
    failure: (error) =>
      report(error instanceof CardError ? (ERRORS[error.reason] ?? ERROR.generic) : ERROR.communication),
    decline: (store, transaction) => report(declineOf(command, store, transaction)),
  };
}

const ERRORS: Partial<Record<CardErrorReason, number>> = {
  status_words: ERROR.cardStatus,
  conditions_not_satisfied: ERROR.cardStatus,
  no_application: ERROR.unsupportedCard,
  not_supported: ERROR.unsupportedCard,
  card_blocked: ERROR.cardBlocked,
  missing_data: ERROR.dataMissing,
  other_interface: ERROR.useContact,
};

function declineOf(command: Uint8Array, store: DataStore, transaction: Transaction): number {
  if (isRequestForAac(command)) {
    return store.has(TVR.cardholderVerificationFailed) ? ERROR.holderVerification : ERROR.actionAnalysis;
  }
  if (isDeclinedByCard(store)) return ERROR.cardDeclined;
  // With an ARQC two reasons are left: a Visa card that cannot verify its holder, and a wrong signature.
  const isVisa = store.get('9F6C') !== undefined;
  const isUnverified = isVisa && holderVerification(store, transaction) === 'failed';
  return isUnverified ? ERROR.holderVerification : ERROR.signature;
}

/** Whether the card made an AAC (9F27, EMV 4.4 Book 3 §6.5.5.4). */
export function isDeclinedByCard(store: DataStore): boolean {
  const information = store.get('9F27')?.[0];
  return information !== undefined && (information & 0xc0) === 0x00;
}

/** GENERATE AC with P1 00: terminal action analysis has declined already. */
function isRequestForAac(command: Uint8Array): boolean {
  return command[1] === INSTRUCTION.generateCryptogram && (command[2]! & 0xc0) === 0x00;
}

function stateOf(command: Uint8Array): number {
  switch (command[1]) {
    case INSTRUCTION.select:
      return isDirectory(command) ? RF_STATE.directory : RF_STATE.select;
    case INSTRUCTION.processingOptions:
      return RF_STATE.processingOptions;
    case INSTRUCTION.readRecord:
      return RF_STATE.readRecord;
    case INSTRUCTION.generateCryptogram:
      return RF_STATE.generateCryptogram;
    default:
      return RF_STATE.none;
  }
}

function isDirectory(command: Uint8Array): boolean {
  return Buffer.from(command.subarray(5, 5 + PROXIMITY_DIRECTORY.length)).equals(PROXIMITY_DIRECTORY);
}
