import { fromHex } from '../../protocol/emv/hex.ts';
import { OK, readRecord, select, send, type Response } from './apdu.ts';
import { CardError, type CardConnection } from './card-connection.ts';
import { unwrapTemplate, parseFromCard, primitivesOf, type DataStore } from './data-store.ts';
import { supportedApplication, APPLICATIONS } from './terminal.ts';

/** An application that both card and terminal support. */
export interface Candidate {
  /** The card's AID (ADF name), which may be longer than the terminal's. */
  aid: Uint8Array;
  /** 1 is highest, 15 lowest; 0 is no priority and sorts last (EMV 4.4 Book 1 §12.2.3, Table 13). */
  priority: number;
  /** The application requires confirmation by the cardholder, which this terminal does not support. */
  needsConfirmation: boolean;
}

/** Name of the list of payment applications of a contact card (EMV 4.4 Book 1 §12.2.2). */
export const PSE = Buffer.from('1PAY.SYS.DDF01', 'latin1');
const RECORD_NOT_FOUND = 0x6a83;
const NOT_SUPPORTED = 0x6a81;
const BLOCKED = 0x6283;

// Book 1 §10.1.1 lets a directory be as long as a file; cards have one or two records.
const DIRECTORY_RECORDS_MAX = 16;
const OCCURRENCES_MAX = 8;

/** Builds the candidate list, highest priority first (EMV 4.4 Book 1 §12.3). */
export async function buildCandidateList(connection: CardConnection): Promise<Candidate[]> {
  const fromDirectory = await candidatesFromPse(connection);
  const candidates = fromDirectory?.length ? fromDirectory : await candidatesByAidList(connection);
  // §12.4: a terminal without cardholder confirmation does not select an application that requires it.
  return byPriority(candidates.filter(({ needsConfirmation }) => !needsConfirmation));
}

/** Sorts by the card's priority; candidates of equal priority keep their order (§12.4). */
export function byPriority(candidates: Candidate[]): Candidate[] {
  const rank = ({ priority }: Candidate) => priority || 16;
  return [...candidates].sort((a, b) => rank(a) - rank(b));
}

/** Reads the directory of the payment system environment (§12.3.2). Undefined when the card has none. */
async function candidatesFromPse(connection: CardConnection): Promise<Candidate[] | undefined> {
  const answer = await send(connection, select(PSE));
  if (answer.status === NOT_SUPPORTED) throw new CardError('card_blocked', 'the card is blocked');
  if (answer.status !== OK) return undefined;
  const sfi = primitivesOf(unwrapTemplate(answer.data, '6F')).find(({ tag }) => tag === '88')?.value[0];
  // With a malformed directory the list of AIDs is used instead.
  if (sfi === undefined || sfi < 1 || sfi > 10) return undefined;
  const candidates: Candidate[] = [];
  for (let record = 1; record <= DIRECTORY_RECORDS_MAX; record += 1) {
    const read = await send(connection, readRecord(sfi, record));
    if (read.status === RECORD_NOT_FOUND) break;
    if (read.status !== OK) return undefined;
    candidates.push(...entriesOf(unwrapTemplate(read.data, '70')));
  }
  return candidates;
}

function entriesOf(record: Uint8Array): Candidate[] {
  return parseFromCard(record)
    .filter(({ tag }) => tag === '61')
    .flatMap(({ value }) => candidateFromEntry(value) ?? []);
}

/** Returns the candidate of a directory entry; undefined when the terminal does not support its AID. */
export function candidateFromEntry(entry: Uint8Array): Candidate | undefined {
  const objects = primitivesOf(entry);
  const valueOf = (tag: string) => objects.find((object) => object.tag === tag)?.value;
  const aid = valueOf('4F');
  return aid && supportedApplication(aid) ? { aid, ...parseIndicator(valueOf('87')) } : undefined;
}

/** Parses the application priority indicator (Table 13). */
function parseIndicator(value: Uint8Array | undefined): Omit<Candidate, 'aid'> {
  const indicator = value?.[0] ?? 0;
  return { priority: indicator & 0x0f, needsConfirmation: (indicator & 0x80) !== 0 };
}

/** Selects each AID of the terminal in turn (list of AIDs, §12.3.3). */
async function candidatesByAidList(connection: CardConnection): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const application of APPLICATIONS) {
    const name = fromHex(application.aid);
    for (let occurrence = 0; occurrence < OCCURRENCES_MAX; occurrence += 1) {
      const answer = await send(connection, select(name, occurrence > 0));
      if (answer.status === NOT_SUPPORTED) throw new CardError('card_blocked', 'the card is blocked');
      if (answer.status !== OK && answer.status !== BLOCKED) break;
      const found = candidateFromFci(answer);
      if (!found) break;
      if (answer.status === OK) candidates.push(found);
      if (found.aid.length === name.length) break;
    }
  }
  return candidates;
}

function candidateFromFci({ data }: Response): Candidate | undefined {
  const objects = primitivesOf(unwrapTemplate(data, '6F'));
  const valueOf = (tag: string) => objects.find((object) => object.tag === tag)?.value;
  const aid = valueOf('84');
  return aid && supportedApplication(aid) ? { aid, ...parseIndicator(valueOf('87')) } : undefined;
}

/**
 * Final selection (§12.4): selects an application and stores the data of its FCI template.
 * @returns false when the card does not select it; the next candidate may be tried.
 * @throws CardError `card_blocked`, or when the FCI is malformed.
 */
export async function selectApplication(
  connection: CardConnection,
  aid: Uint8Array,
  store: DataStore,
): Promise<boolean> {
  const answer = await send(connection, select(aid));
  if (answer.status === NOT_SUPPORTED) throw new CardError('card_blocked', 'the card is blocked');
  if (answer.status !== OK) return false;
  for (const object of primitivesOf(unwrapTemplate(answer.data, '6F'))) store.putFromCard(object);
  const name = store.need('84');
  if (!aid.every((byte, at) => name[at] === byte)) {
    throw new CardError('malformed_data', 'the card selected another application than was asked for');
  }
  store.put('9F06', aid);
  store.put('9F09', fromHex(supportedApplication(aid)?.version ?? '0000'));
  return true;
}
