export type Key = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | 'enter' | 'clear' | 'cancel';

/** The layout of the keypad, row by row. */
export const KEY_ROWS: readonly (readonly Key[])[] = [
  ['1', '2', '3', 'cancel'],
  ['4', '5', '6', 'clear'],
  ['7', '8', '9', 'enter'],
  ['0'],
];

/** Maps a key of the computer's keyboard to a key of the device. */
export function keyOf(name: string): Key | undefined {
  if (/^[0-9]$/.test(name)) return name as Key;
  return ({ Enter: 'enter', Backspace: 'clear', Delete: 'clear', Escape: 'cancel' } as const)[name];
}
