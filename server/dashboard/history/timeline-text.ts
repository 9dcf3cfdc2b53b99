import { jsonText, type JsonText } from '../../platform/store/json-text.ts';
import type { TimelineEntry } from '../view.ts';

/** Some ten times as much as a payment with a chip takes. */
const CHARACTERS_MAX = 400_000;

/** Returns entries as text. Where they are too many, without the frames of the reader, or else without details. */
export function timelineText(entries: readonly TimelineEntry[]): JsonText<TimelineEntry[]> {
  const whole = jsonText([...entries]);
  if (whole.length <= CHARACTERS_MAX) return whole;
  const withoutFrames = entries.filter(({ kind }) => !kind.startsWith('serial.'));
  const shorter = jsonText(withoutFrames);
  if (shorter.length <= CHARACTERS_MAX) return shorter;
  return jsonText(withoutFrames.map((entry) => ({ ...entry, detail: null })));
}
