import { Readable } from 'node:stream';
import { isPage } from '../../platform/http/auth.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { ReplyFile } from '../../platform/http/pages/reply-file.ts';
import { routeFor, type FindContext, type Route } from '../../platform/http/route.ts';
import {
  ActAnswerInput,
  ActAnswers,
  ActInput,
  AnsweredAct,
  AnswersQuery,
  AskedAct,
  CaseProgress,
  CaseTrace,
  CertificateEnd,
  CertificateInput,
  CertificateList,
  CertificateReply,
  StoredTrace,
} from './certificate.schema.ts';
import { certificatesOf, type CertifiedServices } from './certificates.ts';
import type { HeldCertificate } from './held-certificate.ts';

const route = routeFor<CertifiedServices>();

const common = { surface: 'sandbox', tag: 'Sandbox certificate', section: 'Sandbox' } as const;
/** Of calls that the page makes too. */
const shown = { ...common, access: 'dashboard' } as const;
/** Of calls that change no store. */
const told = { ...common, worksOutside: true, refusals: ['certificate_over'] } as const;

const TRACE_TYPE = 'application/gzip';
const TRACE_BYTES = 16_000_000;

type Finding<Names extends string> = FindContext<Names, unknown, CertifiedServices>;

const find = async ({ services, params }: Finding<'id'>) => certificatesOf(services).find(params.id);

/** Finds a certificate that has the case of the path. */
async function findWithCase({ services, params: { id, caseId } }: Finding<'id' | 'caseId'>) {
  const certificate = certificatesOf(services).find(id);
  return certificate?.hasCase(caseId) ? { certificate, caseId } : undefined;
}

async function findWithTrace(finding: Finding<'id' | 'caseId'>) {
  const found = await findWithCase(finding);
  const trace = found && certificatesOf(finding.services).traceOf(found.certificate, found.caseId);
  return trace && { ...found, trace };
}

function replyOf(services: CertifiedServices, certificate: HeldCertificate): CertificateReply {
  const certificates = certificatesOf(services);
  return certificate.reply((caseId) => certificates.traceOf(certificate, caseId) !== undefined);
}

const startRoute = route({
  ...common,
  operation: 'POST /sandbox/certificates',
  summary: 'Begin to show a certificate that a command makes in the sandbox',
  worksOutside: true,
  body: CertificateInput,
  reply: CertificateReply,
  refusals: ['too_many_certificates'],
  async handle({ services, body }) {
    const ids = body.cases.map(({ id }) => id);
    const twice = ids.findIndex((id, index) => ids.indexOf(id) < index);
    if (twice >= 0)
      throw new Refusal('invalid_field', {
        field: `cases.${twice}.id`,
        problem: 'is that of an earlier case',
      });
    return replyOf(services, certificatesOf(services).start(body));
  },
});

const listRoute = route({
  ...shown,
  operation: 'GET /sandbox/certificates',
  summary: 'List the certificates that are made, and the last ones that were',
  reply: CertificateList,
  async handle({ services, caller }) {
    const certificates = certificatesOf(services).list();
    if (isPage(caller)) for (const certificate of certificates) certificate.shown();
    return { items: certificates.map((certificate) => certificate.summary()) };
  },
});

const getRoute = route({
  ...shown,
  operation: 'GET /sandbox/certificates/{id}',
  summary: 'Retrieve a certificate with its cases',
  reply: CertificateReply,
  find,
  async handle({ services, caller, found }) {
    if (isPage(caller)) found.shown();
    return replyOf(services, found);
  },
});

const progressRoute = route({
  ...told,
  operation: 'POST /sandbox/certificates/{id}/cases/{caseId}',
  summary: 'Tell that a case of a certificate is under way, or what came of it',
  body: CaseProgress,
  reply: CertificateReply,
  find: findWithCase,
  async handle({ services, body, found: { certificate, caseId } }) {
    certificate.progress(caseId, body);
    return replyOf(services, certificate);
  },
});

const storeTraceRoute = route({
  ...told,
  operation: 'POST /sandbox/certificates/{id}/cases/{caseId}/trace',
  summary: 'Store the trace of a case, which the dashboard opens',
  bodyType: TRACE_TYPE,
  body: CaseTrace,
  reply: StoredTrace,
  refusals: ['certificate_over', 'body_too_large'],
  find: findWithCase,
  async handle({ services, content, found: { certificate, caseId } }) {
    const trace = await readAll(content);
    certificate.heard();
    certificatesOf(services).keepTrace(certificate, caseId, trace);
    return { id: caseId, bytes: trace.length };
  },
});

const getTraceRoute = route({
  ...shown,
  operation: 'GET /sandbox/certificates/{id}/cases/{caseId}/trace',
  summary: 'Download the trace of a case',
  replyType: TRACE_TYPE,
  reply: CaseTrace,
  find: findWithTrace,
  async handle({ found: { trace, caseId } }) {
    return new ReplyFile(Readable.from([trace]), {
      type: TRACE_TYPE,
      bytes: trace.length,
      name: `${caseId}.tapbench`,
    });
  },
});

const askRoute = route({
  ...told,
  operation: 'POST /sandbox/certificates/{id}/acts',
  summary: 'Ask the person at the device to do something',
  body: ActInput,
  reply: AskedAct,
  find,
  handle: async ({ body, found }) => found.ask(body),
});

const answerRoute = route({
  ...shown,
  operation: 'POST /sandbox/certificates/{id}/acts/{number}/answer',
  summary: 'Answer for the person at the device: it is done, or cannot be done',
  worksOutside: true,
  body: ActAnswerInput,
  reply: AnsweredAct,
  refusals: ['certificate_over', 'act_not_asked'],
  async find(finding) {
    const certificate = await find(finding);
    return certificate && { certificate, number: Number(finding.params.number) };
  },
  handle: async ({ body, found: { certificate, number } }) => certificate.answer(number, body),
});

const answersRoute = route({
  ...common,
  operation: 'GET /sandbox/certificates/{id}/answers',
  summary: 'Wait for what the person at the device answers, as the command that makes the certificate does',
  query: AnswersQuery,
  reply: ActAnswers,
  refusals: ['certificate_over'],
  find,
  async handle({ query: { after = 0, waitSeconds = 0 }, found }) {
    const items = await found.answersAfter(after, waitSeconds * 1_000);
    return { items, seen: found.isActSeen };
  },
});

const endRoute = route({
  ...told,
  operation: 'POST /sandbox/certificates/{id}/end',
  summary: 'Tell that a certificate has ended, or was broken off',
  body: CertificateEnd,
  reply: CertificateReply,
  find,
  async handle({ services, body: { status }, found }) {
    found.end(status);
    return replyOf(services, found);
  },
});

/** @throws Refusal `body_too_large` */
async function readAll(content: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of content) {
    const chunk = Buffer.from(part);
    bytes += chunk.length;
    if (bytes > TRACE_BYTES) throw new Refusal('body_too_large', { limit: '16 MB' });
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** The routes of the certificates that commands make. */
export const certificateRoutes: readonly Route[] = [
  startRoute,
  listRoute,
  getRoute,
  progressRoute,
  storeTraceRoute,
  getTraceRoute,
  askRoute,
  answerRoute,
  answersRoute,
  endRoute,
];
