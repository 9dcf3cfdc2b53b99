import { isNationalSet, rendersCodePage } from './code-pages.ts';
import {
  accepted,
  counted,
  digitOf,
  exactly,
  littleEndian,
  untilZero,
  type InstructionTable,
} from './instruction.ts';
import { letterStep } from './paper.ts';
import type { Sheet } from './sheet.ts';

const FONTS: Record<number, 'A' | 'B'> = { 0: 'A', 1: 'B', 2: 'B', 3: 'B', 4: 'B' };
const ALIGNMENTS = ['left', 'centre', 'right'] as const;
const TAB_STOPS_MAX = 32;

/** A change of the format that takes one byte, and whether its lowest bit is set. */
const toggle = (name: string, does: string, change: (sheet: Sheet, on: boolean) => void) => ({
  name,
  does,
  parameters: exactly(1),
  run: (sheet: Sheet, [value = 0]: Uint8Array) => change(sheet, (value & 1) === 1),
});

/** Instructions of letters: how they look, and their code page. */
const LETTERS: InstructionTable = {
  '1B21': {
    name: 'ESC !',
    does: 'print mode',
    parameters: exactly(1),
    run({ format }, [mode = 0]) {
      format.font = mode & 0x01 ? 'B' : 'A';
      format.bold = (mode & 0x08) !== 0;
      format.height = mode & 0x10 ? 2 : 1;
      format.width = mode & 0x20 ? 2 : 1;
      format.underline = mode & 0x80 ? 1 : 0;
    },
  },
  '1D21': {
    name: 'GS !',
    does: 'size',
    parameters: exactly(1),
    run({ format }, [size = 0]) {
      const [width, height] = [(size >> 4) + 1, (size & 0x0f) + 1];
      if (width > 8 || height > 8) return 'a letter is enlarged eight times at the most';
      format.width = width;
      format.height = height;
    },
  },
  '1B45': toggle('ESC E', 'bold', ({ format }, on) => void (format.bold = on)),
  '1B47': toggle('ESC G', 'double strike', ({ format }, on) => void (format.doubleStrike = on)),
  '1D42': toggle('GS B', 'white on black', ({ format }, on) => void (format.inverse = on)),
  '1B7B': toggle('ESC {', 'upside down', (sheet, on) => {
    if (sheet.atLineStart) sheet.format.upsideDown = on;
  }),
  '1B2D': {
    name: 'ESC -',
    does: 'underline',
    parameters: exactly(1),
    run({ format }, [value = 0]) {
      const thickness = digitOf(value);
      if (thickness !== 0 && thickness !== 1 && thickness !== 2)
        return `a thickness is 0, 1 or 2, not ${value}`;
      format.underline = thickness;
    },
  },
  '1B4D': {
    name: 'ESC M',
    does: 'font',
    parameters: exactly(1),
    run({ format }, [value = 0]) {
      const font = FONTS[digitOf(value)];
      if (!font) return `there is no font ${value}`;
      format.font = font;
    },
  },
  '1B20': {
    name: 'ESC space',
    does: 'space between letters',
    parameters: exactly(1),
    run: ({ format }, [dots = 0]) => void (format.spacing = dots),
  },
  '1B74': {
    name: 'ESC t',
    does: 'code page',
    parameters: exactly(1),
    run({ format }, [page = 0]) {
      const rendered = rendersCodePage(page);
      if (rendered === undefined) return `there is no code page ${page}`;
      format.codePage = page;
      if (!rendered) return `code page ${page} is not rendered: its letters above 7F are shown as □`;
    },
  },
  '1B52': {
    name: 'ESC R',
    does: 'national letters',
    parameters: exactly(1),
    run({ format }, [set = 0]) {
      if (!isNationalSet(set)) return `there are no national letters ${set}`;
      format.nationalSet = set;
    },
  },
  '1B72': accepted('ESC r', 'colour', exactly(1)),
  '1B56': accepted('ESC V', 'rotated letters', exactly(1)),
  '1D62': accepted('GS b', 'smoothing', exactly(1)),
  '1D7C': accepted('GS |', 'density', exactly(1)),
  '1B34': accepted('ESC 4', 'italics on', exactly(0)),
  '1B35': accepted('ESC 5', 'italics off', exactly(0)),
  '1C2E': accepted('FS .', 'Kanji off', exactly(0)),
  '1C26': accepted('FS &', 'Kanji on', exactly(0)),
  '1C43': accepted('FS C', 'Kanji code', exactly(1)),
  '1C2D': accepted('FS -', 'Kanji underline', exactly(1)),
  '1C21': accepted('FS !', 'Kanji print mode', exactly(1)),
  '1C57': accepted('FS W', 'Kanji size', exactly(1)),
  '1C53': accepted('FS S', 'Kanji spacing', exactly(2)),
  '1C28': accepted(
    'FS (',
    'Kanji setting',
    counted(3, (given) => littleEndian(given, 1)),
  ),
  '1B25': accepted('ESC %', 'letters of one’s own', exactly(1)),
  '1B3F': accepted('ESC ?', 'removal of a letter of one’s own', exactly(1)),
};

/** Instructions of places on a line, and of lines. */
const LINES: InstructionTable = {
  '0A': { name: 'LF', does: 'new line', parameters: exactly(0), run: (sheet) => sheet.printLine() },
  '0D': accepted('CR', 'carriage return', exactly(0)),
  '09': {
    name: 'HT',
    does: 'tab',
    parameters: exactly(0),
    run(sheet) {
      const { format, x } = sheet;
      const eighth = letterStep(format) * 8;
      const next = format.tabs ? format.tabs.find((stop) => stop > x) : (Math.floor(x / eighth) + 1) * eighth;
      if (next !== undefined) sheet.x = next;
    },
  },
  '1B44': {
    name: 'ESC D',
    does: 'tab stops',
    parameters: untilZero(TAB_STOPS_MAX + 1),
    run({ format }, stops) {
      const step = letterStep({ ...format, width: 1 });
      format.tabs = [...stops].filter((column) => column > 0).map((column) => column * step);
    },
  },
  '1B61': {
    name: 'ESC a',
    does: 'alignment',
    parameters: exactly(1),
    run(sheet, [value = 0]) {
      const align = ALIGNMENTS[digitOf(value)];
      if (!align) return `an alignment is 0, 1 or 2, not ${value}`;
      if (!sheet.atLineStart)
        return 'an alignment is taken at the beginning of a line only: this line has text already';
      sheet.format.align = align;
    },
  },
  '1B32': {
    name: 'ESC 2',
    does: 'usual line spacing',
    parameters: exactly(0),
    run: ({ format }) => void (format.lineSpacing = 30),
  },
  '1B33': {
    name: 'ESC 3',
    does: 'line spacing',
    parameters: exactly(1),
    run: ({ format }, [dots = 0]) => void (format.lineSpacing = dots),
  },
  '1B4A': {
    name: 'ESC J',
    does: 'feed by dots',
    parameters: exactly(1),
    run: (sheet, [dots = 0]) => sheet.printLine(dots),
  },
  '1B64': {
    name: 'ESC d',
    does: 'feed by lines',
    parameters: exactly(1),
    run: (sheet, [lines = 0]) => sheet.printLine(lines * sheet.format.lineSpacing),
  },
  '1B65': {
    name: 'ESC e',
    does: 'feed back by lines',
    parameters: exactly(1),
    run(sheet, [lines = 0]) {
      sheet.endLine();
      sheet.feed(-lines * sheet.format.lineSpacing);
    },
  },
  '1B24': {
    name: 'ESC $',
    does: 'place on the line',
    parameters: exactly(2),
    run: (sheet, at) => void (sheet.x = littleEndian(at, 0)),
  },
  '1B5C': {
    name: 'ESC \\',
    does: 'move on the line',
    parameters: exactly(2),
    run(sheet, by) {
      const dots = littleEndian(by, 0);
      sheet.x += dots >= 0x8000 ? dots - 0x10000 : dots;
    },
  },
  '1D4C': {
    name: 'GS L',
    does: 'left margin',
    parameters: exactly(2),
    run: (sheet, dots) => void (sheet.format.leftMargin = Math.min(littleEndian(dots, 0), sheet.dots)),
  },
  '1D57': {
    name: 'GS W',
    does: 'print width',
    parameters: exactly(2),
    run: ({ format }, dots) => void (format.printWidth = littleEndian(dots, 0)),
  },
  '1D50': accepted('GS P', 'units of motion', exactly(2)),
  '1B6C': accepted('ESC l', 'margin', exactly(1)),
  '1D54': accepted('GS T', 'beginning of the line', exactly(1)),
};

/** Instructions of page mode. Places on the page and its direction are not rendered: its lines follow each other. */
const PAGES: InstructionTable = {
  '0C': {
    name: 'FF',
    does: 'print the page',
    parameters: exactly(0),
    run(sheet) {
      sheet.printPage();
      sheet.pageMode = false;
    },
  },
  '18': { name: 'CAN', does: 'clear the page', parameters: exactly(0), run: (sheet) => sheet.clearPage() },
  '1B0C': {
    name: 'ESC FF',
    does: 'print the page and keep it',
    parameters: exactly(0),
    run: (sheet) => sheet.printPage(),
  },
  '1B4C': {
    name: 'ESC L',
    does: 'page mode',
    parameters: exactly(0),
    run: (sheet) => void (sheet.pageMode = true),
  },
  '1B53': {
    name: 'ESC S',
    does: 'standard mode',
    parameters: exactly(0),
    run(sheet) {
      sheet.clearPage();
      sheet.pageMode = false;
    },
  },
  '1B57': accepted('ESC W', 'area of the page', exactly(8)),
  '1B54': accepted('ESC T', 'direction of the page', exactly(1)),
  '1D24': accepted('GS $', 'place on the page', exactly(2)),
  '1D5C': accepted('GS \\', 'move on the page', exactly(2)),
};

export const TEXT_INSTRUCTIONS: InstructionTable = { ...LETTERS, ...LINES, ...PAGES };
