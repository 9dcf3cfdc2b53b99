import { expect, test } from 'vitest';
import { createSimulatedPrinter } from '../../simulator/printer.ts';

test('createSimulatedPrinter: each copy takes a sheet, and the last copies are kept', async () => {
  const printer = createSimulatedPrinter();
  expect(printer.sheets).toBe(1000);

  expect(await printer.print('merchantCopy', 'MERCHANT COPY')).toBe('printed');
  expect(await printer.print('customerCopy', 'CUSTOMER COPY')).toBe('printed');
  expect(printer.sheets).toBe(998);
  expect(printer.printed).toEqual([
    { copy: 'merchantCopy', text: 'MERCHANT COPY' },
    { copy: 'customerCopy', text: 'CUSTOMER COPY' },
  ]);
});

test('createSimulatedPrinter: prints again after paper was loaded', async () => {
  const printer = createSimulatedPrinter(1);
  expect(await printer.print('merchantCopy', 'first')).toBe('printed');
  expect(await printer.print('customerCopy', 'lost')).toBe('noPaper');
  expect(printer.sheets).toBe(0);

  printer.load(10);
  expect(await printer.print('customerCopy', 'second')).toBe('printed');
  expect(printer.printed.map(({ text }) => text)).toEqual(['first', 'second']);
});

test('createSimulatedPrinter: keeps only the last copies', async () => {
  const printer = createSimulatedPrinter();
  for (let number = 1; number <= 500; number++) await printer.print('customerCopy', `receipt ${number}`);

  expect(printer.printed.length).toBeLessThan(10);
  expect(printer.printed.at(-1)?.text).toBe('receipt 500');
});
