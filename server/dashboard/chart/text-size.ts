/**
 * The room that text takes, in pixels. Node has no fonts, and a reader's are not ours, so both tables are of wide
 * faces (DejaVu): in the usual ones a text is a little shorter than its room, never longer.
 */

export const SANS = "'Inter', 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";
export const MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** Widths of bold letters in thousandths of the font's size, for those that are not 700. */
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

/** Letters far from Latin, such as Chinese ones, are as wide as they are high. */
function widthOf(letter: string, latin: number): number {
  return letter.codePointAt(0)! < 0x1100 || /\p{P}|\p{S}/u.test(letter) ? latin : 1_000;
}
