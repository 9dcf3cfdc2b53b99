/** Widths of bars and the spaces between them, in modules, beginning with a bar: `212222`. */
type Widths = string;

/** A bar code: its widths, and its text with the check digit. Undefined for data whose check digit is wrong. */
type Encoded = { widths: Widths; text: string } | undefined;

/** A kind of bar codes. */
interface BarCodeKind {
  name: string;
  data: RegExp;
  /** What data it takes, in words. */
  rule: string;
  encode(data: string): Encoded;
}

const listOf = (letters: string, widths: string) => {
  const each = widths.split(' ');
  return (letter: string): Widths => each[letters.indexOf(letter)]!;
};

// ISO/IEC 15420: the widths of digits of set A; those of set B are the same backwards, those of set C begin with a bar.
const EAN_DIGITS = ['3211', '2221', '2122', '1411', '1132', '1231', '1114', '1312', '1213', '3112'];
/** Which of the first six digits of EAN-13 are of set B, by the digit before them. */
const EAN_SETS = [
  'AAAAAA',
  'AABABB',
  'AABBAB',
  'AABBBA',
  'ABAABB',
  'ABBAAB',
  'ABBBAA',
  'ABABAB',
  'ABABBA',
  'ABBABA',
];
const UPC_E_SETS = [
  'BBBAAA',
  'BBABAA',
  'BBAABA',
  'BBAAAB',
  'BABBAA',
  'BAABBA',
  'BAAABB',
  'BABABA',
  'BABAAB',
  'BAABAB',
];

const reversed = (widths: string) => widths.split('').toReversed().join('');

function eanDigits(digits: string, sets: string): Widths {
  const widthsOf = (digit: string, set: string) => {
    const widths = EAN_DIGITS[Number(digit)]!;
    return set === 'B' ? reversed(widths) : widths;
  };
  return digits
    .split('')
    .map((digit, at) => widthsOf(digit, sets[at] ?? 'A'))
    .join('');
}

/** Adds the check digit, or checks it where it is there. */
function withCheckDigit(digits: string, length: number): string | undefined {
  const given = digits.slice(0, length - 1);
  const weights = given.split('').map((digit, at) => Number(digit) * ((length - at) % 2 === 0 ? 3 : 1));
  const check = (10 - (weights.reduce((sum, value) => sum + value, 0) % 10)) % 10;
  const whole = given + check;
  return digits.length === length && digits !== whole ? undefined : whole;
}

function ean13(text: string): Widths {
  const first = eanDigits(text.slice(1, 7), EAN_SETS[Number(text[0])]!);
  return `111${first}11111${eanDigits(text.slice(7), '')}111`;
}

function encodeEan13(data: string): Encoded {
  const text = withCheckDigit(data, 13);
  return text === undefined ? undefined : { text, widths: ean13(text) };
}

function encodeEan8(data: string): Encoded {
  const text = withCheckDigit(data, 8);
  if (text === undefined) return undefined;
  return { text, widths: `111${eanDigits(text.slice(0, 4), '')}11111${eanDigits(text.slice(4), '')}111` };
}

function encodeUpcA(data: string): Encoded {
  const text = withCheckDigit(data, 12);
  return text === undefined ? undefined : { text, widths: ean13(`0${text}`) };
}

function encodeUpcE(data: string): Encoded {
  const text = data.length >= 11 ? withCheckDigit(data, 12) : withCheckDigit(expanded(data), 12);
  if (text === undefined) return undefined;
  const short = data.length >= 11 ? shortened(text) : sixDigits(data);
  if (short === undefined) return undefined;
  const [system, check] = [text[0]!, text[11]!];
  // In number system 1 the sets change places.
  const sets = UPC_E_SETS[Number(check)]!.replaceAll(/[AB]/g, (set) =>
    system === '0' ? set : set === 'A' ? 'B' : 'A',
  );
  return { text: system + short + check, widths: `111${eanDigits(short, sets)}111111` };
}

const sixDigits = (data: string) => (data.length === 6 ? data : data.slice(1, 7));

/** The eleven or twelve digits of UPC-A that six to eight digits of UPC-E stand for. */
function expanded(data: string): string {
  const system = data.length === 6 ? '0' : data[0]!;
  const [a, b, c, d, e, last] = sixDigits(data).split('');
  const body =
    {
      0: `${a}${b}${last}0000${c}${d}${e}`,
      1: `${a}${b}${last}0000${c}${d}${e}`,
      2: `${a}${b}${last}0000${c}${d}${e}`,
      3: `${a}${b}${c}00000${d}${e}`,
      4: `${a}${b}${c}${d}00000${e}`,
    }[Number(last)] ?? `${a}${b}${c}${d}${e}0000${last}`;
  return system + body + (data.length === 8 ? data[7] : '');
}

/** The six digits that stand for those of UPC-A; undefined where there are none. */
function shortened(text: string): string | undefined {
  for (const last of '0123456789') {
    const [maker, product] = [text.slice(1, 6), text.slice(6, 11)];
    const digits =
      last <= '2'
        ? maker.slice(0, 2) + product.slice(2)
        : last === '3'
          ? maker.slice(0, 3) + product.slice(3)
          : last === '4'
            ? maker.slice(0, 4) + product.slice(4)
            : maker;
    if (expanded(text[0]! + digits + last) === text.slice(0, 11)) return digits + last;
  }
}

// ISO/IEC 16388: a bar or space is narrow or three times as wide.
const CODE39 = listOf(
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%*',
  '111331311 311311113 113311113 313311111 111331113 311331111 113331111 111311313 311311311 ' +
    '113311311 311113113 113113113 313113111 111133113 311133111 113133111 111113313 311113311 ' +
    '113113311 111133311 311111133 113111133 313111131 111131133 311131131 113131131 111111333 ' +
    '311111331 113111331 111131331 331111113 133111113 333111111 131131113 331131111 133131111 ' +
    '131111313 331111311 133111311 131313111 131311131 131113131 111313131 131131311',
);

function encodeCode39(data: string): Encoded {
  const text = data.replaceAll('*', '');
  return { text, widths: `*${text}*`.split('').map(CODE39).join('1') };
}

// ISO/IEC 16390: two of five are wide; digits are in pairs, one in the bars and one in the spaces.
const ITF = ['11331', '31113', '13113', '33111', '11313', '31311', '13311', '11133', '31131', '13131'];

function encodeItf(data: string): Encoded {
  const pairs = [...data.matchAll(/(\d)(\d)/g)].map(([, bars, spaces]) =>
    ITF[Number(bars)]!.split('')
      .map((width, at) => width + ITF[Number(spaces)]![at]!)
      .join(''),
  );
  return { text: data, widths: `1111${pairs.join('')}311` };
}

const CODABAR = listOf(
  '0123456789-$:/.+ABCD',
  '1111122 1111221 1112112 2211111 1121121 2111121 1211112 1211211 1221111 2112111 1112211 1122111 ' +
    '2111212 2121112 2121211 1121212 1122121 1212112 1112122 1112221',
);

function encodeCodabar(data: string): Encoded {
  const text = data.toUpperCase();
  return { text, widths: text.split('').map(CODABAR).join('1') };
}

// AIM BC5. The last is the beginning and the end.
const CODE93_LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%abcd*';
const CODE93 = listOf(
  CODE93_LETTERS,
  '131112 111213 111312 111411 121113 121212 121311 111114 131211 141111 211113 211212 211311 ' +
    '221112 221211 231111 112113 112212 112311 122112 132111 111123 111222 111321 121122 131121 ' +
    '212112 212211 211122 211221 221121 222111 112122 112221 122121 123111 121131 311112 311211 ' +
    '321111 112131 113121 211131 121221 312111 311121 122211 111141',
);

function encodeCode93(data: string): Encoded {
  const withCheck = (text: string, most: number) => {
    const values = text
      .split('')
      .toReversed()
      .map((letter, at) => CODE93_LETTERS.indexOf(letter) * ((at % most) + 1));
    return text + CODE93_LETTERS[values.reduce((sum, value) => sum + value, 0) % 47]!;
  };
  const whole = `*${withCheck(withCheck(data, 20), 15)}*`;
  return { text: data, widths: `${whole.split('').map(CODE93).join('')}1` };
}

// ISO/IEC 15417, by value; then the end.
const CODE128 = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 ' +
  '122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 ' +
  '321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 112313 132113 132311 ' +
  '211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 ' +
  '213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 ' +
  '121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 ' +
  '241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 ' +
  '412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 ' +
  '211214 211232 2331112'
).split(' ');
const STARTS = { A: 103, B: 104, C: 105 };
const SWITCHES = { A: 101, B: 100, C: 99 };
const FUNCTIONS: Record<string, number> = { 1: 102, 2: 97, 3: 96, S: 98 };

/** Encodes data in the sets that it names: `{A`, `{B`, `{C`, and `{1` to `{3` for functions, `{S` to shift, `{{` for `{`. */
function encodeCode128(data: string): Encoded {
  let set: 'A' | 'B' | 'C' | undefined;
  let text = '';
  const values: number[] = [];
  for (let at = 0; at < data.length; at += 1) {
    const named = data[at] === '{' ? data[(at += 1)] : undefined;
    const next = (['A', 'B', 'C'] as const).find((known) => known === named);
    if (next) {
      values.push(set === undefined ? STARTS[next] : SWITCHES[next]);
      set = next;
      continue;
    }
    if (named !== undefined && named in FUNCTIONS) {
      values.push(FUNCTIONS[named]!);
      continue;
    }
    if (set === undefined || (named !== undefined && named !== '{')) return undefined;
    const code = data.charCodeAt(at);
    const value = set === 'C' ? code : set === 'A' && code < 0x20 ? code + 64 : code - 0x20;
    if (value < 0 || value > (set === 'C' ? 99 : 95)) return undefined;
    values.push(value);
    text += set === 'C' ? String(code).padStart(2, '0') : data[at];
  }
  const sum = values.reduce((total, value, at) => total + value * Math.max(at, 1), 0);
  return { text, widths: [...values, sum % 103, 106].map((value) => CODE128[value]!).join('') };
}

const LETTERS_RULE = 'takes digits, capital letters and the signs space $ % + - . /';

/** Kinds of bar codes by the number of `GS k` from 65 on; 0 to 6 are the first seven. */
export const BAR_CODES: readonly BarCodeKind[] = [
  { name: 'UPC-A', data: /^\d{11,12}$/, rule: 'takes 11 or 12 digits', encode: encodeUpcA },
  {
    name: 'UPC-E',
    data: /^(\d{6}|[01]\d{6,7}|[01]\d{10,11})$/,
    rule: 'takes 6, 7, 8, 11 or 12 digits',
    encode: encodeUpcE,
  },
  { name: 'EAN-13', data: /^\d{12,13}$/, rule: 'takes 12 or 13 digits', encode: encodeEan13 },
  { name: 'EAN-8', data: /^\d{7,8}$/, rule: 'takes 7 or 8 digits', encode: encodeEan8 },
  { name: 'CODE39', data: /^\*?[0-9A-Z $%+\-./]+\*?$/, rule: LETTERS_RULE, encode: encodeCode39 },
  { name: 'ITF', data: /^(\d\d)+$/, rule: 'takes an even number of digits', encode: encodeItf },
  {
    name: 'CODABAR',
    data: /^[A-Da-d][0-9$+\-./:]+[A-Da-d]$/,
    rule: 'takes digits and the signs $ + - . / : between two letters from A to D',
    encode: encodeCodabar,
  },
  { name: 'CODE93', data: /^[0-9A-Z $%+\-./]+$/, rule: LETTERS_RULE, encode: encodeCode93 },
  {
    name: 'CODE128',
    data: /^\{[ABC][^]+$/,
    rule: 'takes data that begins with {A, {B or {C',
    encode: encodeCode128,
  },
];
