import { Fault } from '../../protocol/failures.ts';
import { ENDPOINT_CASES } from '../certify/endpoint/endpoint-cases.ts';
import { openEndpointCase } from '../certify/endpoint/open-endpoint-case.ts';
import { removeLeftovers } from '../certify/record-case.ts';
import { CERTIFICATE_OPTIONS, certificateExitCodes, runCertificate } from '../certify/run-certificate.ts';
import { connectApi, SANDBOX_OPTIONS, type ServerApi } from '../client/api-client.ts';
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
    return runCertificate(context, {
      subject: { kind: 'endpoint', name: url.replace(/\?.*$/s, '') },
      cases: ENDPOINT_CASES,
      options,
      async prepare() {
        const api = connectApi(context, options);
        const webhook = await webhookOf(api, url);
        await removeLeftovers(api, 'endpoint');
        return (id) => openEndpointCase(context, { api, webhook, id, options });
      },
    });
  },
});

/** @throws Fault `bad_setting` when the endpoint is not registered, or not active */
async function webhookOf(api: ServerApi, url: string): Promise<{ id: string; eventTypes: string[] }> {
  const { items } = await api.call('GET /v1/webhooks');
  const webhook = items.find((one) => one.url === url && one.active);
  if (webhook) return webhook;
  throw new Fault(
    'bad_setting',
    `no active webhook has the URL ${url}: register it by 'tapbench webhooks add', and give its secret to the endpoint`,
  );
}
