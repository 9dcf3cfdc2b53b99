import { useEffect } from 'preact/hooks';
import { useDashboard, useWatch } from '../dashboard.ts';
import { formatTime } from '../format.ts';
import { sandboxPrefix } from '../link/sandbox-path.ts';
import { hrefOf } from '../route.ts';
import { useCertificates, type ListedCertificate } from './certificate-calls.ts';
import { CertificateDetail } from './certificate-detail.tsx';
import { certificateStatus, CountsBar, countsText } from './certificate-status.tsx';

/** The certificates that are made in the sandbox, and one of them with its cases. */
export function CertificatesView({ id }: { id: string | undefined }) {
  const { state } = useDashboard();
  useWatch(null);
  const { value: certificates, problem } = useCertificates();
  useEffect(() => {
    if (id === undefined) document.title = 'Certificates · Tapbench';
  }, [id]);
  const Title = id === undefined ? 'h1' : 'h2';
  if (state.mode.value === 'live') return null;
  return (
    <section class={id ? 'list-page with-detail' : 'list-page'} aria-labelledby="certificates-title">
      <div class="list-side">
        <div class="view-head">
          <Title id="certificates-title">Certificates</Title>
        </div>
        {problem !== undefined && <p class="quiet-note bad-words">{problem}</p>}
        {certificates?.length === 0 && <FirstCertificate />}
        {certificates !== undefined && certificates.length > 0 && (
          <ul class="item-list certificate-list" aria-label="Certificates, newest first">
            {certificates.map((certificate) => (
              <CertificateRow key={certificate.id} certificate={certificate} isOpen={certificate.id === id} />
            ))}
          </ul>
        )}
      </div>
      {id === undefined ? (
        <p class="quiet-note list-hint">
          {certificates?.length === 0 ? 'Its cases appear here.' : 'Select a certificate to see its cases.'}
        </p>
      ) : (
        <CertificateDetail id={id} key={id} />
      )}
    </section>
  );
}

function CertificateRow({ certificate, isOpen }: { certificate: ListedCertificate; isOpen: boolean }) {
  const { id, kind, name, status, startedTimestamp, counts, casesLeftOut, act } = certificate;
  const { words, tone } = certificateStatus(status);
  return (
    <li>
      <a href={hrefOf({ view: 'certificates', id })} aria-current={isOpen ? 'true' : undefined}>
        <span class={`pill ${tone}`}>{words}</span>
        <b class="clip">
          {kind} {name}
        </b>
        <time title="UTC">{formatTime(startedTimestamp * 1_000)}</time>
        <span class="certificate-counts">{countsText(counts, casesLeftOut)}</span>
        {act !== null && <span class="certificate-act">{act.text}</span>}
        <CountsBar counts={counts} />
      </a>
    </li>
  );
}

/** What certificates are, shown while there is none. */
function FirstCertificate() {
  const guide = (name: string) => `${sandboxPrefix(location.pathname)}/guides/docs/${name}.md`;
  return (
    <div class="first-plan">
      <p>
        A certificate says which rules a device or an endpoint keeps: each case takes a payment, most with a
        fault in it. Start one in a terminal window, and it grows here while it runs.
      </p>
      <pre>
        <code>npx tapbench certify device SIM-0001</code>
      </pre>
      <p>
        What is to be done at a device that is not simulated is asked for here as well, for a phone or tablet
        beside it.
      </p>
      <p>
        <a href={guide('certify-device')}>Certify a device</a> ·{' '}
        <a href={guide('certify-endpoint')}>Certify an endpoint</a>
      </p>
    </div>
  );
}
