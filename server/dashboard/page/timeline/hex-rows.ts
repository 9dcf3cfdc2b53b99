const BYTES_A_ROW = 16;

interface HexRow {
  offset: string;
  bytes: string[];
  text: string;
}

/** `5056··FF` in rows of sixteen bytes, as a dump shows them; what is masked stays masked. */
export function hexRows(hex: string): HexRow[] {
  const bytes = hex.replace(/\s+/g, '').match(/../g) ?? [];
  return Array.from({ length: Math.ceil(bytes.length / BYTES_A_ROW) }, (_, index) => {
    const row = bytes.slice(index * BYTES_A_ROW, (index + 1) * BYTES_A_ROW);
    return {
      offset: (index * BYTES_A_ROW).toString(16).toUpperCase().padStart(4, '0'),
      bytes: row,
      text: row.map(letterOf).join(''),
    };
  });
}

function letterOf(byte: string): string {
  const code = Number.parseInt(byte, 16);
  if (Number.isNaN(code)) return '·';
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '.';
}
