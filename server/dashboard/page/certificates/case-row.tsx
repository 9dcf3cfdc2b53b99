import { pathInSandbox } from '../link/sandbox-path.ts';
import { hrefOf } from '../route.ts';
import type { ShownCase } from './certificate-calls.ts';

const STATUS_WORDS: Record<ShownCase['status'], [words: string, tone: string]> = {
  Passed: ['passed', 'good'],
  Failed: ['failed', 'bad'],
  NotShown: ['not shown', 'warn'],
  Running: ['under way', 'live'],
  NotTried: ['not tried', 'plain'],
};

interface CaseRowProps {
  /** Of the certificate. */
  id: string;
  terminalId: string | null;
  one: ShownCase;
  /** Whether its rules and links are shown at once. */
  isOpen: boolean;
}

/** A case: its verdict with the reason, and opened its rules and its trace. */
export function CaseRow({ id, terminalId, one, isOpen }: CaseRowProps) {
  const [words, tone] = STATUS_WORDS[one.status];
  return (
    <li>
      <details class="case-row" open={isOpen}>
        <summary>
          <span class={`pill ${tone}`}>{words}</span>
          <b>{one.title}</b>
          {one.title !== one.id && <code class="clip">{one.id}</code>}
          {one.reason !== null && <span class="case-reason">{one.reason}</span>}
        </summary>
        <div class="case-more">
          <ul class="case-rules" aria-label="Rules">
            {one.rules.map((rule) => (
              <Rule key={rule.text} rule={rule} />
            ))}
          </ul>
          <CaseLinks id={id} terminalId={terminalId} one={one} />
        </div>
      </details>
    </li>
  );
}

function Rule({ rule: { id, text, document } }: { rule: ShownCase['rules'][number] }) {
  return (
    <li>
      {text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}{' '}
      {document !== null && (
        <a href={pathInSandbox(`/guides/${document}`, location.pathname)} target="_blank">
          {id ?? 'Read on'}
        </a>
      )}
    </li>
  );
}

/** Leads to the trace of a case, also while it is under way. */
function CaseLinks({ id, terminalId, one }: Omit<CaseRowProps, 'isOpen'>) {
  const { recordingId, hasTrace, title } = one;
  const viewer = pathInSandbox('/recordings', location.pathname);
  if (recordingId === null && !hasTrace) return null;
  return (
    <p class="detail-buttons">
      {recordingId !== null && (
        // A key that was entered opens this window and those that it opens.
        <a class="button" href={`${viewer}#${recordingId}`} target="_blank" rel="opener">
          Open its trace so far<span class="unseen"> of {title}</span>
        </a>
      )}
      {recordingId !== null && terminalId !== null && (
        <a class="button" href={hrefOf({ view: 'terminal', id: terminalId })}>
          Watch the terminal
        </a>
      )}
      {hasTrace && (
        <a class="button" href={`${viewer}#certificates/${id}/${one.id}`} target="_blank" rel="opener">
          Open its trace<span class="unseen"> of {title}</span>
        </a>
      )}
    </p>
  );
}
