import { concat } from '../../protocol/emv/tlv.ts';
import { expectOk, readRecord, send } from './apdu.ts';
import { CardError } from './card-error.ts';
import { unwrapTemplate, primitivesOf, type DataStore } from './data-store.ts';
import { describeTag, TAGS } from './tags.ts';
import type { CardConnection } from './card-connection.ts';

/** Records `first` to `last` of a file; the first `signed` of them take part in data authentication. */
interface FileEntry {
  sfi: number;
  first: number;
  last: number;
  signed: number;
}

// Cards have less than ten. The AFL could ask for 16,000, and a terminal that reads them all hangs.
const RECORDS_MAX = 64;

/** EMV 4.4 Book 3 §10.2: four bytes for each file. @throws CardError `malformed_data`. */
export function parseFileLocator(bytes: Uint8Array): FileEntry[] {
  if (bytes.length % 4 !== 0) throw new CardError('malformed_data', 'the card sent a cut-off file locator');
  const entries: FileEntry[] = [];
  for (let at = 0; at < bytes.length; at += 4) {
    const [sfiByte, first, last, signed] = bytes.subarray(at, at + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
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
 * Reads all records that the file locator (94) names into the store.
 * @returns the records that take part in data authentication, joined (EMV 4.4 Book 3 §10.3).
 * @throws CardError when one cannot be read, is no template 70, or a data object comes twice (§10.2).
 */
export async function readApplicationData(connection: CardConnection, store: DataStore): Promise<Uint8Array> {
  const signedRecords: Uint8Array[] = [];
  const seen = new Set<string>();
  for (const { sfi, first, last, signed } of parseFileLocator(store.get('94') ?? new Uint8Array(0))) {
    for (let record = first; record <= last; record += 1) {
      const command = readRecord(sfi, record);
      const data = expectOk(command, await send(connection, command));
      const content = storeRecord({ sfi, data, seen, store });
      // §10.3: of the files 1 to 10 what is inside the template counts, of the others all of it.
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
  // §10.2: files 11 to 30 are the networks' own, and their form is theirs.
  if (sfi > 10) return data;
  const content = unwrapTemplate(data, '70');
  for (const object of primitivesOf(content)) {
    if (seen.has(object.tag)) {
      throw new CardError('repeated_data', `the card has ${describeTag(object.tag)} twice`);
    }
    seen.add(object.tag);
    // What the card said before stands: a record must not say it otherwise.
    const known = TAGS.get(object.tag)?.source === 'card' ? store.get(object.tag) : undefined;
    if (known && Buffer.compare(known, object.value) !== 0) {
      throw new CardError('repeated_data', `the card says ${describeTag(object.tag)} in two ways`);
    }
    store.putFromCard(object);
  }
  return content;
}

/** Book 3 §7.2, Table 28: what every card has to have. @throws CardError `missing_data`. */
export function requireData(store: DataStore, tags: readonly string[]): void {
  for (const tag of tags) store.need(tag);
}
