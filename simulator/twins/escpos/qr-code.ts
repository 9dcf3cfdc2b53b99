/** How much of a QR code can be dirty: 7, 15, 25 and 30 %. */
export type QrLevel = 'low' | 'medium' | 'quartile' | 'high';

// ISO/IEC 18004 table 9: check bytes of each block, and blocks, by level and version.
const CHECK_BYTES: Record<QrLevel, readonly number[]> = {
  low: [
    7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
  medium: [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  ],
  quartile: [
    13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30, 28,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
  high: [
    17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
};
const BLOCKS: Record<QrLevel, readonly number[]> = {
  low: [
    1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17,
    18, 19, 19, 20, 21, 22, 24, 25,
  ],
  medium: [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29,
    31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
  ],
  quartile: [
    1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35, 38,
    40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
  ],
  high: [
    1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42, 45,
    48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
  ],
};
const LEVEL_BITS: Record<QrLevel, number> = { low: 1, medium: 0, quartile: 3, high: 2 };
const VERSIONS = 40;

/** Rows of modules, true for black. */
type Modules = boolean[][];

/** Encodes bytes as a QR code of the smallest size that has room for them; undefined when none has. */
export function encodeQrCode(bytes: Uint8Array, level: QrLevel): Modules | undefined {
  for (let version = 1; version <= VERSIONS; version += 1) {
    const room = dataBytes(version, level);
    const countBits = version < 10 ? 8 : 16;
    if (4 + countBits + bytes.length * 8 > room * 8) continue;
    const codewords = interleaved(padded(bytes, { countBits, room }), version, level);
    return bestMasked(codewords, version, level);
  }
  return undefined;
}

/** Bytes of a version besides its patterns: data and checks. */
function rawBytes(version: number): number {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const marks = Math.floor(version / 7) + 2;
    modules -= (25 * marks - 10) * marks - 55;
    if (version >= 7) modules -= 36;
  }
  return Math.floor(modules / 8);
}

const dataBytes = (version: number, level: QrLevel) =>
  rawBytes(version) - CHECK_BYTES[level][version - 1]! * BLOCKS[level][version - 1]!;

/** The mode, the number of bytes, the bytes, and what fills the rest. */
function padded(bytes: Uint8Array, { countBits, room }: { countBits: number; room: number }): number[] {
  const bits = [
    bitsOf(0b0100, 4),
    bitsOf(bytes.length, countBits),
    ...Array.from(bytes, (byte) => bitsOf(byte, 8)),
  ].join('');
  const ended = bits + '0'.repeat(Math.min(4, room * 8 - bits.length));
  const words = (ended.padEnd(Math.ceil(ended.length / 8) * 8, '0').match(/.{8}/g) ?? []).map((word) =>
    Number.parseInt(word, 2),
  );
  for (let fill = 0xec; words.length < room; fill ^= 0xec ^ 0x11) words.push(fill);
  return words;
}

const bitsOf = (value: number, length: number) => value.toString(2).padStart(length, '0');

/** Splits data into blocks, adds the checks of each, and takes a byte of each in turn. */
function interleaved(data: readonly number[], version: number, level: QrLevel): number[] {
  const [blocks, checks] = [BLOCKS[level][version - 1]!, CHECK_BYTES[level][version - 1]!];
  const raw = rawBytes(version);
  const short = Math.floor(raw / blocks) - checks;
  const longFrom = blocks - (raw % blocks);
  const divisor = checkDivisor(checks);
  let from = 0;
  const parts = Array.from({ length: blocks }, (_, index) => {
    const part = data.slice(from, (from += short + (index >= longFrom ? 1 : 0)));
    return { part, check: checkBytes(part, divisor) };
  });
  const inTurn = (columns: number, of: (block: (typeof parts)[number]) => number[]) =>
    Array.from({ length: columns }, (_, at) => parts.flatMap((block) => of(block)[at] ?? [])).flat();
  return [...inTurn(short + 1, ({ part }) => part), ...inTurn(checks, ({ check }) => check)];
}

/** Multiplies in the field of 256 elements with the polynomial 11D. */
function multiply(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((other >> bit) & 1) * one;
  }
  return product;
}

/** The coefficients of (x - 1)(x - 2)(x - 4)…, without the first, which is 1. */
function checkDivisor(degree: number): number[] {
  const divisor: number[] = Array.from({ length: degree }, (_, at) => (at === degree - 1 ? 1 : 0));
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    for (let at = 0; at < degree; at += 1)
      divisor[at] = multiply(divisor[at]!, root) ^ (divisor[at + 1] ?? 0);
    root = multiply(root, 2);
  }
  return divisor;
}

/** The remainder of a division by the divisor: Reed-Solomon. */
function checkBytes(data: readonly number[], divisor: readonly number[]): number[] {
  const remainder = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ remainder.shift()!;
    remainder.push(0);
    for (const [at, coefficient] of divisor.entries()) remainder[at]! ^= multiply(coefficient, factor);
  }
  return remainder;
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Draws the code with each mask, and returns the one that is easiest to read. */
function bestMasked(codewords: readonly number[], version: number, level: QrLevel): Modules {
  const { modules: bare, isPattern } = patterns(version);
  drawData(bare, isPattern, codewords);
  const drawn = MASKS.map((mask, number) => {
    const modules = bare.map((row, y) =>
      row.map((black, x) => (isPattern[y]![x] ? black : black !== mask(x, y))),
    );
    drawFormat(modules, (LEVEL_BITS[level] << 3) | number);
    return { modules, penalty: penaltyOf(modules) };
  });
  return drawn.reduce((best, next) => (next.penalty < best.penalty ? next : best)).modules;
}

/** The patterns of a version: what finds, aligns and times a code, its version, and room for its format. */
function patterns(version: number): { modules: Modules; isPattern: Modules } {
  const size = version * 4 + 17;
  const empty = (): Modules => Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  const [modules, isPattern] = [empty(), empty()];
  const set = (x: number, y: number, black: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    modules[y]![x] = black;
    isPattern[y]![x] = true;
  };
  const square = (x: number, y: number, radius: number, isBlack: (ring: number) => boolean) => {
    for (let dy = -radius; dy <= radius; dy += 1)
      for (let dx = -radius; dx <= radius; dx += 1)
        set(x + dx, y + dy, isBlack(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  const marks = alignments(version);
  const last = marks.length - 1;
  for (const [row, y] of marks.entries())
    for (const [column, x] of marks.entries()) {
      const isCorner = (row === 0 && (column === 0 || column === last)) || (row === last && column === 0);
      if (!isCorner) square(x, y, 2, (ring) => ring !== 1);
    }
  for (let at = 0; at < 9; at += 1) {
    if (at !== 6) set(at, 8, false);
    if (at !== 6) set(8, at, false);
  }
  for (let at = 1; at <= 8; at += 1) {
    set(size - at, 8, false);
    set(8, size - at, at === 8);
  }
  if (version >= 7) {
    const bits = withRemainder(version, { degree: 12, polynomial: 0x1f25 });
    for (let at = 0; at < 18; at += 1) {
      const [near, far] = [Math.floor(at / 3), size - 11 + (at % 3)];
      set(near, far, ((bits >> at) & 1) === 1);
      set(far, near, ((bits >> at) & 1) === 1);
    }
  }
  return { modules, isPattern };
}

/** The places of alignment marks in each direction. */
function alignments(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const last = version * 4 + 10;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - (count - 2 - index) * step)];
}

/** Adds the remainder of a division of polynomials. */
function withRemainder(
  value: number,
  { degree, polynomial }: { degree: number; polynomial: number },
): number {
  let remainder = value;
  for (let step = 0; step < degree; step += 1)
    remainder = (remainder << 1) ^ ((remainder >> (degree - 1)) * polynomial);
  return (value << degree) | remainder;
}

function drawFormat(modules: Modules, format: number): void {
  const bits = withRemainder(format, { degree: 10, polynomial: 0x537 }) ^ 0x5412;
  const size = modules.length;
  for (let at = 0; at < 15; at += 1) {
    const black = ((bits >> at) & 1) === 1;
    const down = at < 6 ? at : at < 8 ? at + 1 : size - 15 + at;
    const along = at < 8 ? size - 1 - at : at === 8 ? 7 : 14 - at;
    modules[down]![8] = black;
    modules[8]![along] = black;
  }
}

/** Fills the room between the patterns from the right, up and down in columns of two. */
function drawData(modules: Modules, isPattern: Modules, codewords: readonly number[]): void {
  const size = modules.length;
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    // The column of the timing pattern is left out.
    if (right === 6) right = 5;
    const isUp = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1)
      for (const x of [right, right - 1]) {
        const y = isUp ? size - 1 - step : step;
        if (isPattern[y]![x] || bit >= codewords.length * 8) continue;
        modules[y]![x] = ((codewords[bit >> 3]! >> (7 - (bit & 7))) & 1) === 1;
        bit += 1;
      }
  }
}

/** How hard a code is to read: long runs, blocks, what looks like a finder, and more of one colour. */
function penaltyOf(modules: Modules): number {
  const size = modules.length;
  let penalty = 0;
  let blacks = 0;
  for (let y = 0; y < size; y += 1) {
    penalty += linePenalty((x) => modules[y]![x]!, size) + linePenalty((x) => modules[x]![y]!, size);
    for (let x = 0; x < size; x += 1) {
      const black = modules[y]![x];
      if (black) blacks += 1;
      const above = modules[y - 1];
      if (above && x > 0 && black === modules[y]![x - 1] && black === above[x] && black === above[x - 1])
        penalty += 3;
    }
  }
  return penalty + Math.floor(Math.abs((blacks * 100) / (size * size) - 50) / 5) * 10;
}

// The last eleven modules as bits: what looks like a finder, with light beside it.
const FINDERS = [0b00001011101, 0b10111010000];

function linePenalty(at: (index: number) => boolean, size: number): number {
  let penalty = 0;
  let run = 0;
  let bits = 0;
  for (let index = 0; index < size; index += 1) {
    const black = at(index);
    run = index > 0 && black === at(index - 1) ? run + 1 : 1;
    if (run >= 5) penalty += run === 5 ? 3 : 1;
    bits = ((bits << 1) | (black ? 1 : 0)) & 0x7ff;
    if (index >= 10 && FINDERS.includes(bits)) penalty += 40;
  }
  return penalty;
}
