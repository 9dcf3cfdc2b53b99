import { keysOf } from '../../protocol/tables.ts';
import { TEST_PIN } from '../../protocol/test-cards.ts';
import { deviceCertificate } from '../certify/device/device-certificate.ts';
import { DEVICE_ACTS } from '../certify/device/operator.ts';
import { CERTIFICATE_OPTIONS, certificateExitCodes, runCertificate } from '../certify/run-certificate.ts';
import { SANDBOX_OPTIONS } from '../client/api-client.ts';
import { terminalParameter } from '../client/terminal-choice.ts';
import { command, oneOf } from '../command-line/command.ts';
import { integerOption, stringOption } from '../command-line/option.ts';

export const certifyDevice = command({
  name: 'certify device',
  details:
    'Takes payments and refunds at a paired terminal, with a fault in most cases, and says which rules of docs/protocol.md it keeps. A simulated terminal is operated by the command, another one by you or by --operate. See docs/certify-device.md.',
  parameters: { terminal: terminalParameter },
  options: {
    operate: stringOption({
      flag: '--operate <command>',
      description:
        'Command line that operates the device, to which each act is added, such as `tap` or `pin 1234`',
      defaultText: 'the simulator, or prompts',
    }),
    without: stringOption({
      flag: '--without <acts>',
      description: 'Acts that cannot be done at the device, separated by commas, such as pin,paper-out',
      defaultText: 'all acts',
    }),
    pin: stringOption({
      flag: '--pin <digits>',
      description: 'PIN of the card that is put in',
      defaultValue: TEST_PIN,
    }),
    payments: integerOption(
      { min: 1, max: 100_000 },
      {
        flag: '--payments <number>',
        description: 'How many payments device.many takes one after another',
        defaultValue: '20',
      },
    ),
    seed: stringOption({ flag: '--seed <text>', description: 'Decides the amounts', defaultValue: '1' }),
    ...CERTIFICATE_OPTIONS,
    ...SANDBOX_OPTIONS,
  },
  examples: [
    {
      line: 'tapbench certify device SIM-0001 --only device.payment,device.twice.start',
      description: 'tries two cases at a simulated terminal',
    },
    {
      line: "tapbench certify device SIM-0001 --operate 'node lab.mjs' --only device.payment",
      description: 'has a program hold the card to it',
    },
  ],
  isJudge: true,
  exitCodes: certificateExitCodes('the device'),
  async run({ context, args: { terminal }, options }) {
    const without =
      options.without?.split(',').map((act) => oneOf('--without', keysOf(DEVICE_ACTS), act)) ?? [];
    return runCertificate(context, await deviceCertificate(context, terminal, { ...options, without }));
  },
});
