import { expect, test } from 'vitest';
import { parseTerminalState } from '../../simulator/terminal-state.ts';
import { firstMemory, USUAL_PRINTER } from '../../simulator/twins/escpos/printer-memory.ts';
import { arrive, FORK_CASES } from './fork-cases.ts';

test('a simulated terminal, exported: the state has no card number and no credentials', async () => {
  const counter = await arrive(FORK_CASES.find(({ name }) => name === 'waits for a PIN after a wrong one')!);
  const text = JSON.stringify(await counter.terminal.exportState());
  expect(text).toContain('visa-contact-pin');
  for (const secret of ['401200000006', 'hush-hush', '1234']) expect(text).not.toContain(secret);
});

test('parseTerminalState: refuses a newer version, a damaged state and an unknown card, and names them', async () => {
  const counter = await arrive(FORK_CASES[0]!);
  const state = await counter.terminal.exportState();
  expect(parseTerminalState(state)).toEqual(state);
  const memory = firstMemory(USUAL_PRINTER);
  const refusals: [unknown, RegExp][] = [
    [{ ...state, version: 2 }, /version 2; this version of tapbench reads 1/],
    [{ ...state, reader: { ...state.reader, typedDigits: 'abc' } }, /reader.*typedDigits/],
    [{ ...state, reader: { ...state.reader, readCard: 'gold-card' } }, /the card gold-card/],
    [
      { ...state, reader: { ...state.reader, phase: 'reading' } },
      /reader reads a card that it does not have/,
    ],
    [
      { ...state, receiptPrinter: { settings: { ...USUAL_PRINTER, dots: 1e9 }, memory, faults: [] } },
      /receiptPrinter.settings.dots/,
    ],
    [
      { ...state, receiptPrinter: { settings: USUAL_PRINTER, memory, faults: [{ state: 'on fire' }] } },
      /receiptPrinter.faults.0/,
    ],
    [null, /not valid/],
  ];
  for (const [value, problem] of refusals) {
    expect(() => parseTerminalState(value)).toThrow(problem);
  }
});
