import { Fault } from '../../../protocol/failures.ts';
import { connectApi, type ClientOptions, type ServerApi } from '../../client/api-client.ts';
import type { CommandContext } from '../../command-line/command-context.ts';
import { removeLeftovers } from '../record-case.ts';
import { reportCertificate } from '../report/certificate-report.ts';
import type { CertificateOptions, CertificateParts } from '../run-certificate.ts';
import type { EndpointBench } from './endpoint-bench.ts';
import { ENDPOINT_CASES } from './endpoint-cases.ts';
import { openEndpointCase } from './open-endpoint-case.ts';

interface EndpointOptions extends ClientOptions, CertificateOptions {
  /** File or URL of the books. */
  books: string | undefined;
  /** Seconds. */
  quiet: number;
}

/** Returns what makes the certificate of an endpoint. @param url as it is registered */
export function endpointCertificate(
  context: CommandContext,
  url: string,
  options: EndpointOptions,
): CertificateParts<EndpointBench> {
  const subject = { kind: 'endpoint', name: url.replace(/\?.*$/s, '') };
  return {
    subject,
    report: reportCertificate(context, options, subject),
    cases: ENDPOINT_CASES,
    options,
    async prepare() {
      const api = connectApi(context, options);
      const webhook = await webhookOf(api, url);
      await removeLeftovers(api, 'endpoint');
      return (id) => openEndpointCase(context, { api, webhook, id, options });
    },
  };
}

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
