const BYTES_PER_ROW = 16;

interface HexRow {
  offset: string;
  bytes: string[];
  text: string;
}

/** Splits `5056··FF` into the rows of a hex dump. Masked bytes stay masked. */
export function hexRows(hex: string): HexRow[] {
  const bytes = hex.replace(/\s+/g, '').match(/../g) ?? [];
  return Array.from({ length: Math.ceil(bytes.length / BYTES_PER_ROW) }, (_, index) => {
    const row = bytes.slice(index * BYTES_PER_ROW, (index + 1) * BYTES_PER_ROW);
    return {
      offset: (index * BYTES_PER_ROW).toString(16).toUpperCase().padStart(4, '0'),
      bytes: row,
      text: row.map(characterOf).join(''),
    };
  });
}

function characterOf(byte: string): string {
  const code = Number.parseInt(byte, 16);
  if (Number.isNaN(code)) return '·';
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '.';
}
