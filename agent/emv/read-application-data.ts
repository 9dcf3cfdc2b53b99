import { concat } from '../../protocol/emv/tlv.ts';
import { getProcessingOptions, OK, readRecord, requireSuccess, send, statusWordError } from './apdu.ts';
import { CardError, type CardConnection } from './card-connection.ts';
import { parseFromCard, primitivesOf, unwrapTemplate, type DataStore } from './data-store.ts';
import { dolValues } from './dol.ts';
import { describeTag, TAGS } from './tags.ts';

const CONDITIONS_NOT_SATISFIED = 0x6985;
const OTHER_INTERFACE = 0x6984;
const SEE_PHONE = 0x6986;

/** Values sent with GET PROCESSING OPTIONS, which CDA signs (EMV 4.4 Book 2 §6.6.2). */
export interface Initiation {
  pdolValues: Uint8Array;
}

/**
 * Initiates application processing (EMV 4.4 Book 3 §10.1): sends GET PROCESSING OPTIONS and stores the AIP (82) and
 * the AFL (94) of a response in either format.
 * @returns undefined when the conditions of use are not satisfied (6985): another application may be selected.
 * @throws CardError for other status words and malformed responses.
 */
export async function initiateProcessing(
  connection: CardConnection,
  store: DataStore,
): Promise<Initiation | undefined> {
  const pdolValues = dolValues(store.get('9F38') ?? new Uint8Array(0), store);
  const command = getProcessingOptions(pdolValues);
  const { data, status } = await send(connection, command);
  if (status === CONDITIONS_NOT_SATISFIED) return undefined;
  if (status === OTHER_INTERFACE) throw new CardError('other_interface', 'the card wants to be inserted');
  if (status === SEE_PHONE)
    throw new CardError('conditions_not_satisfied', 'the phone asks its holder first');
  if (status !== OK) throw statusWordError(command, status);
  storeProcessingOptions(data, store);
  return { pdolValues };
}

function storeProcessingOptions(data: Uint8Array, store: DataStore): void {
  if (parseFromCard(data)[0]?.tag === '80') {
    const value = unwrapTemplate(data, '80');
    if (value.length < 2)
      throw new CardError('wrong_length', 'GET PROCESSING OPTIONS: an answer without profile');
    store.putFromCard({ tag: '82', value: value.slice(0, 2) });
    store.putFromCard({ tag: '94', value: value.slice(2) });
    return;
  }
  for (const object of primitivesOf(unwrapTemplate(data, '77'))) store.putFromCard(object);
  store.need('82');
}

/** Records `first` to `last` of a file. The first `signed` of them take part in data authentication. */
interface FileEntry {
  sfi: number;
  first: number;
  last: number;
  signed: number;
}

// Cards have fewer than ten. An AFL can name 16,000, which would block the terminal.
const RECORDS_MAX = 64;

/**
 * Parses an application file locator, four bytes for each file (EMV 4.4 Book 3 §10.2).
 * @throws CardError `malformed_data`, `too_much_data`.
 */
export function parseFileLocator(bytes: Uint8Array): FileEntry[] {
  if (bytes.length % 4 !== 0) throw new CardError('malformed_data', 'the card sent a cut-off file locator');
  const entries: FileEntry[] = [];
  for (let at = 0; at < bytes.length; at += 4) {
    const [sfiByte = 0, first = 0, last = 0, signed = 0] = bytes.subarray(at, at + 4);
    const sfi = sfiByte >> 3;
    const wrong =
      (sfiByte & 0x07) !== 0 || sfi < 1 || sfi > 30 || first < 1 || last < first || signed > last - first + 1;
    if (wrong) throw new CardError('malformed_data', 'the card sent an impossible file locator');
    entries.push({ sfi, first, last, signed });
  }
  const records = entries.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  if (records > RECORDS_MAX)
    throw new CardError('too_much_data', 'the card has more records than a card has');
  return entries;
}

/**
 * Reads the records of the application file locator (94) into the store.
 * @returns the concatenated records that take part in data authentication (EMV 4.4 Book 3 §10.3).
 * @throws CardError when a record cannot be read, is not a template 70, or repeats a data object (§10.2).
 */
export async function readApplicationData(connection: CardConnection, store: DataStore): Promise<Uint8Array> {
  const signedRecords: Uint8Array[] = [];
  const seen = new Set<string>();
  for (const { sfi, first, last, signed } of parseFileLocator(store.get('94') ?? new Uint8Array(0))) {
    for (let record = first; record <= last; record += 1) {
      const command = readRecord(sfi, record);
      const data = requireSuccess(command, await send(connection, command));
      const content = storeRecord({ sfi, data, seen, store });
      // §10.3: the content of the template for SFI 1 to 10, the whole record for others.
      if (record < first + signed) signedRecords.push(sfi <= 10 ? content : data);
    }
  }
  return concat(...signedRecords);
}

interface RecordParts {
  sfi: number;
  data: Uint8Array;
  seen: Set<string>;
  store: DataStore;
}

function storeRecord({ sfi, data, seen, store }: RecordParts): Uint8Array {
  // §10.2: files with SFI 11 to 30 have a proprietary format.
  if (sfi > 10) return data;
  const content = unwrapTemplate(data, '70');
  for (const object of primitivesOf(content)) {
    if (seen.has(object.tag)) {
      throw new CardError('repeated_data', `the card has ${describeTag(object.tag)} twice`);
    }
    seen.add(object.tag);
    // A record must not change data that the card returned before.
    const known = TAGS.get(object.tag)?.source === 'card' ? store.get(object.tag) : undefined;
    if (known && Buffer.compare(known, object.value) !== 0) {
      throw new CardError('repeated_data', `the card says ${describeTag(object.tag)} in two ways`);
    }
    store.putFromCard(object);
  }
  return content;
}

/** Checks that mandatory data objects are present (Book 3 §7.2, Table 28). @throws CardError `missing_data`. */
export function requireData(store: DataStore, tags: readonly string[]): void {
  for (const tag of tags) store.need(tag);
}
