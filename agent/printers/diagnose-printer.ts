import type { Clock } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import type { LineSettings, OpenPort } from '../readers/byte-port.ts';
import type { CheckResult } from '../readers/driver.ts';
import { runDeviceChecks } from '../readers/device-checks.ts';
import type { FrameTrace } from '../readers/frame-channel.ts';
import { createAnswerParser } from './printer-answers.ts';
import { createPrinterConnection } from './printer-connection.ts';
import { CUT } from './printer-instructions.ts';
import { receiptBytes, type PrinterPaper } from './receipt-bytes.ts';

const TEST_PAGE_LIMIT_MS = 15_000;

interface DiagnosePrinterParts {
  open: OpenPort;
  line: LineSettings;
  paper: PrinterPaper;
  clock: Clock;
  trace?: FrameTrace | undefined;
}

/** Reads the state of a receipt printer and prints a test page. Stops after the first step that fails. */
export function diagnosePrinter({ line, paper, ...parts }: DiagnosePrinterParts): AsyncIterable<CheckResult> {
  return runDeviceChecks({
    ...parts,
    settings: line,
    parser: createAnswerParser(),
    trials(channel) {
      const connection = createPrinterConnection(channel, parts.clock);
      return [
        {
          step: 'read its state',
          advice:
            'mend what it names; one that does not answer may have another speed (--printer-baud), another language than ESC/POS, or a line in one direction only',
          async run() {
            const condition = await connection.readCondition();
            if (!condition) throw new Fault('reader', 'the printer does not answer');
            if (condition.problem !== undefined) throw new Fault('reader', condition.problem);
            return condition.isPaperLow ? 'ready; the paper is near its end' : 'ready';
          },
        },
        {
          step: 'print a test page',
          advice:
            'if the page came out, the printer does not answer GS r, which says that a receipt is printed: it cannot be used',
          async run() {
            await connection.print([...receiptBytes(testPage(paper), paper), ...CUT]);
            if (await connection.isPrinted(1, TEST_PAGE_LIMIT_MS))
              return `printed: its first line must fill the paper, and its last be ${LETTERS}, or ? for what the code page does not have`;
            const condition = await connection.readCondition();
            throw new Fault('reader', condition?.problem ?? 'the printer does not say that it is printed');
          },
        },
      ];
    },
  });
}

const LETTERS = 'ä é ñ ø £ € ł Я Ω';

/** A line as long as the paper is wide, and letters above ASCII: a wrong number of columns or code page shows. */
function testPage({ columns, codePage }: PrinterPaper): string {
  const ruler = '1234567890'.repeat(Math.ceil(columns / 10)).slice(0, columns);
  return [ruler, 'Tapbench test page', `${columns} columns, code page ${codePage}`, LETTERS].join('\n');
}
