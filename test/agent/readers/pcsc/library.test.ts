import koffi from 'koffi';
import { expect, test } from 'vitest';
import { pcscTypes } from '../../../../agent/readers/pcsc/library.ts';

// Sizes by the headers of pcsc-lite, of PCSC.framework (packed) and of the Windows SDK, each on 64 bits.
test.each([
  ['linux', { word: 8, result: 8, handle: 8, readerState: 80, ioRequest: 16 }],
  ['darwin', { word: 4, result: 4, handle: 4, readerState: 61, ioRequest: 8 }],
  ['win32', { word: 4, result: 4, handle: 8, readerState: 64, ioRequest: 8 }],
] as const)('PC/SC library: the types of %s have the sizes of its headers', (system, sizes) => {
  const types = pcscTypes(koffi, system);
  expect(Object.fromEntries(Object.entries(types).map(([name, type]) => [name, koffi.sizeof(type)]))).toEqual(
    sizes,
  );
});

test.each([
  ['linux', { current: 16, event: 24, atrLength: 32, atr: 40 }],
  ['darwin', { current: 16, event: 20, atrLength: 24, atr: 28 }],
  ['win32', { current: 16, event: 20, atrLength: 24, atr: 28 }],
] as const)(
  'PC/SC library: the members of a reader state on %s are where its headers have them',
  (system, places) => {
    const { readerState } = pcscTypes(koffi, system);
    const found = Object.keys(places).map((name) => [name, koffi.offsetof(readerState, name)]);
    expect(Object.fromEntries(found)).toEqual(places);
  },
);
