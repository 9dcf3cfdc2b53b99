import { endpointCertificate } from '../certify/endpoint/endpoint-certificate.ts';
import { CERTIFICATE_OPTIONS, certificateExitCodes, runCertificate } from '../certify/run-certificate.ts';
import { SANDBOX_OPTIONS } from '../client/api-client.ts';
import { command, required } from '../command-line/command.ts';
import { integerOption, stringOption } from '../command-line/option.ts';

export const certifyEndpoint = command({
  name: 'certify endpoint',
  details:
    'Sells online in the sandbox in which the endpoint is registered, with a fault in each case, and says which rules the endpoint keeps. See docs/certify-endpoint.md.',
  parameters: { url: required('URL of the endpoint, as it is registered') },
  options: {
    books: stringOption({
      flag: '--books <from>',
      description: 'File or URL with what the books of its shop say, as JSON',
      defaultText: 'what it books is not shown',
    }),
    seed: stringOption({ flag: '--seed <text>', description: 'Decides the amounts', defaultValue: '1' }),
    quiet: integerOption(
      { min: 1, max: 60 },
      {
        flag: '--quiet <seconds>',
        description: 'How long it gets to end its work before its books are read',
        defaultValue: '1',
      },
    ),
    ...CERTIFICATE_OPTIONS,
    ...SANDBOX_OPTIONS,
  },
  examples: [
    {
      line: 'tapbench certify endpoint http://127.0.0.1:3000/hook --books books.json',
      description: 'tries all cases, and reads in the file what was booked',
    },
    {
      line: 'tapbench certify endpoint http://127.0.0.1:3000/hook --only endpoint.unsigned',
      description: 'tries one, and what it needs',
    },
  ],
  isJudge: true,
  exitCodes: certificateExitCodes('the endpoint'),
  run({ context, args: { url }, options }) {
    return runCertificate(context, endpointCertificate(context, url, options));
  },
});
