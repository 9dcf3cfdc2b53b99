import { letterOf } from './code-pages.ts';
import { firstFormat, type Format } from './format.ts';
import { LETTER_DOTS, letterStep, type Bitmap, type PaperElement, type TextRun } from './paper.ts';

/** A picture and its place: its width and height are those on the paper. */
export interface Picture {
  bitmap: Bitmap;
  width: number;
  height: number;
  label: string;
}

/** Two-dimensional codes, and the picture that was sent to be printed later. */
interface StoredCodes {
  qr?: Uint8Array | undefined;
  pdf417?: Uint8Array | undefined;
  maxiCode?: Uint8Array | undefined;
  picture?: Picture | undefined;
}

// A line can be written over without an end by setting its position back.
const RUNS_MAX = 1_000;

interface SheetParts {
  /** Dots of a line. */
  dots: number;
  /** Called when the paper moves by so many dots. Negative ones move it back. */
  feed(dots: number): void;
}

/** The line under the print head, and what is printed above it since the last cut. */
export class Sheet {
  readonly dots: number;
  format: Format;
  codes: StoredCodes = {};
  /** In page mode lines are collected, and printed together. */
  pageMode = false;
  readonly #feed: (dots: number) => void;
  #elements: PaperElement[] = [];
  #page: PaperElement[] = [];
  #y = 0;
  #pageY = 0;
  #x = 0;
  #runs: TextRun[] = [];
  #pictures: (Picture & { x: number })[] = [];

  constructor({ dots, feed }: SheetParts) {
    this.dots = dots;
    this.#feed = feed;
    this.format = firstFormat(dots);
  }

  /** Whether the line has nothing yet. */
  get atLineStart(): boolean {
    return this.#x === 0 && this.#runs.length === 0 && this.#pictures.length === 0;
  }

  /** Dots from the left margin to the next letter. */
  get x(): number {
    return this.#x;
  }

  set x(dots: number) {
    this.#x = Math.min(Math.max(dots, 0), this.lineDots);
  }

  /** Dots of a line between its margins. */
  get lineDots(): number {
    const { leftMargin, printWidth } = this.format;
    return Math.max(Math.min(printWidth, this.dots - leftMargin), 0);
  }

  /** What is on the paper since the last cut. */
  get elements(): readonly PaperElement[] {
    return this.#elements;
  }

  get height(): number {
    return this.#y;
  }

  /**
   * Puts letters on the line, up to the end of the first line that they fill, which is then printed. Returns how many
   * there were.
   */
  type(bytes: Uint8Array): number {
    const { format } = this;
    const step = letterStep(format);
    for (let index = 0; index < bytes.length; index += 1) {
      const isFull = this.#x + step > this.lineDots || this.#runs.length >= RUNS_MAX;
      if (isFull && !this.atLineStart) {
        this.printLine();
        return index;
      }
      this.#put(letterOf(bytes[index]!, format), step);
    }
    return bytes.length;
  }

  /** Puts a picture on the line, such as a column image. */
  putPicture(picture: Picture): void {
    if (this.#pictures.length >= RUNS_MAX) this.printLine();
    this.#pictures.push({ ...picture, x: this.#x });
    this.x += picture.width;
  }

  /** Prints the line, and moves the paper by the line spacing, or by so many dots. */
  printLine(dots: number = this.format.lineSpacing): void {
    const tallest = Math.max(
      ...this.#runs.map(({ font, height }) => LETTER_DOTS[font].height * height),
      ...this.#pictures.map(({ height }) => height),
      dots,
    );
    const start = this.#startOf(this.#x);
    const moved = <T extends { x: number }>(part: T): T => ({ ...part, x: part.x + start });
    if (this.#runs.length > 0)
      this.#add({ kind: 'text', y: 0, height: tallest, runs: this.#runs.map(moved) });
    for (const picture of this.#pictures) this.#add({ kind: 'picture', y: 0, ...moved(picture) });
    this.#x = 0;
    this.#runs = [];
    this.#pictures = [];
    this.feed(tallest);
  }

  /** Prints what is on the line, if anything is. */
  endLine(): void {
    if (!this.atLineStart) this.printLine();
  }

  /** Prints a picture on lines of its own. */
  printPicture(picture: Picture): void {
    this.endLine();
    this.#add({ kind: 'picture', y: 0, x: this.#startOf(picture.width), ...picture });
    this.feed(picture.height);
  }

  /** Prints text in the middle of something so wide, such as the digits of a bar code. */
  printCaption(text: string, font: TextRun['font'], width: number): void {
    const plain = { bold: false, underline: 0, inverse: false, upsideDown: false, spacing: 0 } as const;
    const { height, width: step } = LETTER_DOTS[font];
    const x = Math.max(this.#startOf(width) + Math.floor((width - text.length * step) / 2), 0);
    this.#add({ kind: 'text', y: 0, height, runs: [{ x, text, font, width: 1, height: 1, ...plain }] });
    this.feed(height);
  }

  /** Moves the paper, up to the last cut at most. */
  feed(dots: number): void {
    if (this.pageMode) {
      this.#pageY = Math.max(this.#pageY + dots, 0);
      return;
    }
    const before = this.#y;
    this.#y = Math.max(before + dots, 0);
    this.#feed(this.#y - before);
  }

  /** Prints the page of page mode. */
  printPage(): void {
    this.endLine();
    const height = this.#pageY;
    for (const element of this.#page) this.#elements.push({ ...element, y: element.y + this.#y });
    this.clearPage();
    this.#y += height;
    this.#feed(height);
  }

  clearPage(): void {
    this.#page = [];
    this.#pageY = 0;
  }

  /** Forgets the line, the page and the format, as `ESC @` and switching off do. */
  reset(): void {
    this.format = firstFormat(this.dots);
    this.codes = {};
    this.pageMode = false;
    this.clearPage();
    this.#x = 0;
    this.#runs = [];
    this.#pictures = [];
  }

  /** Takes the paper off. Returns what was on it. */
  takeOff(): { elements: readonly PaperElement[]; height: number } {
    const taken = { elements: this.#elements, height: this.#y };
    this.#elements = [];
    this.#y = 0;
    return taken;
  }

  #put(letter: string, step: number): void {
    const { font, width, height, bold, doubleStrike, underline, inverse, upsideDown, spacing } = this.format;
    const style = {
      font,
      width,
      height,
      bold: bold || doubleStrike,
      underline,
      inverse,
      upsideDown,
      spacing,
    };
    const last = this.#runs.at(-1);
    if (last && isContinued(last, style) && last.x + last.text.length * step === this.#x) last.text += letter;
    else this.#runs.push({ x: this.#x, text: letter, ...style });
    this.#x += step;
  }

  /** The left edge of something so wide. */
  #startOf(width: number): number {
    const free = Math.max(this.lineDots - width, 0);
    const share = { left: 0, centre: 0.5, right: 1 }[this.format.align];
    return this.format.leftMargin + Math.floor(free * share);
  }

  #add(element: PaperElement): void {
    if (this.pageMode) this.#page.push({ ...element, y: this.#pageY });
    else this.#elements.push({ ...element, y: this.#y });
  }
}

type LetterStyle = Omit<TextRun, 'x' | 'text'>;

function isContinued(run: TextRun, style: LetterStyle): boolean {
  return (
    run.font === style.font &&
    run.width === style.width &&
    run.height === style.height &&
    run.bold === style.bold &&
    run.underline === style.underline &&
    run.inverse === style.inverse &&
    run.upsideDown === style.upsideDown &&
    run.spacing === style.spacing
  );
}
