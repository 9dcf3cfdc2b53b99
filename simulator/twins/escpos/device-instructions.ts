import {
  accepted,
  counted,
  digitOf,
  exactly,
  type Instruction,
  type InstructionTable,
  type Mechanism,
} from './instruction.ts';
import { PICTURE_INSTRUCTIONS } from './picture-instructions.ts';
import { TEXT_INSTRUCTIONS } from './text-instructions.ts';

const PINS: Record<number, 2 | 5> = { 0: 2, 1: 5 };

/** The first bytes of instructions, which are no times of a pulse that anyone means. */
const PREFIXES = [0x10, 0x1b, 0x1c, 0x1d];

/** A cut at once, of older printers. */
const cutNow = (name: string): Instruction => ({
  name,
  does: 'cut',
  parameters: exactly(0),
  run(sheet, _none, mechanism) {
    sheet.endLine();
    mechanism.cut('partial cut');
  },
});

/** Sends a status, or says that there is none. */
function asked(
  mechanism: Mechanism,
  request: 'DLE EOT' | 'GS r' | 'GS I',
  number: number,
): string | undefined {
  return mechanism.sendStatus(request, number) ? undefined : `there is no status ${number}: no reply is sent`;
}

/** Instructions that are carried out in their order. */
const QUEUED: InstructionTable = {
  '1B40': {
    name: 'ESC @',
    does: 'initialise',
    parameters: exactly(0),
    run(sheet) {
      const lost = !sheet.atLineStart;
      sheet.reset();
      if (lost) return 'a line has begun that no line feed has printed: it is lost';
    },
  },
  '1D56': {
    name: 'GS V',
    does: 'cut',
    // With 41, 42 and their like, the dots to feed before follow.
    parameters: counted(1, ([mode = 0]) => (mode >= 0x41 ? 1 : 0)),
    run(sheet, [mode = 0, dots = 0], mechanism) {
      const kind = mode >= 0x41 ? (mode - 0x41) % 0x20 : digitOf(mode);
      if (kind > 1) return `a cut is 0, 1, 30, 31, 41 or 42, not ${mode.toString(16)}`;
      sheet.endLine();
      if (mode >= 0x41) sheet.feed(dots);
      mechanism.cut(kind === 0 ? 'full cut' : 'partial cut');
    },
  },
  '1B69': cutNow('ESC i'),
  '1B6D': cutNow('ESC m'),
  '1B70': {
    name: 'ESC p',
    does: 'drawer pulse',
    parameters: exactly(3),
    run(_sheet, [connector = 0, on = 0, off = 0], mechanism) {
      const pin = PINS[digitOf(connector)];
      if (!pin) return `a drawer is 0 or 1, not ${connector}`;
      if (on === 0) return 'a pulse of 0 ms does not open the drawer';
      mechanism.pulseDrawer(pin, on * 2);
      if (PREFIXES.includes(on) || PREFIXES.includes(off))
        return 'its two times look like the beginning of an instruction: ESC p is followed by three bytes, and takes the next ones for them';
    },
  },
  '1B42': accepted('ESC B', 'buzzer', exactly(2)),
  '1D72': {
    name: 'GS r',
    does: 'status',
    parameters: exactly(1),
    run: (_sheet, [number = 0], mechanism) => asked(mechanism, 'GS r', number),
  },
  '1D49': {
    name: 'GS I',
    does: 'identification',
    parameters: exactly(1),
    run: (_sheet, [number = 0], mechanism) => asked(mechanism, 'GS I', number),
  },
  '1D61': {
    name: 'GS a',
    does: 'automatic status',
    parameters: exactly(1),
    run: (_sheet, [kinds = 0], mechanism) => mechanism.reportChanges(kinds),
  },
  '1B3D': {
    name: 'ESC =',
    does: 'selection',
    parameters: exactly(1),
    run: (_sheet, [devices = 1], mechanism) => mechanism.select((devices & 1) === 1),
  },
  '1B63': accepted('ESC c', 'sensors and buttons', exactly(2)),
  '1D3A': accepted('GS :', 'macro', exactly(0)),
  '1D5E': accepted('GS ^', 'run of a macro', exactly(3)),
  '1D45': accepted('GS E', 'quality of print', exactly(1)),
  '1D67': accepted('GS g', 'counter', exactly(3)),
};

/** Instructions that are carried out as soon as they come. */
const REAL_TIME: InstructionTable = {
  '1004': {
    name: 'DLE EOT',
    does: 'status now',
    parameters: counted(1, ([number = 0]) => (number === 7 || number === 8 ? 1 : 0)),
    realTime: true,
    run: (_sheet, [number = 0], mechanism) => asked(mechanism, 'DLE EOT', number),
  },
  '1005': {
    name: 'DLE ENQ',
    does: 'recovery',
    parameters: exactly(1),
    realTime: true,
    run(_sheet, [how = 0], mechanism) {
      if (how !== 1 && how !== 2 && how !== 0) return `it is 1 or 2, not ${how}`;
      mechanism.recover(how === 2);
    },
  },
  '1014': {
    name: 'DLE DC4',
    does: 'real-time request',
    parameters: counted(1, ([fn = 0]) => (fn === 1 || fn === 2 ? 2 : fn === 8 ? 7 : 0)),
    realTime: true,
    run(_sheet, [fn = 0, connector = 0, time = 0], mechanism) {
      if (fn === 8) return mechanism.clear();
      if (fn !== 1) return;
      const pin = PINS[connector];
      if (!pin || time < 1 || time > 8) return 'a pulse has 0 or 1 for its drawer, and 1 to 8 for its time';
      mechanism.pulseDrawer(pin, time * 100);
    },
  },
};

/** Every instruction that the printer knows. */
export const INSTRUCTIONS: InstructionTable = {
  ...TEXT_INSTRUCTIONS,
  ...PICTURE_INSTRUCTIONS,
  ...QUEUED,
  ...REAL_TIME,
};
