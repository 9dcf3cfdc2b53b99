import { messageOf } from '../../protocol/failures.ts';
import type { CaseOutcome, CaseResult, CertificateCase } from './certificate.ts';

/** What a case runs on. */
export interface OpenCase<Bench> {
  bench: Bench;
  /** The recording of its sandbox, on the server. */
  recordingId?: string;
  /** Ends it and returns the name of its trace file. */
  close(): Promise<string | null>;
}

export interface RunOptions<Bench> {
  /** Ids of the cases that run, with those that they need; all when undefined. */
  only?: readonly string[] | undefined;
  /** Results of an earlier run: those that were found out are kept. */
  earlier?: readonly CaseResult[] | undefined;
  /** Makes what a case runs on. */
  open(id: string): Promise<OpenCase<Bench>>;
  /** Called when a case runs. */
  onBegin?: ((id: string, recordingId: string | undefined) => void) | undefined;
  /** Called with all results so far when a case has ended. */
  onResult(results: readonly CaseResult[], last: CaseResult): void;
  interrupted: AbortSignal;
}

/**
 * Runs cases one after another. A case whose needs have not passed, or that throws, is not shown, with the reason.
 * @throws the reason of `interrupted`; the results so far were given to `onResult`
 */
export async function runCases<Bench>(
  cases: readonly CertificateCase<Bench>[],
  { only, earlier = [], open, onBegin, onResult, interrupted }: RunOptions<Bench>,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  const passed = new Set<string>();
  for (const one of casesToRun(cases, only)) {
    interrupted.throwIfAborted();
    const known = one.isSummary
      ? undefined
      : earlier.find(({ id, verdict }) => id === one.id && verdict !== 'not shown');
    const all = () => [...earlier.filter(({ id }) => !results.some((newer) => newer.id === id)), ...results];
    const result = known ?? (await runCase(one, { passed, all, open, onBegin, interrupted }));
    if (result.verdict === 'passed') passed.add(one.id);
    results.push(result);
    if (!known) onResult(results, result);
  }
  return results;
}

interface CaseParts<Bench> extends Pick<RunOptions<Bench>, 'open' | 'onBegin' | 'interrupted'> {
  passed: ReadonlySet<string>;
  /** Returns the results so far, also those of an earlier run. */
  all(): CaseResult[];
}

async function runCase<Bench>(
  { id, rule, needs, run }: CertificateCase<Bench>,
  { passed, all, open, onBegin, interrupted }: CaseParts<Bench>,
): Promise<CaseResult> {
  const missing = needs.filter((need) => !passed.has(need));
  if (missing.length > 0) {
    const reason = `it needs ${missing.join(' and ')}, which did not pass`;
    return { id, rule, verdict: 'not shown', reason, trace: null };
  }
  const { bench, recordingId, close } = await open(id);
  onBegin?.(id, recordingId);
  const outcome = await run(bench, all()).catch((thrown: unknown): CaseOutcome => ({
    verdict: 'not shown',
    reason: messageOf(thrown),
  }));
  const trace = await close();
  // What was interrupted has found out nothing.
  interrupted.throwIfAborted();
  return { id, rule, ...outcome, trace };
}

/** Returns the cases that run, in their order: some with all that they need, or all. */
export function casesToRun<Case extends Pick<CertificateCase<never>, 'id' | 'needs'>>(
  cases: readonly Case[],
  only: readonly string[] | undefined,
): Case[] {
  const wanted = withNeeds(cases, only ?? cases.map(({ id }) => id));
  return cases.filter(({ id }) => wanted.has(id));
}

/** Returns ids with all that they need, directly or not. */
function withNeeds(
  cases: readonly Pick<CertificateCase<never>, 'id' | 'needs'>[],
  only: readonly string[],
): ReadonlySet<string> {
  const wanted = new Set<string>();
  const add = (id: string): void => {
    wanted.add(id);
    for (const need of cases.find((one) => one.id === id)?.needs ?? []) add(need);
  };
  only.forEach(add);
  return wanted;
}
