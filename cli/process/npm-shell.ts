/** The command lines with which npm runs this program alone, with `npm start`, `npx` or a script of another project. */
const RUNS_TAPBENCH = /^(node scripts\/start\.mjs|["']?tapbench["']?)( [^&|;]*)?$/;

const POLL_INTERVAL_MS = 250;

interface ParentProcess {
  env: Record<string, string | undefined>;
  /** Returns the id of the parent, which changes when it ends. */
  parentPid(): number;
  /** Calls `run` each time that the interval has passed, until the returned function is called. */
  every(intervalMs: number, run: () => void): () => void;
}

/**
 * Calls `ended` when the shell in which npm runs this program has ended. npm passes SIGTERM on to that shell, and the
 * shell ends without its child. Does nothing when npm does not run this program.
 */
export function onNpmShellEnded({ env, parentPid, every }: ParentProcess, ended: () => void): void {
  if (!RUNS_TAPBENCH.test(env['npm_lifecycle_script'] ?? '')) return;
  const shellPid = parentPid();
  const stop = every(POLL_INTERVAL_MS, () => {
    if (parentPid() === shellPid) return;
    stop();
    ended();
  });
}
