import { messageOf } from '../../protocol/failures.ts';
import { isKeyOf, keysOf } from '../../protocol/tables.ts';
import { failure, SUCCESS, type SimulationResult } from '../simulation-result.ts';
import type { Twin } from './twin.ts';

/**
 * Uses a control of a device by its name.
 * @param device how the device is named to the person, such as `this terminal`
 * @param hidden controls that are not used by name
 */
export function useControl(
  device: string,
  controls: Twin['controls'],
  name: string,
  argument: string | undefined,
  hidden: readonly string[] = [],
): SimulationResult {
  if (hidden.includes(name) || !isKeyOf(controls, name)) {
    const known = keysOf(controls).filter((each) => !hidden.includes(each));
    return failure(`${device} has no control '${name.slice(0, 40)}', only: ${known.join(', ')}`);
  }
  try {
    const answer = controls[name]?.run(argument);
    return typeof answer === 'string' ? { ok: true, answer } : SUCCESS;
  } catch (error) {
    return failure(messageOf(error));
  }
}
