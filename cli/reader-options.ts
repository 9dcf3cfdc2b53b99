import { enumOption, stringOption, booleanOption } from './option.ts';

/** Listed here, since `--help` does not load the drivers; test/cli holds it to their table. */
export const DRIVER_NAMES = ['pn532', 'ccid', 'vivotech', 'zvt'] as const;

/** How a command is told which reader is meant. */
export const READER_OPTIONS = {
  driver: enumOption(DRIVER_NAMES, {
    flag: '--driver <name>',
    description: `What the reader speaks: ${DRIVER_NAMES.join(', ')}`,
    defaultText: 'what its USB id says, if it is clear',
  }),
  allowRealTerminal: booleanOption(
    '--allow-real-terminal',
    'Drive a payment terminal that authorises at its own bank: real money may move',
  ),
};

export const portOption = stringOption({
  flag: '--port <path>',
  description: 'Serial port of a real reader or its twin, such as /dev/ttyUSB0, COM3 or tcp://10.0.0.7:20007',
});
