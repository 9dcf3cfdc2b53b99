import { getProcessingOptions, OK, statusWordError, send } from './apdu.ts';
import { CardError } from './card-error.ts';
import { unwrapTemplate, parseFromCard, primitivesOf, type DataStore } from './data-store.ts';
import { dolValues } from './dol.ts';
import type { CardConnection } from './card-connection.ts';

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
