import type { ChosenSettings, ListedSandbox, SandboxCalls } from './sandbox-calls.ts';

/** What a sandbox does with what the specification does not have: each choice, and the settings that it sets. */
const CHOICES: Record<string, ChosenSettings> = {
  'Idempotency keys off': { idempotencyKeys: 'off', strict: 'off' },
  'Idempotency keys on': { idempotencyKeys: 'on', strict: 'off' },
  Strict: { strict: 'on' },
};

/** The settings of a sandbox, which can be changed. Those of `default` are those of the server. */
export function SettingsField({ sandbox, calls }: { sandbox: ListedSandbox; calls: SandboxCalls }) {
  const chosen = sandbox.strict === 'on' ? 'Strict' : `Idempotency keys ${sandbox.idempotencyKeys}`;
  if (sandbox.name === 'default') return <small>{chosen}</small>;
  return (
    <select
      aria-label={`Settings of ${sandbox.name}`}
      value={chosen}
      onChange={({ currentTarget }) => calls.update(sandbox.name, CHOICES[currentTarget.value]!)}
    >
      {Object.keys(CHOICES).map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
}
