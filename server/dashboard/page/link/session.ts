import { signal } from '@preact/signals';
import { pathInSandbox, tokenKeyOf } from './sandbox-path.ts';

/** Why the page has no token. */
export interface KeyPromptState {
  reason: 'missing' | 'stale' | 'used';
  /** The error message for the last key entered. */
  problem?: string;
}

/** Set while the page has no token and prompts for the link or the secret key. */
export const keyPrompt = signal<KeyPromptState | undefined>(undefined);

export interface Session {
  /** The token of this page; rejects while it has none. */
  token(): Promise<string>;
  /** Deletes the token, after the server rejected it. */
  forget(): void;
  /** Exchanges the secret key for the token. The key itself is not stored. */
  enter(key: string): Promise<boolean>;
}

/**
 * Keeps the token that a dashboard link carries, or that the server returns for the secret key. The token of a link
 * is stored for this browser, the token for a key for this window.
 */
export function createSession(): Session {
  const stored = sessionStorage.getItem(storageKey()) ?? localStorage.getItem(storageKey());
  let pageToken: Promise<string> | undefined = stored === null ? undefined : Promise.resolve(stored);

  const store = (storage: Storage, token: string): string => {
    clearStorage();
    storage.setItem(storageKey(), token);
    pageToken = Promise.resolve(token);
    // Last: the connection reads the token as soon as this changes.
    keyPrompt.value = undefined;
    return token;
  };
  const readAddress = (): void => {
    const given = secretInHash(location.hash);
    if (given === undefined) return;
    // Removes it from the address bar and the history.
    history.replaceState(null, '', location.pathname + location.search);
    if ('token' in given) return void store(localStorage, given.token);
    pageToken = exchange(given).then((answer) => {
      if ('token' in answer) return store(localStorage, answer.token);
      pageToken = undefined;
      keyPrompt.value = { reason: 'used' };
      throw new Error('the code of the link is invalid');
    });
    pageToken.catch(() => {});
  };

  // Pasting a link into the address bar of an open page changes only the hash.
  addEventListener('hashchange', readAddress);
  readAddress();
  if (pageToken === undefined) keyPrompt.value = { reason: 'missing' };

  return {
    async token() {
      if (pageToken === undefined) throw new Error('the page has no token');
      return pageToken;
    },
    forget() {
      clearStorage();
      pageToken = undefined;
      keyPrompt.value = { reason: 'stale' };
    },
    async enter(key) {
      const answer = await exchange({ key });
      if ('token' in answer) store(sessionStorage, answer.token);
      else keyPrompt.value = { reason: keyPrompt.peek()?.reason ?? 'missing', ...answer };
      return 'token' in answer;
    },
  };
}

function storageKey(): string {
  return tokenKeyOf(location.pathname);
}

function clearStorage(): void {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(storageKey());
}

async function exchange(
  given: { key: string } | { code: string },
): Promise<{ token: string } | { problem: string }> {
  const response = await fetch(pathInSandbox('/dashboard/session', location.pathname), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(given),
  }).catch(() => undefined);
  if (!response) return { problem: 'The server cannot be reached.' };
  if (response.status === 429) return { problem: 'Too many wrong keys. Try again in a minute.' };
  if (!response.ok) return { problem: 'That is not the secret key of this server.' };
  return (await response.json()) as { token: string };
}

/** The secret in the hash of a dashboard link: the token, or a single-use code that is exchanged for it. */
type LinkSecret = { token: string } | { code: string };

/** Reads `#token=…` or `#code=…`; undefined for any other hash. */
export function secretInHash(hash: string): LinkSecret | undefined {
  const [, kind, value] = /^#(token|code)=([\w-]+)$/.exec(hash) ?? [];
  if (value === undefined) return undefined;
  return kind === 'token' ? { token: value } : { code: value };
}
