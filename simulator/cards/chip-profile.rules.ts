import { CRYPTOGRAM_VERSIONS } from '../../protocol/cryptography/cryptogram-versions.ts';
import { fromHex } from '../../protocol/emv/hex.ts';
import type { Problem } from '../../protocol/schema-problems.ts';
import { parseDol } from './chip/dol.ts';
import type { ChipInterface, ChipProfile } from './chip-profile.ts';

/** Terminal data that every cryptogram needs (EMV 4.4 Book 2 §8.1.1), as tag and length. */
const SIGNED = ['9F02/6', '9F03/6', '9F1A/2', '95/5', '5F2A/2', '9A/3', '9C/1', '9F37/4'];

/** The authorisation response code, by which a card learns that the terminal could not go online. */
const RESPONSE_CODE = '8A/2';

/** A card that has a chip, as far as the rules look at it. */
interface ChipCard {
  entryModes: readonly string[];
  pin?: object;
  scheme: string;
  aid?: string;
  applicationLabel?: string;
  chip: ChipProfile;
}

/** Returns the first inconsistency of a profile whose format is valid; undefined when there is none. */
export function findChipProblem(card: ChipCard): Problem | undefined {
  const { entryModes, pin, scheme, chip, aid, applicationLabel } = card;
  const { contact, contactless, cryptogramVersion } = chip;
  const tapped = entryModes.includes('Contactless') || entryModes.includes('Wallet');
  if (!aid || !applicationLabel) return { path: 'aid', message: 'and applicationLabel go with a chip' };
  if ((contactless !== undefined) !== tapped) {
    return { path: 'chip.contactless', message: 'goes with entry modes Contactless and Wallet' };
  }
  if ((contact !== undefined) !== entryModes.includes('Contact')) {
    return { path: 'chip.contact', message: 'goes with entry mode Contact' };
  }
  if (chip.offlinePin && !pin) return { path: 'chip.offlinePin', message: 'goes with a PIN' };
  if (CRYPTOGRAM_VERSIONS[cryptogramVersion].scheme !== scheme) {
    return { path: 'chip.cryptogramVersion', message: 'is not one of the scheme' };
  }
  if (contact?.qualifiers) return { path: 'chip.contact.qualifiers', message: 'are for the field alone' };
  return (
    (contact && findDolProblem('chip.contact', contact)) ??
    (contactless && findDolProblem('chip.contactless', contactless)) ??
    findOfflineApprovalProblem(chip)
  );
}

function findOfflineApprovalProblem({ approvesOffline, contact }: ChipProfile): Problem | undefined {
  if (!approvesOffline || dolEntries(contact?.cdol2).includes(RESPONSE_CODE)) return undefined;
  return { path: 'chip.approvesOffline', message: 'goes with a contact.cdol2 that asks for 8A' };
}

/** Checks that the lists request all data that the cryptogram needs. */
function findDolProblem(
  path: string,
  { qualifiers, pdol, cdol1, cdol2 }: ChipInterface,
): Problem | undefined {
  const [name, list] = qualifiers === undefined ? (['cdol1', cdol1] as const) : (['pdol', pdol] as const);
  if (!qualifiers && !cdol2) return { path: `${path}.cdol2`, message: 'is required' };
  const entries = dolEntries(list);
  const missing = [...SIGNED, ...(qualifiers ? ['9F66/4'] : [])].find((one) => !entries.includes(one));
  if (missing) return { path: `${path}.${name}`, message: `does not ask for ${missing}` };
  return undefined;
}

/** Returns the entries of a data object list as `tag/length`. */
function dolEntries(list: string | undefined): string[] {
  return parseDol(fromHex(list ?? '')).map(({ tag, length }) => `${tag}/${length}`);
}
