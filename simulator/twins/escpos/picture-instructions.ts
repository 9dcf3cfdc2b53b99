import { barCodeOf, frame, qrCodeOf } from './codes.ts';
import { counted, digitOf, exactly, littleEndian, accepted, type InstructionTable } from './instruction.ts';
import { strideOf, type Bitmap } from './paper.ts';
import type { Picture, Sheet } from './sheet.ts';

const QR_LEVELS = ['low', 'medium', 'quartile', 'high'] as const;
const CAPTIONS = ['none', 'above', 'below', 'both'] as const;

/** Returns rows of a picture, without what the paper has no room for. */
function cropped(
  bits: Uint8Array,
  { stride, height, dots }: { stride: number; height: number; dots: number },
): Bitmap {
  const width = Math.min(stride * 8, dots);
  const kept = strideOf(width);
  if (kept === stride) return { width, height, bits };
  const rows = new Uint8Array(kept * height);
  for (let y = 0; y < height; y += 1) rows.set(bits.subarray(y * stride, y * stride + kept), y * kept);
  return { width, height, bits: rows };
}

/** Turns columns from the left, with their dots from the top in the highest bit, to rows. */
function turned(columns: Uint8Array, bytesInColumn: number): Bitmap {
  const width = columns.length / bytesInColumn;
  const stride = strideOf(width);
  const height = bytesInColumn * 8;
  const bits = new Uint8Array(stride * height);
  for (let x = 0; x < width; x += 1)
    for (let y = 0; y < height; y += 1) {
      const isBlack = columns[x * bytesInColumn + (y >> 3)]! & (0x80 >> (y & 7));
      if (isBlack) bits[y * stride + (x >> 3)]! |= 0x80 >> (x & 7);
    }
  return { width, height, bits };
}

function pictureOf(bitmap: Bitmap, widened: number, heightened: number): Picture {
  const [width, height] = [bitmap.width * widened, bitmap.height * heightened];
  return { bitmap, width, height, label: `picture ${width} x ${height}` };
}

/** Checks a raster picture, and returns it. */
function rasterOf(
  bits: Uint8Array,
  {
    stride,
    height,
    dots,
    widened,
    heightened,
  }: Record<'stride' | 'height' | 'dots' | 'widened' | 'heightened', number>,
): Picture | undefined {
  if (stride === 0 || height === 0 || bits.length < stride * height) return undefined;
  return pictureOf(cropped(bits, { stride, height, dots: Math.ceil(dots / widened) }), widened, heightened);
}

const NO_ROWS = 'a picture has at least one row and one column, and as many bytes as it says';

const PICTURES: InstructionTable = {
  '1D76': {
    name: 'GS v 0',
    does: 'raster picture',
    parameters: counted(6, (given) => littleEndian(given, 2) * littleEndian(given, 4)),
    run(sheet, given) {
      const mode = digitOf(given[1]!);
      if (given[0] !== 0x30 || mode > 3)
        return `its third byte is 30 and its fourth 0 to 3, not ${given[0]} and ${given[1]}`;
      const picture = rasterOf(given.subarray(6), {
        stride: littleEndian(given, 2),
        height: littleEndian(given, 4),
        dots: sheet.dots,
        widened: mode & 1 ? 2 : 1,
        heightened: mode & 2 ? 2 : 1,
      });
      if (!picture) return NO_ROWS;
      sheet.printPicture(picture);
    },
  },
  '1B2A': {
    name: 'ESC *',
    does: 'column picture',
    parameters: counted(3, (given) => littleEndian(given, 1) * (given[0]! >= 32 ? 3 : 1)),
    run(sheet, given) {
      const mode = given[0]!;
      if (![0, 1, 32, 33].includes(mode)) return `its mode is 0, 1, 32 or 33, not ${mode}`;
      if (given.length === 3) return NO_ROWS;
      const [bytesInColumn, widened] = [mode >= 32 ? 3 : 1, mode % 2 === 0 ? 2 : 1];
      const kept = Math.ceil(sheet.dots / widened) * bytesInColumn;
      const bitmap = turned(given.subarray(3, 3 + kept), bytesInColumn);
      // Eight dots are as high as 24, and single density is half as dense.
      sheet.putPicture(pictureOf(bitmap, widened, mode >= 32 ? 1 : 3));
    },
  },
  '1D28': {
    name: 'GS (',
    does: 'extended instruction',
    parameters: counted(3, (given) => littleEndian(given, 1)),
    run(sheet, given, mechanism) {
      const [letter, data] = [String.fromCharCode(given[0]!), given.subarray(3)];
      if (letter === 'k') return runCode(sheet, data);
      if (letter === 'L') return runGraphics(sheet, data);
      // A request for a reply once all before it is printed.
      if (letter === 'H' && data[0] === 0x30 && data.length >= 6)
        return mechanism.reply(Uint8Array.of(0x37, 0x22, ...data.subarray(2, 6), 0));
      if (!'ACDEHKMNPVz'.includes(letter)) return `there is no function ${letter}`;
    },
  },
  '1D38': {
    name: 'GS 8 L',
    does: 'large graphics',
    parameters: counted(5, (given) => littleEndian(given, 1) + littleEndian(given, 3) * 0x10000),
    run: (sheet, given) => runGraphics(sheet, given.subarray(5)),
  },
  '1C70': accepted('FS p', 'stored picture', exactly(2)),
  '1D2A': accepted(
    'GS *',
    'definition of a picture',
    counted(2, (given) => given[0]! * given[1]! * 8),
  ),
  '1D2F': accepted('GS /', 'defined picture', exactly(1)),
};

/** Stores a picture (function 112), and prints it (functions 2 and 50). */
function runGraphics(sheet: Sheet, data: Uint8Array): string | undefined {
  const fn = data[1];
  if (fn === 0x70 || fn === 0x71) {
    if (data.length < 10) return 'a picture has ten bytes before its rows';
    const [widened, heightened] = [data[3]!, data[4]!];
    if (widened < 1 || widened > 2 || heightened < 1 || heightened > 2)
      return 'a picture is enlarged once or twice';
    const [columns, height] = [littleEndian(data, 6), littleEndian(data, 8)];
    if (fn === 0x71) return 'pictures in columns are not rendered';
    sheet.codes.picture = rasterOf(data.subarray(10), {
      stride: strideOf(columns),
      height,
      dots: Math.min(columns, sheet.dots),
      widened,
      heightened,
    });
    return sheet.codes.picture ? undefined : NO_ROWS;
  }
  if (fn === 0x02 || fn === 0x32) {
    if (!sheet.codes.picture) return 'no picture is stored';
    sheet.printPicture(sheet.codes.picture);
    sheet.codes.picture = undefined;
  }
}

const KINDS_2D: Record<number, { name: string; store: 'qr' | 'pdf417' | 'maxiCode' }> = {
  0x30: { name: 'PDF417', store: 'pdf417' },
  0x31: { name: 'QR', store: 'qr' },
  0x32: { name: 'MaxiCode', store: 'maxiCode' },
};

/** Sets up, stores and prints two-dimensional codes. */
function runCode(sheet: Sheet, data: Uint8Array): string | undefined {
  const [kind, fn, value = 0] = data;
  const { name, store } = KINDS_2D[kind ?? 0] ?? {};
  if (!store) return `there is no code ${kind}`;
  const { qr } = sheet.format;
  if (fn === 0x50) sheet.codes[store] = data.slice(3);
  if (fn === 0x51) {
    const stored = sheet.codes[store];
    if (!stored) return `no ${name} is stored`;
    return store === 'qr' ? printQr(sheet, stored) : printFrame(sheet, `${name}: ${utf8(stored)}`);
  }
  if (store === 'qr' && fn === 0x43) {
    if (value < 1 || value > 16) return `a module of a QR code has 1 to 16 dots, not ${value}`;
    qr.size = value;
  }
  if (store === 'qr' && fn === 0x45) {
    const level = QR_LEVELS[value - 0x30];
    if (!level) return `the level of a QR code is 30 to 33, not ${value}`;
    qr.level = level;
  }
}

function printQr(sheet: Sheet, text: Uint8Array): string | undefined {
  const bitmap = qrCodeOf(text, sheet.format.qr);
  if (!bitmap) return `a QR code has no room for ${text.length} bytes: nothing is printed`;
  const width = bitmap.width * sheet.format.qr.size;
  if (width > sheet.lineDots)
    return `the QR code has ${width} dots, and the line ${sheet.lineDots}: nothing is printed`;
  sheet.printPicture({ bitmap, width, height: width, label: `QR: ${utf8(text)}` });
}

function printFrame(sheet: Sheet, label: string): undefined {
  sheet.printPicture({ bitmap: frame(60, 30), width: Math.min(240, sheet.lineDots), height: 120, label });
}

const utf8 = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');

const CODES: InstructionTable = {
  '1D48': {
    name: 'GS H',
    does: 'text of bar codes',
    parameters: exactly(1),
    run({ format }, [value = 0]) {
      const text = CAPTIONS[digitOf(value)];
      if (!text) return `the text of a bar code is 0 to 3, not ${value}`;
      format.barCode.text = text;
    },
  },
  '1D66': {
    name: 'GS f',
    does: 'font of bar codes',
    parameters: exactly(1),
    run: ({ format }, [value = 0]) => void (format.barCode.font = digitOf(value) === 0 ? 'A' : 'B'),
  },
  '1D68': {
    name: 'GS h',
    does: 'height of bar codes',
    parameters: exactly(1),
    run({ format }, [dots = 0]) {
      if (dots === 0) return 'a bar code is at least one dot high';
      format.barCode.height = dots;
    },
  },
  '1D77': {
    name: 'GS w',
    does: 'width of bar codes',
    parameters: exactly(1),
    run({ format }, [dots = 0]) {
      if (dots < 1 || dots > 6) return `a bar is 2 to 6 dots wide, not ${dots}`;
      format.barCode.width = dots;
    },
  },
  '1D6B': {
    name: 'GS k',
    does: 'bar code',
    parameters(given) {
      const kind = given[0];
      if (kind === undefined) return 1;
      if (kind <= 6) return given.length > 1 && given.at(-1) === 0 ? given.length : given.length + 1;
      if (kind < 65 || kind > 79) return 1;
      return given.length < 2 ? 2 : 2 + given[1]!;
    },
    run(sheet, given) {
      const kind = given[0]!;
      return printBarCode(sheet, kind, kind <= 6 ? given.slice(1, -1) : given.slice(2));
    },
  },
  '1D5A': accepted('GS Z', 'kind of two-dimensional codes', exactly(1)),
  '1B5A': {
    name: 'ESC Z',
    does: 'QR code of Chinese printers',
    parameters: counted(5, (given) => littleEndian(given, 3)),
    run(sheet, given) {
      const size = given[2]!;
      const level = 'LMQH'.indexOf(String.fromCharCode(given[1]!));
      if (size >= 1 && size <= 16) sheet.format.qr.size = size;
      sheet.format.qr.level = QR_LEVELS[level] ?? 'low';
      return printQr(sheet, given.slice(5));
    },
  },
};

function printBarCode(sheet: Sheet, kind: number, data: Uint8Array): string | undefined {
  const code = barCodeOf(kind, data);
  if (!code) return `there is no bar code ${kind}`;
  if ('problem' in code) return code.problem;
  const { height, width: module, text, font } = sheet.format.barCode;
  const width = code.bitmap.width * module;
  if (width > sheet.lineDots)
    return `the bar code has ${width} dots, and the line ${sheet.lineDots}: nothing is printed`;
  sheet.endLine();
  if (text === 'above' || text === 'both') sheet.printCaption(code.text, font, width);
  sheet.printPicture({ bitmap: code.bitmap, width, height, label: `${code.kind}: ${code.text}` });
  if (text === 'below' || text === 'both') sheet.printCaption(code.text, font, width);
}

export const PICTURE_INSTRUCTIONS: InstructionTable = { ...PICTURES, ...CODES };
