import { useState } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import type { KeyPromptState } from '../link/session.ts';

const REASONS = {
  missing: 'Use the dashboard link to open this page.',
  stale: 'The token of this dashboard link is no longer valid.',
  used: 'This dashboard link has expired or was already used.',
};

/** Explains where to find the dashboard link, and accepts the secret key instead. */
export function KeyPrompt({ prompt: { reason, problem } }: { prompt: KeyPromptState }) {
  const { session } = useDashboard();
  const [busy, setBusy] = useState(false);
  const enter = async (event: preact.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get('key')).trim();
    setBusy(true);
    await session.enter(key);
    setBusy(false);
  };
  return (
    <form class="key-prompt" onSubmit={enter}>
      <h1>Open the dashboard</h1>
      <p>
        {REASONS[reason]} <code>npm start</code> prints the link; <code>npx tapbench open</code>, run on the
        server's machine, opens it.
      </p>
      <p>
        Or enter the secret key of the server. It is not stored, and opens the dashboard in this window only.
      </p>
      <label>
        Secret key
        <input
          name="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          autofocus
          aria-invalid={problem !== undefined}
          aria-describedby="key-problem"
          placeholder="sk_sandbox_…"
        />
      </label>
      <p id="key-problem" class="bad-words" role="alert">
        {problem}
      </p>
      <button class="primary" disabled={busy}>
        Open the dashboard
      </button>
    </form>
  );
}
