import { useState } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import { ActDrawing } from './act-drawing.tsx';
import type { ShownAct } from './certificate-calls.ts';

interface ActPanelProps {
  /** Of the certificate. */
  id: string;
  act: ShownAct;
  /** What is tried with it. */
  caseTitle: string | undefined;
  onAnswered: () => void;
}

/** What the person at the device is to do now, with the buttons that say what came of it. */
export function ActPanel({ id, act: { number, act, text }, caseTitle, onAnswered }: ActPanelProps) {
  const { api } = useDashboard();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isRefusing, setRefusing] = useState(false);
  const answer = async (body: { done: boolean; reason?: string }) => {
    setBusy(true);
    setProblem(undefined);
    const params = { id, number: String(number) };
    const answered = await api.answer('POST /sandbox/certificates/{id}/acts/{number}/answer', {
      params,
      body,
    });
    setBusy(false);
    // Another window, or the person at the terminal window, was faster.
    if (!answered.ok && answered.status !== 409) setProblem(answered.problem);
    onAnswered();
  };
  return (
    <section class="act-panel" aria-labelledby="act-title">
      <ActDrawing act={act} />
      <div class="act-words">
        <h2 id="act-title">Now at the device</h2>
        <p class="act-text">{text}</p>
        {caseTitle !== undefined && <p class="quiet-line">{caseTitle}</p>}
        {isRefusing ? (
          <CannotBeDone busy={busy} onAnswer={answer} onBack={() => setRefusing(false)} />
        ) : (
          <div class="detail-buttons">
            <button class="primary act-button" disabled={busy} onClick={() => answer({ done: true })}>
              Done
            </button>
            <button class="act-button" disabled={busy} onClick={() => setRefusing(true)}>
              Cannot be done
            </button>
          </div>
        )}
        <p class="bad-words" role="alert">
          {problem}
        </p>
      </div>
    </section>
  );
}

interface CannotBeDoneProps {
  busy: boolean;
  onAnswer: (answer: { done: false; reason?: string }) => void;
  onBack: () => void;
}

/** Asks why something cannot be done. */
function CannotBeDone({ busy, onAnswer, onBack }: CannotBeDoneProps) {
  const [reason, setReason] = useState('');
  return (
    <form
      class="act-refusal"
      onSubmit={(event) => {
        event.preventDefault();
        const words = reason.trim();
        onAnswer({ done: false, ...(words !== '' && { reason: words }) });
      }}
    >
      <label class="field">
        Why it cannot be done, for the certificate
        <input
          ref={(field) => field?.focus()}
          value={reason}
          maxLength={200}
          placeholder="Optional"
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </label>
      <div class="detail-buttons">
        <button class="primary act-button" disabled={busy}>
          Go on without it
        </button>
        <button type="button" class="act-button" disabled={busy} onClick={onBack}>
          Back
        </button>
      </div>
    </form>
  );
}
