import type { SandboxKeys } from '../../view.ts';

/** What a request is sent with: a key of the sandbox, another one, or none. */
export type KeyChoice = 'secret' | 'public' | 'other' | 'none';

/** Undefined while they load, null when the server returns none. */
type LoadedKeys = SandboxKeys | null | undefined;

/** Returns the choice with which a request is sent as it was; `other` for a key that only its sender has. */
export function keyChoiceOf(keyLastFour: string | null, keys: LoadedKeys): KeyChoice {
  if (keyLastFour === null) return 'none';
  if (keys?.secretKey.endsWith(keyLastFour)) return 'secret';
  return keys?.publicKey.endsWith(keyLastFour) ? 'public' : 'other';
}

/** Returns the key of a choice; undefined for none. */
export function chosenKey(choice: KeyChoice, keys: LoadedKeys, other: string): string | undefined {
  const chosen = { secret: keys?.secretKey, public: keys?.publicKey, other, none: undefined };
  return chosen[choice];
}

interface KeyFieldsProps {
  choice: KeyChoice;
  /** The key that is typed in for `other`. */
  other: string;
  keys: LoadedKeys;
  /** Of the key that the request came with. */
  keyLastFour: string | null;
  change: (members: { choice: KeyChoice } | { other: string }) => void;
}

/** Asks which key a request is sent with. The keys of the sandbox are named by their last four characters. */
export function KeyFields({ choice, other, keys, keyLastFour, change }: KeyFieldsProps) {
  return (
    <>
      <label class="field">
        Key
        <select
          value={choice}
          onChange={(event) => change({ choice: event.currentTarget.value as KeyChoice })}
        >
          {keys && (
            <option value="secret">{`Secret key of this sandbox (…${keys.secretKey.slice(-4)})`}</option>
          )}
          {keys && (
            <option value="public">{`Public key of this sandbox (…${keys.publicKey.slice(-4)})`}</option>
          )}
          <option value="other">Another key</option>
          <option value="none">No key</option>
        </select>
      </label>
      {choice === 'other' && (
        <label class="field">
          {keyLastFour === null ? 'Value of the key' : `Value of the key (it ended in ${keyLastFour})`}
          <input
            type="password"
            autocomplete="off"
            required
            value={other}
            onInput={(event) => change({ other: event.currentTarget.value.trim() })}
          />
        </label>
      )}
    </>
  );
}
