import { enumOption, integerOption, listOption, stringOption } from '../command-line/option.ts';

/** Options of the twin of a receipt printer. They are undefined when not given, so that other twins refuse them. */
export const PRINTER_OPTIONS = {
  out: stringOption({
    flag: '--out <folder>',
    description: 'Write each receipt to this folder, as text and as a picture (SVG) (escpos)',
    defaultText: 'the terminal, as text',
  }),
  columns: enumOption(['48', '42', '32'], {
    flag: '--columns <number>',
    description: 'Letters of a line: 48 or 42 on paper of 80 mm, 32 of 58 mm (escpos)',
    defaultText: '48',
  }),
  roll: integerOption(
    { min: 0, max: 100_000 },
    {
      flag: '--roll <lines>',
      description: 'Lines of a roll; 0 begins without paper (escpos)',
      defaultText: '2000',
    },
  ),
  nearEnd: integerOption(
    { min: 0, max: 100_000 },
    {
      flag: '--near-end <lines>',
      description: 'Lines left from which on it reports the end of the roll (escpos)',
      defaultText: '60',
    },
  ),
  drawerOpen: enumOption(['high', 'low'], {
    flag: '--drawer-open <level>',
    description: "Level of the drawer's pin while it is open, high or low, as drawers differ (escpos)",
    defaultText: 'low',
  }),
  fault: listOption(
    '--fault <fault>',
    "What happens to it, such as 'paper-out after cut 1' or 'cover-open after line 20'; several times for several (escpos)",
  ),
};
