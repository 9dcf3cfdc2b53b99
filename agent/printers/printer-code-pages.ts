/** The code pages that receipts are printed in, with their number of `ESC t`. iconv-lite has them by the same names. */
export const CODE_PAGE_NUMBERS = {
  cp437: 0,
  cp850: 2,
  cp860: 3,
  cp863: 4,
  cp865: 5,
  cp857: 13,
  cp737: 14,
  'iso-8859-7': 15,
  'windows-1252': 16,
  cp866: 17,
  cp852: 18,
  cp858: 19,
  cp775: 33,
  cp855: 34,
  cp862: 36,
  'iso-8859-2': 39,
  'iso-8859-15': 40,
  'windows-1250': 45,
  'windows-1251': 46,
  'windows-1253': 47,
  'windows-1254': 48,
  'windows-1257': 51,
} as const;

export type PrinterCodePage = keyof typeof CODE_PAGE_NUMBERS;
