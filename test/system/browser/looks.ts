export const LARGE = { width: 1440, height: 900 };
export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 390, height: 844 };

const LOOKS = {
  'light-1440': { size: LARGE, dark: false },
  'dark-1440': { size: LARGE, dark: true },
  'light-1280': { size: WIDE, dark: false },
  'dark-1280': { size: WIDE, dark: true },
  'light-390': { size: NARROW, dark: false },
  'dark-390': { size: NARROW, dark: true },
};

type LookName = keyof typeof LOOKS;

/** Returns the size of the window and the theme that a page is looked at in, by name. */
export function looks(...names: LookName[]) {
  return names.map((look) => ({ look, ...LOOKS[look] }));
}

/** Every size in both themes. */
export const ALL_LOOKS = looks(...(Object.keys(LOOKS) as LookName[]));
