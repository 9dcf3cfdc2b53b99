import { basename } from 'node:path';
import { Fault } from '../../protocol/failures.ts';
import { shellWord } from '../../protocol/system/shell-word.ts';
import { CERTIFICATE_OPTIONS, certificateExitCodes, runCertificate } from '../certify/run-certificate.ts';
import { TILL_CASES } from '../certify/till/till-cases.ts';
import { withTill } from '../certify/till/with-till.ts';
import { command } from '../command-line/command.ts';
import { listOption, stringOption } from '../command-line/option.ts';
import { sarif } from '../command-line/sarif-option.ts';
import { processLines, readCalls, storeToCopy } from '../hunt/hunt-engine.ts';
import { shopOptions } from '../hunt/shop-options.ts';

const EXAMPLE = 'tapbench certify till --sell /orders --books /books --webhooks /webhooks';

export const certifyTill = command({
  name: 'certify till',
  details:
    'Needs no server. Starts the command in a sandbox of its own for each run, lets it sell while a fault strikes, and says which rules it keeps: those of each drill, of each kind of fault, and of each way in which shops lose money. See docs/certify-till.md.',
  parameters: {},
  rest: 'command that starts the till; it is told its sandbox by its environment (docs/hunting.md)',
  options: {
    ...shopOptions(),
    calls: listOption(
      '--calls <file>',
      'JSON file of what is posted to the till, such as a sale and its refund, as tapbench hunt takes it; repeat for more. --sell is tried too',
    ),
    seed: stringOption({
      flag: '--seed <text>',
      description: 'Decides the amount of --sell',
      defaultValue: '1',
    }),
    sarif,
    ...CERTIFICATE_OPTIONS,
  },
  examples: [
    { line: `${EXAMPLE} -- python3 shop.py`, description: 'tries a sale under all faults' },
    {
      line: `${EXAMPLE} --calls refund.json --only 'till.drill.*' -- python3 shop.py`,
      description: 'tries the faults of the drills, also at a refund',
    },
  ],
  isJudge: true,
  exitCodes: certificateExitCodes('the till'),
  async run({ context, rest, options }) {
    if (rest.length === 0)
      throw new Fault('bad_setting', 'certify till needs the command that starts the till, after --');
    const files = options.calls.map((file) => ({
      name: basename(file, '.json'),
      calls: readCalls(file, undefined)!,
    }));
    const shop = {
      ...options,
      store: storeToCopy(options.store),
      processes: processLines(options.process),
      command: rest.map((word) => shellWord(word)).join(' '),
      files,
    };
    return withTill(context, shop, (open) =>
      runCertificate(context, {
        subject: { kind: 'till', name: rest.join(' ') },
        cases: TILL_CASES,
        options,
        program: rest.slice(1),
        prepare: async () => open,
      }),
    );
  },
});
