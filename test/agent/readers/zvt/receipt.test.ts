import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReceiptCollector } from '../../../../agent/readers/zvt/receipt.ts';
import { blockCommand, lineCommands } from '../../../../simulator/twins/zvt/zvt-language.ts';
import { property } from '../../../property.ts';

const MERCHANT = ['H Ä N D L E R B E L E G', '', 'Betrag EUR 17,42'];
const CUSTOMER = ['K U N D E N B E L E G', '', 'Betrag EUR 17,42'];

test('receipt collector: assigns text blocks to copies by receipt type', () => {
  const collector = createReceiptCollector();
  collector.take(blockCommand(CUSTOMER, 'customer'));
  collector.take(blockCommand(MERCHANT, 'merchant'));
  expect(collector.receipt()).toEqual({
    merchantCopy: MERCHANT.join('\n'),
    customerCopy: CUSTOMER.join('\n'),
  });
});

test('receipt collector: assigns lines to copies by the attribute of the last line', () => {
  const collector = createReceiptCollector();
  for (const line of [...lineCommands(MERCHANT, 'merchant'), ...lineCommands(CUSTOMER, 'customer')])
    collector.take(line);
  expect(collector.receipt()?.customerCopy).toBe(CUSTOMER.join('\n'));
  expect(collector.text()).toBe([...MERCHANT, ...CUSTOMER].join('\n'));
});

test('receipt collector: uses one copy for both, and returns undefined without any', () => {
  const collector = createReceiptCollector();
  expect(collector.receipt()).toBeUndefined();
  collector.take(blockCommand(CUSTOMER, 'customer'));
  expect(collector.receipt()?.merchantCopy).toBe(CUSTOMER.join('\n'));
});

test('receipt collector: masks card numbers in lines and in text blocks', () => {
  const printed = [
    'PAN 4761739001010010',
    'Nr. 4761 7390 0101 0010 / 00',
    'AMEX 374245-455400-126',
    // Not card numbers: no check digit, too long, a terminal's and a contract's.
    'VU-Nr 4761739001010011',
    'Ref 47617390010100104761739',
    'T-ID 52500041 VU 455600012',
  ];
  const masked = [
    'PAN ************0010',
    'Nr. **** **** **** 0010 / 00',
    'AMEX ******-*****0-126',
    ...printed.slice(3),
  ].join('\n');
  const inLines = createReceiptCollector();
  for (const line of lineCommands(printed, 'merchant')) inLines.take(line);
  expect(inLines.receipt()?.merchantCopy).toBe(masked);
  expect(inLines.text()).toBe(masked);
  const inBlocks = createReceiptCollector();
  inBlocks.take(blockCommand(printed, 'customer'));
  expect(inBlocks.receipt()?.customerCopy).toBe(masked);
});

test('receipt collector: a line feed becomes an empty line', () => {
  const collector = createReceiptCollector();
  collector.take({ control: 0x06d1, data: Uint8Array.of(0xff, 2) });
  collector.take({ control: 0x06d1, data: Uint8Array.of(0x81, 0x41) });
  expect(collector.receipt()?.merchantCopy).toBe('\n\nA');
});

property([fc.constantFrom(0x06d1, 0x06d3), fc.uint8Array({ maxLength: 100 })])(
  'receipt collector: accepts any print command',
  (control, data) => {
    const collector = createReceiptCollector();
    collector.take({ control, data });
    expect(typeof collector.text()).toBe('string');
  },
);
