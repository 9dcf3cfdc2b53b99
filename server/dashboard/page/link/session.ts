import { signal } from '@preact/signals';

/** Whether the server wants a key before it lets this page in, and what was wrong with the one before. */
export const keyWanted = signal<{ because?: string } | undefined>(undefined);

const KEPT_AS = 'tapbench.session';

export interface Session {
  /** The token of this page; rejects while a key is wanted. */
  token(): Promise<string>;
  /** The token is no longer good. */
  forget(): void;
  /** Asks for a token with a secret key, which is not kept. */
  enter(key: string): Promise<boolean>;
}

/** On the machine itself a token is there for the asking; from elsewhere it takes a secret key. */
export function createSession(): Session {
  let asked: Promise<string> | undefined;

  async function ask(body: { key?: string }): Promise<string> {
    const response = await fetch('/dashboard/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status === 401 || response.status === 403) {
      keyWanted.value =
        body.key === undefined ? {} : { because: 'That is not the secret key of this server.' };
      throw new Error('a key is wanted');
    }
    if (response.status === 429) keyWanted.value = { because: 'Too many wrong keys. Try again in a minute.' };
    if (!response.ok) throw new Error(`no session: ${response.status}`);
    const { token } = (await response.json()) as { token: string };
    sessionStorage.setItem(KEPT_AS, token);
    return token;
  }

  const kept = sessionStorage.getItem(KEPT_AS);
  if (kept) asked = Promise.resolve(kept);

  return {
    async token() {
      if (keyWanted.peek()) throw new Error('a key is wanted');
      asked ??= ask({});
      asked.catch(() => (asked = undefined));
      return asked;
    },
    forget() {
      asked = undefined;
      sessionStorage.removeItem(KEPT_AS);
    },
    async enter(key) {
      try {
        asked = Promise.resolve(await ask({ key }));
        // Last, since whoever waits for it asks for the token at once.
        keyWanted.value = undefined;
        return true;
      } catch {
        return false;
      }
    },
  };
}
