export type Key = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | 'enter' | 'clear' | 'cancel';

/** The keys as they lie, line by line. */
export const KEY_ROWS: readonly (readonly Key[])[] = [
  ['1', '2', '3', 'cancel'],
  ['4', '5', '6', 'clear'],
  ['7', '8', '9', 'enter'],
  ['0'],
];

/** The key of the device that a key of the computer stands for. */
export function keyOf(name: string): Key | undefined {
  if (/^[0-9]$/.test(name)) return name as Key;
  return ({ Enter: 'enter', Backspace: 'clear', Delete: 'clear', Escape: 'cancel' } as const)[name];
}
