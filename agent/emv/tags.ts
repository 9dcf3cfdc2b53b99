/** Format of a data object (EMV 4.4 Book 3 §4.3). */
type Format = 'a' | 'an' | 'ans' | 'b' | 'cn' | 'n';
type Source = 'card' | 'terminal' | 'issuer';

interface TagRow {
  name: string;
  source: Source;
  format: Format;
  /** Bytes. */
  min: number;
  max: number;
}

type Row = [tag: string, name: string, source: Source, format: Format, min: number, max?: number];

/** Primitive data objects (EMV 4.4 Book 3 Annex A1, Table 33; contactless ones from Book C-2, C-3 and C-4). */
const ROWS: Row[] = [
  ['42', 'Issuer Identification Number', 'card', 'n', 3],
  ['4F', 'Application Dedicated File Name', 'card', 'b', 5, 16],
  ['50', 'Application Label', 'card', 'ans', 1, 16],
  ['57', 'Track 2 Equivalent Data', 'card', 'b', 1, 19],
  ['5A', 'Application Primary Account Number', 'card', 'cn', 1, 10],
  ['5F20', 'Cardholder Name', 'card', 'ans', 2, 26],
  ['5F24', 'Application Expiration Date', 'card', 'n', 3],
  ['5F25', 'Application Effective Date', 'card', 'n', 3],
  ['5F28', 'Issuer Country Code', 'card', 'n', 2],
  ['5F2A', 'Transaction Currency Code', 'terminal', 'n', 2],
  ['5F2D', 'Language Preference', 'card', 'an', 2, 8],
  ['5F30', 'Service Code', 'card', 'n', 2],
  ['5F34', 'Application PAN Sequence Number', 'card', 'n', 1],
  ['5F36', 'Transaction Currency Exponent', 'terminal', 'n', 1],
  ['71', 'Issuer Script Template 1', 'issuer', 'b', 0, 255],
  ['72', 'Issuer Script Template 2', 'issuer', 'b', 0, 255],
  ['82', 'Application Interchange Profile', 'card', 'b', 2],
  ['84', 'Dedicated File Name', 'card', 'b', 5, 16],
  ['86', 'Issuer Script Command', 'issuer', 'b', 0, 261],
  ['87', 'Application Priority Indicator', 'card', 'b', 1],
  ['88', 'Short File Identifier', 'card', 'b', 1],
  ['8A', 'Authorisation Response Code', 'terminal', 'an', 2],
  ['8C', 'Card Risk Management Data Object List 1', 'card', 'b', 0, 252],
  ['8D', 'Card Risk Management Data Object List 2', 'card', 'b', 0, 252],
  ['8E', 'Cardholder Verification Method List', 'card', 'b', 8, 252],
  ['8F', 'Certification Authority Public Key Index', 'card', 'b', 1],
  ['90', 'Issuer Public Key Certificate', 'card', 'b', 1, 248],
  ['91', 'Issuer Authentication Data', 'issuer', 'b', 8, 16],
  ['92', 'Issuer Public Key Remainder', 'card', 'b', 0, 248],
  ['93', 'Signed Static Application Data', 'card', 'b', 1, 248],
  ['94', 'Application File Locator', 'card', 'b', 0, 252],
  ['95', 'Terminal Verification Results', 'terminal', 'b', 5],
  ['97', 'Transaction Certificate Data Object List', 'card', 'b', 0, 252],
  ['98', 'Transaction Certificate Hash Value', 'terminal', 'b', 20],
  ['9A', 'Transaction Date', 'terminal', 'n', 3],
  ['9B', 'Transaction Status Information', 'terminal', 'b', 2],
  ['9C', 'Transaction Type', 'terminal', 'n', 1],
  ['9F01', 'Acquirer Identifier', 'terminal', 'n', 6],
  ['9F02', 'Amount, Authorised (Numeric)', 'terminal', 'n', 6],
  ['9F03', 'Amount, Other (Numeric)', 'terminal', 'n', 6],
  ['9F05', 'Application Discretionary Data', 'card', 'b', 1, 32],
  ['9F06', 'Application Identifier, terminal', 'terminal', 'b', 5, 16],
  ['9F07', 'Application Usage Control', 'card', 'b', 2],
  ['9F08', 'Application Version Number', 'card', 'b', 2],
  ['9F09', 'Application Version Number, terminal', 'terminal', 'b', 2],
  ['9F0B', 'Cardholder Name Extended', 'card', 'ans', 27, 45],
  ['9F0D', 'Issuer Action Code - Default', 'card', 'b', 5],
  ['9F0E', 'Issuer Action Code - Denial', 'card', 'b', 5],
  ['9F0F', 'Issuer Action Code - Online', 'card', 'b', 5],
  ['9F10', 'Issuer Application Data', 'card', 'b', 0, 32],
  ['9F11', 'Issuer Code Table Index', 'card', 'n', 1],
  ['9F12', 'Application Preferred Name', 'card', 'ans', 1, 16],
  ['9F13', 'Last Online ATC Register', 'card', 'b', 2],
  ['9F14', 'Lower Consecutive Offline Limit', 'card', 'b', 1],
  ['9F15', 'Merchant Category Code', 'terminal', 'n', 2],
  ['9F16', 'Merchant Identifier', 'terminal', 'ans', 15],
  ['9F17', 'PIN Try Counter', 'card', 'b', 1],
  ['9F18', 'Issuer Script Identifier', 'issuer', 'b', 4],
  ['9F1A', 'Terminal Country Code', 'terminal', 'n', 2],
  ['9F1B', 'Terminal Floor Limit', 'terminal', 'b', 4],
  ['9F1C', 'Terminal Identification', 'terminal', 'an', 8],
  ['9F1D', 'Terminal Risk Management Data (Book C-2)', 'terminal', 'b', 8],
  ['9F1E', 'Interface Device Serial Number', 'terminal', 'an', 8],
  ['9F1F', 'Track 1 Discretionary Data', 'card', 'ans', 0, 79],
  ['9F21', 'Transaction Time', 'terminal', 'n', 3],
  ['9F22', 'Certification Authority Public Key Index, terminal', 'terminal', 'b', 1],
  ['9F23', 'Upper Consecutive Offline Limit', 'card', 'b', 1],
  ['9F26', 'Application Cryptogram', 'card', 'b', 8],
  ['9F27', 'Cryptogram Information Data', 'card', 'b', 1],
  ['9F2D', 'ICC PIN Encipherment Public Key Certificate', 'card', 'b', 1, 248],
  ['9F2E', 'ICC PIN Encipherment Public Key Exponent', 'card', 'b', 1, 3],
  ['9F2F', 'ICC PIN Encipherment Public Key Remainder', 'card', 'b', 0, 248],
  ['9F32', 'Issuer Public Key Exponent', 'card', 'b', 1, 3],
  ['9F33', 'Terminal Capabilities', 'terminal', 'b', 3],
  ['9F34', 'Cardholder Verification Method Results', 'terminal', 'b', 3],
  ['9F35', 'Terminal Type', 'terminal', 'n', 1],
  ['9F36', 'Application Transaction Counter', 'card', 'b', 2],
  ['9F37', 'Unpredictable Number', 'terminal', 'b', 4],
  ['9F38', 'Processing Options Data Object List', 'card', 'b', 0, 252],
  ['9F39', 'Point-of-Service Entry Mode', 'terminal', 'n', 1],
  ['9F40', 'Additional Terminal Capabilities', 'terminal', 'b', 5],
  ['9F41', 'Transaction Sequence Counter', 'terminal', 'n', 2, 4],
  ['9F42', 'Application Currency Code', 'card', 'n', 2],
  ['9F44', 'Application Currency Exponent', 'card', 'n', 1],
  ['9F45', 'Data Authentication Code', 'terminal', 'b', 2],
  ['9F46', 'ICC Public Key Certificate', 'card', 'b', 1, 248],
  ['9F47', 'ICC Public Key Exponent', 'card', 'b', 1, 3],
  ['9F48', 'ICC Public Key Remainder', 'card', 'b', 0, 248],
  ['9F49', 'Dynamic Data Authentication Data Object List', 'card', 'b', 0, 252],
  ['9F4A', 'Static Data Authentication Tag List', 'card', 'b', 0, 252],
  ['9F4B', 'Signed Dynamic Application Data', 'card', 'b', 1, 248],
  ['9F4C', 'ICC Dynamic Number', 'terminal', 'b', 2, 8],
  ['9F4D', 'Log Entry', 'card', 'b', 2],
  ['9F4E', 'Merchant Name and Location', 'terminal', 'ans', 0, 40],
  ['9F53', 'Transaction Category Code', 'terminal', 'an', 1],
  ['9F5B', 'Issuer Script Results', 'terminal', 'b', 0, 50],
  ['9F66', 'Terminal Transaction Qualifiers', 'terminal', 'b', 4],
  ['9F69', 'Card Authentication Related Data', 'card', 'b', 5, 16],
  ['9F6C', 'Card Transaction Qualifiers', 'card', 'b', 2],
  ['9F6D', 'Contactless Reader Capabilities (Book C-4)', 'terminal', 'b', 1],
  ['9F6E', 'Enhanced Contactless Reader Capabilities (Book C-4)', 'terminal', 'b', 4],
  ['9F71', 'Mobile CVM Results (Book C-4)', 'card', 'b', 3],
];

export const TAGS: ReadonlyMap<string, TagRow> = new Map(
  ROWS.map(([tag, name, source, format, min, max = min]) => [tag, { name, source, format, min, max }]),
);

/** Returns a tag with its name, for messages: `9F26 (Application Cryptogram)`. */
export function describeTag(tag: string): string {
  const row = TAGS.get(tag);
  return row ? `${tag} (${row.name})` : tag;
}
