import { factsHtml, pageHtml } from '../../server/platform/http/pages/page-layout.ts';
import { safeHtml } from '../../server/platform/http/pages/safe-html.ts';
import { countsOf, type CaseResult, type Certificate } from './certificate.ts';

/** In the order of the page. */
const VERDICTS = ['failed', 'not shown', 'passed'] as const;

/** Returns a certificate as one HTML page, which loads nothing else. */
export function certificatePage(certificate: Certificate): string {
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
