import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { respondWith, status, SW } from './apdu.ts';
import type { Chip, CommandHandler, ListedApplication, PoweredChip } from './chip-state.ts';

const PSE = Buffer.from('1PAY.SYS.DDF01');
const PPSE = Buffer.from('2PAY.SYS.DDF01');
export const DIRECTORY_SFI = 1;

const FIRST = 0x00;
const NEXT = 0x02;

/** 9F2A: the kernel for the field that knows the application (EMV Contactless Book B, Table 3-4). */
const KERNELS = { Visa: '03', Mastercard: '02', Amex: '04' };

/** SELECT by name (EMV 4.4 Book 1 §11.3 and §12; EMV Contactless Book B §3.3). */
export const select: CommandHandler = (powered, { p1, p2, data }) => {
  const { chip, technology } = powered;
  if (chip.memory.cardBlocked) return status(SW.functionNotSupported);
  if (p1 !== 0x04 || (p2 !== FIRST && p2 !== NEXT)) return status(SW.wrongParameters);
  if (data.length < 5 || data.length > 16) return status(SW.wrongLength);
  const directory = technology === 'Contact' ? PSE : PPSE;
  if (directory.equals(data)) {
    if (p2 === NEXT) return status(SW.notFound);
    enter(powered, 'directory');
    return respondWith(technology === 'Contact' ? pseInformation() : ppseInformation(chip));
  }
  const application = applicationFor(powered, data, p2);
  if (!application) return status(SW.notFound);
  enter(powered, application);
  if (chip.memory.applicationBlocked) return status(SW.applicationBlocked);
  return respondWith(applicationInformation(powered, application));
};

/** Applications in the order of their priority. */
function applicationsOf({ profile }: Chip): ListedApplication[] {
  const { aid, applicationLabel, chip } = profile;
  const main = { aid: aid!, label: applicationLabel!, priority: chip.priority };
  return [main, ...(chip.alsoKnownAs ?? [])].sort((a, b) => a.priority - b.priority);
}

/** The one record of the directory (Book 1 §12.2.3). */
export function directoryRecord(chip: Chip): Uint8Array {
  return encodeTlv('70', concat(...applicationsOf(chip).map((application) => directoryEntry(application))));
}

function enter(powered: PoweredChip, selected: PoweredChip['selected']): void {
  powered.selected = selected;
  powered.transaction = undefined;
}

/** A terminal may give the beginning of a name, and ask for the next that begins so (Book 1 §12.3.3). */
function applicationFor(
  { chip, selected }: PoweredChip,
  name: Uint8Array,
  occurrence: number,
): ListedApplication | undefined {
  const fitting = applicationsOf(chip).filter(({ aid }) => aid.startsWith(toHex(name)));
  if (occurrence === FIRST) return fitting[0];
  const current = selected === 'directory' ? undefined : selected?.aid;
  const place = fitting.findIndex(({ aid }) => aid === current);
  return place < 0 ? undefined : fitting[place + 1];
}

/** Book 1 §11.3.4, table 43. */
function pseInformation(): Uint8Array {
  const inner = concat(encodeTlv('88', Uint8Array.of(DIRECTORY_SFI)), encodeTlv('5F2D', Buffer.from('en')));
  return fci(PSE, inner);
}

/** Book B §3.3.1, table 3-2. */
function ppseInformation(chip: Chip): Uint8Array {
  const kernel = encodeTlv('9F2A', fromHex(KERNELS[chip.profile.scheme]));
  const entries = applicationsOf(chip).map((application) => directoryEntry(application, kernel));
  return fci(PPSE, encodeTlv('BF0C', concat(...entries)));
}

function directoryEntry(application: ListedApplication, further: Uint8Array = new Uint8Array(0)): Uint8Array {
  return encodeTlv('61', concat(encodeTlv('4F', fromHex(application.aid)), labelled(application), further));
}

/** Book 1 §11.3.4, table 45. */
function applicationInformation({ image }: PoweredChip, application: ListedApplication): Uint8Array {
  const { pdol } = image.facts;
  const wanted = pdol === undefined ? new Uint8Array(0) : encodeTlv('9F38', fromHex(pdol));
  return fci(
    fromHex(application.aid),
    concat(labelled(application), wanted, encodeTlv('5F2D', Buffer.from('en'))),
  );
}

function labelled({ label, priority }: ListedApplication): Uint8Array {
  return concat(encodeTlv('50', Buffer.from(label)), encodeTlv('87', Uint8Array.of(priority)));
}

function fci(name: Uint8Array, proprietary: Uint8Array): Uint8Array {
  return encodeTlv('6F', concat(encodeTlv('84', name), encodeTlv('A5', proprietary)));
}
