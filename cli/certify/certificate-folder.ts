import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../protocol/failures.ts';
import { factsHtml, pageHtml } from '../../server/platform/http/pages/page-layout.ts';
import { safeHtml } from '../../server/platform/http/pages/safe-html.ts';
import { resultReader, writeResult } from '../command-line/result-folder.ts';
import { Certificate, countsOf, type CaseResult, type Subject } from './certificate.ts';

const NAME = 'certificate';

const readCertificate = resultReader(Certificate);

/** Writes a certificate and its page into a folder, each in one step. @throws Fault `bad_setting` when it cannot */
export function writeCertificate(folder: string, certificate: Certificate): void {
  writeResult(folder, { name: NAME, value: certificate, page: certificatePage(certificate) });
}

/**
 * Returns the certificate that a run which was broken off has left.
 * @throws Fault `bad_setting` when there is none, or it is of something else
 */
export function readUnfinished(folder: string, subject: Subject): Certificate {
  const path = join(folder, `${NAME}.json`);
  if (!existsSync(path)) throw new Fault('bad_setting', `--resume: there is no ${path}`);
  const certificate = readCertificate(path, '--resume');
  const other = (['kind', 'name', 'version', 'seed', 'plan'] as const).find(
    (name) => certificate.subject[name] !== subject[name],
  );
  if (other)
    throw new Fault(
      'bad_setting',
      `--resume: ${path} is of another ${other === 'name' ? subject.kind : other}: run it without --resume`,
    );
  return certificate;
}

/** In the order of the page. */
const VERDICTS = ['failed', 'not shown', 'passed'] as const;

/** Returns a certificate as one HTML page, which loads nothing else. */
function certificatePage(certificate: Certificate): string {
  const { subject, startedTimestamp, digest } = certificate;
  return pageHtml({
    title: verdictText(certificate),
    from: 'Tapbench',
    about: `${subject.kind} certificate`,
    wide: true,
    body: safeHtml`${factsHtml([
      ['What', subject.name],
      ['When', new Date(startedTimestamp * 1000).toISOString()],
      ['Version', subject.version],
      ['Seed', subject.seed],
      ['Digest', digest],
    ])}${VERDICTS.flatMap((verdict) => certificate.results.filter((one) => one.verdict === verdict)).map(resultHtml)}`,
  });
}

function resultHtml({ id, rule, verdict, reason, trace }: CaseResult) {
  return safeHtml`<section><h2>${verdict}: ${id}</h2><p>${rule}</p><p>${reason}${
    trace !== null && safeHtml` <a href="${trace}">trace</a>`
  }</p></section>`;
}

/** Returns the counts of a certificate in words: `2 failed, 14 passed, 1 not shown, 1 not tried`. */
export function verdictText(certificate: Pick<Certificate, 'cases' | 'results'>): string {
  const counts = countsOf(certificate);
  const parts = (['failed', 'passed', 'not shown'] as const).flatMap((verdict) =>
    counts[verdict] > 0 ? [`${counts[verdict]} ${verdict}`] : [],
  );
  const left = certificate.cases - certificate.results.length;
  return [...parts, ...(left > 0 ? [`${left} not tried`] : [])].join(', ');
}
