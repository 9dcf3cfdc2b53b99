import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INSTRUCTIONS } from '../../../../simulator/twins/escpos/device-instructions.ts';
import { paperSvg } from '../../../../simulator/twins/escpos/paper-svg.ts';
import { paperText } from '../../../../simulator/twins/escpos/paper-text.ts';
import { openPrinter } from './printer-fixture.ts';

/** Bytes of an instruction with parameters that are near what it takes. */
const instruction = fc
  .tuple(
    fc.constantFrom(...Object.keys(INSTRUCTIONS)),
    fc.array(fc.constantFrom(0, 1, 2, 3, 8, 48, 49, 50, 65, 67, 73, 80, 81, 112, 255), { maxLength: 12 }),
  )
  .map(([name, parameters]) => [...Buffer.from(name, 'hex'), ...parameters]);

const jobs = fc.array(
  fc.oneof(
    instruction,
    fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 30 }),
    fc.string({ maxLength: 20 }).map((text) => [...Buffer.from(text)]),
    // Codes whose data may be anything.
    fc
      .tuple(fc.integer({ min: 65, max: 79 }), fc.string({ maxLength: 14 }))
      .map(([kind, text]) => [0x1d, 0x6b, kind, Buffer.byteLength(text), ...Buffer.from(text)]),
  ),
  { maxLength: 25 },
);

test('ESC/POS printer: whatever comes, it is printed or named, rendered, and nothing is due in the end', async () => {
  await fc.assert(
    fc.asyncProperty(jobs, async (pieces) => {
      const { host, clock, printer } = openPrinter({ settings: { rollLines: 200_000 } });
      await host.write(Uint8Array.from(pieces.flat()));
      await clock.advance(1_100);
      for (const paper of [...printer.receipts, printer.paper]) {
        for (const line of paperText(paper).split('\n')) expect(line).not.toMatch(/undefined|NaN/);
        expect(paperSvg(paper)).not.toMatch(/NaN|undefined|Infinity/);
      }
      expect(clock.due).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
