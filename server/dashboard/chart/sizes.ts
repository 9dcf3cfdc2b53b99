import { isInside, type TreeState, type TreeTransition } from './state-tree.ts';

/** Dimensions of a chart, in pixels. */
export const NAME_PX = 13;
export const TITLE_PX = 16;
export const LINE_PX = 11;
export const TAG_PX = 11;
export const LINE_HEIGHT = 15;
export const TAG_HEIGHT = 16;
export const NAME_HEIGHT = 18;
export const PAD = 12;
/** Space above and below the rule between a name and the lines under it. */
export const RULE = 6;
export const LABEL_PAD_X = 6;
export const LABEL_PAD_Y = 3;
export const START_SIZE = 12;
/** Margin of the whole chart. */
export const MARGIN = 20;
const HISTORY_SIZE = 30;
const TAG_PAD = 7;
export const TAG_GAP = 4;
const BOX_WIDTH_MIN = 96;

export interface Size {
  width: number;
  height: number;
}

export function tagWidth(tag: string): number {
  return sansWidth(tag, TAG_PX) + 2 * TAG_PAD;
}

/**
 * Returns the lines of a label or of a box: the event, its guard in brackets, and the target when no arrow shows it.
 * Text longer than `lettersMax` takes two lines.
 */
export function linesOf(transition: TreeTransition, lettersMax = 40): string[] {
  const guard = transition.guard ?? (transition.otherwise ? 'else' : null);
  const event = transition.event === 'always' ? '' : transition.event;
  const guardText = guard === null ? '' : `[${guard}]`;
  if (transition.kind === 'listed') return [`${joined(event, guardText)} → ${nameWithin(transition)}`];
  const whole = joined(event, guardText);
  const isShort = whole.length <= lettersMax || guard === 'else';
  return isShort || !guardText || !event ? [whole] : [event, `  ${guardText}`];
}

function joined(event: string, guardText: string): string {
  return [event, guardText].filter(Boolean).join(' ') || 'always';
}

function nameWithin({ from, to }: TreeTransition): string {
  if (isInside(from, to)) return to === '' ? 'the start' : to;
  return from === '' ? to : to.slice(from.length + 1);
}

export function linesSize(lines: string[]): Size {
  return {
    width: Math.ceil(Math.max(0, ...lines.map((line) => monoWidth(line, LINE_PX)))),
    height: lines.length * LINE_HEIGHT,
  };
}

export function labelSize(lines: string[]): Size {
  const { width, height } = linesSize(lines);
  return { width: width + 2 * LABEL_PAD_X, height: height + 2 * LABEL_PAD_Y };
}

/** Returns the offset of the lines from the top of a box. */
export function linesTop({ compound, tag }: { compound: boolean; tag: string | null }): number {
  const tagBelow = !compound && tag !== null ? TAG_GAP + TAG_HEIGHT : 0;
  return PAD + NAME_HEIGHT + tagBelow + 2 * RULE - 2;
}

/** Returns the size of a state without children; `lines` are its internal transitions. */
export function boxSize(state: TreeState, lines: string[]): Size {
  if (state.kind === 'history' || state.kind === 'deepHistory')
    return { width: HISTORY_SIZE, height: HISTORY_SIZE };
  const { width, height } = linesSize(lines);
  const tag = state.tag === null ? 0 : tagWidth(state.tag);
  const top = linesTop({ compound: false, tag: state.tag });
  return {
    width: Math.ceil(Math.max(BOX_WIDTH_MIN - 2 * PAD, sansWidth(state.name, NAME_PX), tag, width)) + 2 * PAD,
    height: lines.length === 0 ? top - 2 * RULE + 2 + PAD : top + height + PAD - 2,
  };
}

/** Returns the size of a compound state's head: its name, its tag beside it, and its lines. */
export function headSize(name: string, tag: string | null, lines: string[]): Size {
  const { width, height } = linesSize(lines);
  const title = sansWidth(name, NAME_PX) + (tag === null ? 0 : tagWidth(tag) + PAD);
  return {
    width: Math.ceil(Math.max(title, width)) + 2 * PAD,
    height: lines.length === 0 ? PAD + NAME_HEIGHT : linesTop({ compound: true, tag }) + height,
  };
}

/** Returns the size of the title: the machine's name, and the transitions that apply in any state. */
export function titleSize(machineId: string, lines: string[]): Size {
  const { width, height } = linesSize(lines);
  return {
    width: Math.ceil(Math.max(sansWidth(machineId, TITLE_PX), width)),
    height: lines.length === 0 ? 24 : TITLE_LINES_TOP + height,
  };
}

/** The offset of the lines from the top of the title. */
export const TITLE_LINES_TOP = 44;

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
