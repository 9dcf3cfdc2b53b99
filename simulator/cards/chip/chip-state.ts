import type { Random } from '../../../protocol/ids.ts';
import type { IssuedChip } from '../issued-chip.ts';
import type { ChipCardProfile } from '../card-profile.ts';
import type { ApplicationImage } from './application.ts';
import type { ResponseApdu, Command } from './apdu.ts';
import type { CardTechnology } from '../../../agent/emv/card-connection.ts';

/** What a chip keeps when its power goes. */
export interface ChipMemory {
  /** 9F36: how many transactions it has begun. */
  transactionCounter: number;
  /** 9F13: the counter of the last transaction that its issuer agreed to. */
  lastOnlineCounter: number;
  /** 9F17 */
  pinTriesLeft: number;
  applicationBlocked: boolean;
  cardBlocked: boolean;
}

/** A chip as its commands see it. */
export interface Chip {
  profile: ChipCardProfile;
  issued: IssuedChip;
  images: Partial<Record<CardTechnology, ApplicationImage>>;
  memory: ChipMemory;
  random: Random;
}

/** An application as the directory lists it. */
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
  /** What the terminal sent with GET PROCESSING OPTIONS and the first GENERATE AC, as it came and by tag. */
  pdolData: Uint8Array;
  cdol1Data: Uint8Array;
  values: Map<string, Uint8Array>;
  first: CryptogramType | undefined;
  /** The cryptogram that the issuer answers. */
  arqc: Uint8Array | undefined;
  pin: 'notTried' | 'passed' | 'failed';
  /** A PIN came enciphered, right or wrong. */
  pinEnciphered: boolean;
  /** What came as the issuer's word: none yet, one that was not its own, or its verdict. */
  issuer: 'notReceived' | 'invalid' | 'approved' | 'declined';
  /** 9F69, which a terminal reads as a record (EMV Contactless Book C-3). */
  relatedData: Uint8Array | undefined;
  dynamicallySigned: boolean;
}

/** What a chip keeps while it has power. */
export interface PoweredChip {
  chip: Chip;
  technology: CardTechnology;
  image: ApplicationImage;
  selected: 'directory' | ListedApplication | undefined;
  transaction: Transaction | undefined;
  /** What GET CHALLENGE gave to the command before this one. */
  challenge: Uint8Array | undefined;
}

export type CommandHandler = (powered: PoweredChip, command: Command) => ResponseApdu;
