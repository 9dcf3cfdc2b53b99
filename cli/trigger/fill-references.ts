type Values = Record<string, unknown>;

/**
 * Returns a value with each reference `{name.member}` in its texts replaced by that member of `values`. A text that is
 * one reference becomes the member itself, of any type; within other text the member is written out.
 * @throws TypeError for a reference to a member of what is not there
 */
export function fillReferences<T>(value: T, values: Values): T {
  return filled(value, values) as T;
}

function filled(value: unknown, values: Values): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(item, values));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, values)]));
  if (typeof value !== 'string') return value;
  const whole = /^\{([\w.]+)\}$/.exec(value);
  return whole
    ? memberAt(values, whole[1]!)
    : value.replace(/\{([\w.]+)\}/g, (_, path: string) => String(memberAt(values, path)));
}

function memberAt(values: Values, path: string): unknown {
  return path.split('.').reduce<unknown>((found, name) => (found as Values)[name], values);
}
