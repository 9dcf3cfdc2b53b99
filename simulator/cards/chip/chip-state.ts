import type { Random } from '../../../protocol/ids.ts';
import type { IssuedChip } from '../issued-chip.ts';
import type { ChipCardProfile } from '../card-profile.ts';
import type { ApplicationImage } from './application.ts';
import type { ResponseApdu, Command } from './apdu.ts';
import type { CardTechnology } from '../../../agent/emv/card-connection.ts';

/** State that persists without power. */
export interface ChipMemory {
  /** 9F36 application transaction counter. */
  transactionCounter: number;
  /** 9F13 last online ATC register. */
  lastOnlineCounter: number;
  /** 9F17 */
  pinTriesLeft: number;
  applicationBlocked: boolean;
  cardBlocked: boolean;
}

/** A chip: its profile, keys and persistent state. */
export interface Chip {
  profile: ChipCardProfile;
  issued: IssuedChip;
  images: Partial<Record<CardTechnology, ApplicationImage>>;
  memory: ChipMemory;
  random: Random;
}

/** An entry of the application directory. */
export interface ListedApplication {
  aid: string;
  label: string;
  priority: number;
}

/** The cryptograms a card can make (EMV 4.4 Book 3 §6.5.5). */
export type CryptogramType = 'AAC' | 'TC' | 'ARQC';

/** A transaction, from GET PROCESSING OPTIONS on. */
export interface Transaction {
  stage: 'started' | 'awaitingIssuer' | 'ended';
  /** Data from GET PROCESSING OPTIONS and the first GENERATE AC, raw and by tag. */
  pdolData: Uint8Array;
  cdol1Data: Uint8Array;
  values: Map<string, Uint8Array>;
  first: CryptogramType | undefined;
  /** The cryptogram that the issuer responds to. */
  arqc: Uint8Array | undefined;
  pin: 'notTried' | 'passed' | 'failed';
  /** An enciphered PIN was received, right or wrong. */
  pinEnciphered: boolean;
  /** Result of issuer authentication. */
  issuer: 'notReceived' | 'invalid' | 'approved' | 'declined';
  /** 9F69, which a terminal reads as a record (EMV Contactless Book C-3). */
  relatedData: Uint8Array | undefined;
  dynamicallySigned: boolean;
}

/** State of a session. */
export interface PoweredChip {
  chip: Chip;
  technology: CardTechnology;
  image: ApplicationImage;
  selected: 'directory' | ListedApplication | undefined;
  transaction: Transaction | undefined;
  /** The challenge of the preceding GET CHALLENGE. */
  challenge: Uint8Array | undefined;
}

export type CommandHandler = (powered: PoweredChip, command: Command) => ResponseApdu;
