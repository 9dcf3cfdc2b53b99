import { seededRandom } from '../../protocol/ids.ts';
import { fillPlaceholders } from '../replay/filled-placeholders.ts';
import { mapTexts } from '../replay/map-texts.ts';
import { VirtualClock } from '../virtual-clock.ts';

const DIGIT = /^\{\{(?:pin|wrong):\d+\}\}$/;

/** Returns what is sent to a terminal with the digits of the test PIN, or wrong ones, in place of their placeholders. */
export function typedKeys(sent: unknown): unknown {
  const { fill } = fillPlaceholders([], { clock: new VirtualClock(0), random: seededRandom('') });
  return mapTexts(sent, (text) => (DIGIT.test(text) ? fill(text) : text));
}
