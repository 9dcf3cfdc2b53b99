import { Fault } from '../../protocol/failures.ts';

/** Returns an argument as one of these values. @param name in capitals. @throws Fault `bad_setting` for any other */
export function oneOf<V extends string>(name: string, values: readonly V[], typed: string): V {
  const value = values.find((known) => known === typed);
  if (value !== undefined) return value;
  throw new Fault('bad_setting', `${name} must be one of: ${values.join(', ')}, not '${typed.slice(0, 40)}'`);
}
