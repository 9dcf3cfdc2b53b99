import { join } from 'node:path';
import { Fault } from '../../protocol/failures.ts';
import { TEST_PIN } from '../../protocol/test-cards.ts';
import { countsOf, type Certificate } from '../certify/certificate.ts';
import { deviceCertificate } from '../certify/device/device-certificate.ts';
import { endpointCertificate } from '../certify/endpoint/endpoint-certificate.ts';
import { makeCertificate } from '../certify/run-certificate.ts';
import { TILL_CASES } from '../certify/till/till-cases.ts';
import { withTill } from '../certify/till/with-till.ts';
import type { ClientOptions } from '../client/api-client.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { commandOf, type OwnShop } from './shop-runs.ts';

interface CertifyInputs {
  kind: 'endpoint' | 'device' | 'till';
  /** URL of an endpoint, id or serial number of a terminal. */
  name: string | undefined;
  cases: readonly string[];
  seed: string;
  sandbox: string | undefined;
}

/** Makes certificates, for the tools. */
export interface CertificateRuns {
  /** @throws Fault `bad_setting` for what does not exist, and for a till where the command was started without a shop */
  certify(inputs: CertifyInputs): Promise<object>;
}

const OUT = 'certificate';
const QUIET_SECONDS = 2;
const JOBS = 4;
const SPEED = 20;

/** @param client returns the options of a sandbox */
export function createCertificateRuns(
  context: CommandContext,
  shop: OwnShop,
  client: (sandbox?: string) => ClientOptions,
): CertificateRuns {
  return {
    async certify({ kind, name, cases, seed, sandbox }) {
      const only = cases.join(',');
      const options = {
        only,
        except: undefined,
        out: OUT,
        resume: false,
        junit: undefined,
        json: true,
        seed,
      };
      if (kind === 'till') return report(await certifyTill(context, shop, options));
      const ofServer = { ...client(sandbox), ...options };
      if (kind === 'device') {
        const ofDevice = { operate: undefined, without: [], pin: TEST_PIN, payments: 20 };
        const parts = await deviceCertificate(context, name, { ...ofServer, ...ofDevice });
        return report(await makeCertificate(context, parts, () => {}));
      }
      if (name === undefined) throw new Fault('bad_setting', 'name must be the URL of the endpoint');
      const ofEndpoint = { books: shop.books?.startsWith('http') ? shop.books : undefined, quiet: 1 };
      const parts = endpointCertificate(context, name, { ...ofServer, ...ofEndpoint });
      return report(await makeCertificate(context, parts, () => {}));
    },
  };
}

function certifyTill(
  context: CommandContext,
  shop: OwnShop,
  options: Parameters<typeof makeCertificate>[1]['options'],
): Promise<Certificate> {
  const command = commandOf(shop);
  const { sell, books, webhooks, processes } = shop;
  const ofShop = { command, processes, sell, books, webhooks };
  const till = { ...options, ...ofShop, files: [], store: undefined, terminals: 1 };
  const pace = { speed: SPEED, quiet: QUIET_SECONDS, jobs: JOBS };
  return withTill(context, { ...till, ...pace }, (open) => {
    const subject = { kind: 'till', name: command };
    const parts = { subject, cases: TILL_CASES, options, prepare: async () => open };
    return makeCertificate(context, parts, () => {});
  });
}

function report(certificate: Certificate): object {
  const { results, cases, digest, subject } = certificate;
  return {
    what: `${subject.kind} ${subject.name}`,
    ...countsOf(certificate),
    notTried: cases - results.length,
    results: results.map(({ money: _money, trace, ...result }) => ({
      ...result,
      trace: trace === null ? null : join(OUT, trace),
    })),
    page: join(OUT, 'certificate.html'),
    digest,
  };
}
