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

/**
 * Returns the sizes of the window and the themes that a page is looked at in, by name: one of each size, with the themes in
 * turn, since a size changes the layout and a theme the colours. `npm run prove:looks` takes each of them (`LOOKS=all`).
 */
export function looks(...names: LookName[]) {
  return (ALL ? names : sampleOf(names)).map((look) => ({ look, ...LOOKS[look] }));
}

const ASKED = process.env['LOOKS'];
if (ASKED !== undefined && ASKED !== 'all') throw new Error(`LOOKS must be 'all' or not set: '${ASKED}'`);
const ALL = ASKED === 'all';

function sampleOf(names: readonly LookName[]): LookName[] {
  const sizes = [...new Set(names.map((name) => LOOKS[name].size))];
  return sizes.map((size, index) => {
    const ofSize = names.filter((name) => LOOKS[name].size === size);
    return ofSize.find((name) => LOOKS[name].dark === (index % 2 === 1)) ?? ofSize[0]!;
  });
}

/** Every size, in both themes where all are taken. */
export const ALL_LOOKS = looks(...(Object.keys(LOOKS) as LookName[]));
