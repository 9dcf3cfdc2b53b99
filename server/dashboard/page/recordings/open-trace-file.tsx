import { useState } from 'preact/hooks';

interface OpenTraceFileProps {
  /** Why nothing else is shown. */
  problem: string | undefined;
  /** Opens a file. Returns why it cannot be shown. */
  open: (file: { name: string; base64: string }) => Promise<string | undefined>;
}

/** Chooses a trace file to show. */
export function OpenTraceFile({ problem: first, open }: OpenTraceFileProps) {
  const [problem, setProblem] = useState(first);
  const [busy, setBusy] = useState(false);
  const choose = async ({ currentTarget: field }: { currentTarget: HTMLInputElement }) => {
    const file = field.files?.[0];
    if (!file) return;
    setBusy(true);
    setProblem(await open({ name: file.name, base64: await base64Of(file) }));
    setBusy(false);
    // The same file may be chosen again.
    field.value = '';
  };
  return (
    <main class="empty">
      <h1>Open a trace file</h1>
      <p>
        A trace file is what a recording downloads, and what a failed test or a hunt writes. It is shown here,
        and kept nowhere.
      </p>
      <label class="field">
        Trace file
        <input type="file" accept=".tapbench" disabled={busy} onChange={choose} />
      </label>
      <p role="alert" class="bad-words">
        {problem}
      </p>
      <p>
        <a href="./">Open the dashboard</a>
      </p>
    </main>
  );
}

/** Returns the content of a file as base64. */
export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
