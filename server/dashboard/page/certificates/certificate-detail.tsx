import { useEffect, useState } from 'preact/hooks';
import { formatDate, formatDuration, formatTime } from '../format.ts';
import { Icon } from '../parts/icons.tsx';
import { hrefOf } from '../route.ts';
import { ActPanel } from './act-panel.tsx';
import { CaseRow } from './case-row.tsx';
import { useCertificate, type ShownCase, type ShownCertificate } from './certificate-calls.ts';
import { certificateStatus, CountsBar, countsText } from './certificate-status.tsx';

/** A certificate: what is to be done now, and its cases. */
export function CertificateDetail({ id }: { id: string }) {
  const { value: certificate, problem, reread } = useCertificate(id);
  return (
    <div class="item-detail">
      <a class="detail-back" href={hrefOf({ view: 'certificates' })}>
        <Icon name="back" size={14} />
        All certificates
      </a>
      {problem !== undefined && <p class="quiet-note bad-words">{problem}</p>}
      {certificate ? (
        <Certificate certificate={certificate} reread={reread} />
      ) : (
        <h1 class="unseen">Certificate {id}</h1>
      )}
    </div>
  );
}

function Certificate({ certificate, reread }: { certificate: ShownCertificate; reread: () => void }) {
  const { id, kind, name, status, cases, counts, act, casesLeftOut, terminalId } = certificate;
  const [answered, setAnswered] = useState(0);
  const running = cases.find((one) => one.status === 'Running');
  const asked = act && act.number > answered ? act : null;
  useTitle(asked ? 'Your turn' : name);
  const { words, tone } = certificateStatus(status);
  return (
    <>
      <header class="detail-head certificate-head">
        <span class={`pill ${tone}`}>{words}</span>
        <h1>
          {kind} <span class="mono">{name}</span>
        </h1>
        {terminalId !== null && <a href={hrefOf({ view: 'terminal', id: terminalId })}>Terminal</a>}
      </header>
      <div class="unseen" aria-live="assertive">
        {asked && `Now at the device: ${asked.text}`}
      </div>
      {asked && (
        <ActPanel
          key={asked.number}
          id={id}
          act={asked}
          caseTitle={running?.title}
          onAnswered={() => {
            setAnswered(asked.number);
            reread();
          }}
        />
      )}
      {running && !asked && <RunningCase certificate={certificate} running={running} />}
      {status === 'BrokenOff' && (
        <p class="broken-off">
          The command that made it was interrupted, or has not been heard of for some time. With{' '}
          <code>--resume</code> it goes on where it was broken off.
        </p>
      )}
      <section class="detail-section" aria-labelledby="cases-title">
        <h2 id="cases-title">{countsText(counts, casesLeftOut)}</h2>
        <CountsBar counts={counts} />
        <p class="quiet-line">{timesText(certificate)}</p>
        <ol class="case-list" aria-label="Cases">
          {cases.map((one) => (
            <CaseRow
              key={one.id}
              id={id}
              terminalId={terminalId}
              one={one}
              isOpen={one.status === 'Running'}
            />
          ))}
        </ol>
      </section>
    </>
  );
}

/** The case that runs, while nobody has to do anything. */
function RunningCase({
  certificate: { cases },
  running,
}: {
  certificate: ShownCertificate;
  running: ShownCase;
}) {
  return (
    <section class="detail-section under-way" aria-label="Under way">
      <h2>
        Case {cases.indexOf(running) + 1} of {cases.length}
      </h2>
      <p class="act-text">{running.title}</p>
      <p class="quiet-line">Nothing is to be done at the device now.</p>
    </section>
  );
}

function timesText({ startedTimestamp, endedTimestamp }: ShownCertificate): string {
  const startedMs = startedTimestamp * 1_000;
  const began = `Began ${formatDate(startedMs)} ${formatTime(startedMs)} UTC`;
  if (endedTimestamp === null) return began;
  return `${began}, took ${formatDuration((endedTimestamp - startedTimestamp) * 1_000)}`;
}

function useTitle(words: string): void {
  useEffect(() => {
    document.title = `${words} · Certificates · Tapbench`;
  }, [words]);
}
