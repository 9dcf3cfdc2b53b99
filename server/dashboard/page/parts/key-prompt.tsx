import { useState } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import type { KeyWanted } from '../link/session.ts';

const WHY = {
  missing: 'This page was opened without its link.',
  stale: 'The server does not know the token of the link that opened this page.',
  used: 'The link that opened this page was used before, or is older than a minute.',
};

/** Explains where to find the dashboard link, and accepts the secret key instead. */
export function KeyPrompt({ wanted: { reason, problem } }: { wanted: KeyWanted }) {
  const { session } = useDashboard();
  const [asking, setAsking] = useState(false);
  const enter = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const key = String(new FormData(form).get('key')).trim();
    setAsking(true);
    await session.enter(key);
    setAsking(false);
  };
  return (
    <form class="key-prompt" onSubmit={enter}>
      <h1>Open the dashboard</h1>
      <p>
        {WHY[reason]} <code>npm start</code> prints the link, and <code>npx tapbench open</code> opens it, on
        the machine of the server.
      </p>
      <p>Or enter the secret key of the server. It opens the dashboard in this window and is not kept.</p>
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
      <button class="primary" disabled={asking}>
        Open the dashboard
      </button>
    </form>
  );
}
