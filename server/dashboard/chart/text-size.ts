/**
 * The width of text in pixels. Node has no fonts, and the viewer's are unknown, so both tables are of wide fonts
 * (DejaVu): in most fonts a text is a little narrower than its width here, never wider.
 */

export const SANS = "'Inter', 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";
export const MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** Widths of bold letters in thousandths of the font size, for those that are not 700. */
const SANS_BOLD: Record<string, number> = {
  ...letters(343, 'ijl'),
  ...letters(372, "IJ .,-/|'!()[]:;"),
  ...letters(478, 'tfr'),
  ...letters(595, 'csz_?*'),
  ...letters(660, 'kvxyLEF'),
  ...letters(775, 'ABCKVXRYSTUZ'),
  ...letters(850, 'DGHNOQ#+<=>~'),
  ...letters(1_000, 'wmM@%&'),
  ...letters(1_103, 'W'),
};

function letters(width: number, of: string): Record<string, number> {
  return Object.fromEntries([...of].map((letter) => [letter, width]));
}

export function sansWidth(text: string, sizePx: number): number {
  return (
    [...text].reduce((sum, letter) => sum + widthOf(letter, SANS_BOLD[letter] ?? 716), 0) * (sizePx / 1_000)
  );
}

export function monoWidth(text: string, sizePx: number): number {
  return [...text].reduce((sum, letter) => sum + widthOf(letter, 602), 0) * (sizePx / 1_000);
}

/** Returns the width of a letter; letters of scripts such as Chinese are as wide as they are high. */
function widthOf(letter: string, latin: number): number {
  return letter.codePointAt(0)! < 0x1100 || /\p{P}|\p{S}/u.test(letter) ? latin : 1_000;
}
