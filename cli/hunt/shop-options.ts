import { integerOption, listOption, stringOption } from '../command-line/option.ts';

/** The options that say what a shop that is a process consists of, and its paths. */
export const SHOP_PARTS = {
  sell: stringOption({
    flag: '--sell <path>',
    description: 'Path of the shop to which the order is posted, such as /orders',
    defaultText: 'the command sells when it starts',
  }),
  books: stringOption({
    flag: '--books <from>',
    description:
      'Path of the shop that returns its books, such as /books, or a command line that prints them',
  }),
  webhooks: stringOption({
    flag: '--webhooks <path>',
    description: 'Path of the shop that takes webhooks, such as /webhooks',
  }),
  process: listOption(
    '--process <name=line>',
    'Name and command line of what runs beside the shop, such as a worker; can be given several times',
  ),
};

/** Returns the options of what runs a shop as a process. @param when ends what they say, such as `, with --command` */
export function shopOptions(when = '') {
  return {
    ...SHOP_PARTS,
    store: stringOption({
      flag: '--store <path>',
      description: `File or folder of which each plan gets a copy as the store of the shop${when}`,
      defaultText: 'it begins without one',
    }),
    terminals: integerOption(
      { min: 1, max: 20 },
      {
        flag: '--terminals <number>',
        description: `Terminals of the sandbox${when}`,
        defaultValue: '1',
      },
    ),
    speed: integerOption(
      { min: 1, max: 50 },
      {
        flag: '--speed <number>',
        description: `How many times as fast as real time that of the sandbox passes${when}`,
        defaultValue: '20',
      },
    ),
    quiet: integerOption(
      { min: 1, max: 600 },
      {
        flag: '--quiet <seconds>',
        description: `The shop is done when it has sent nothing for so long${when}`,
        defaultValue: '2',
      },
    ),
    jobs: integerOption(
      { min: 1, max: 32 },
      {
        flag: '--jobs <number>',
        description: `Plans to try at once, each with a process, a port and a store of its own${when}`,
        defaultValue: '1',
      },
    ),
  };
}
