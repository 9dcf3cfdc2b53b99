import { enumOption, stringOption, booleanOption } from '../command-line/option.ts';

/** Repeated here so that `--help` need not load the drivers; a test compares it with their table. */
export const DRIVER_NAMES = ['pn532', 'ccid', 'vivotech', 'zvt'] as const;

/** Options that choose a reader. */
export const READER_OPTIONS = {
  driver: enumOption(DRIVER_NAMES, {
    flag: '--driver <name>',
    description: `Driver of the reader: ${DRIVER_NAMES.join(', ')}`,
    defaultText: 'detected by its USB id, if that is unambiguous',
  }),
  allowRealTerminal: booleanOption(
    '--allow-real-terminal',
    'Allow a payment terminal that authorises at its own bank: real money may move',
  ),
};

export const portOption = stringOption({
  flag: '--port <path>',
  description: 'Serial port of a real reader or its twin, such as /dev/ttyUSB0, COM3 or tcp://10.0.0.7:20007',
});
