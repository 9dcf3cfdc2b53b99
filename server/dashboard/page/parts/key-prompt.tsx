import { useState } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';

/** Asks for the secret key where the server wants one: it is sent once, for a token of this page. */
export function KeyPrompt({ because }: { because: string | undefined }) {
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
      <h1>This server wants a key</h1>
      <p>
        It listens beyond its own machine. Its secret key opens the dashboard for this window; the key itself
        is not kept.
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
          aria-invalid={because !== undefined}
          aria-describedby="key-problem"
          placeholder="sk_sandbox_…"
        />
      </label>
      <p id="key-problem" class="bad-words" role="alert">
        {because}
      </p>
      <button class="primary" disabled={asking}>
        Open the dashboard
      </button>
    </form>
  );
}
