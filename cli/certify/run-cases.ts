import { messageOf } from '../../protocol/failures.ts';
import type { CaseOutcome, CaseResult, CertificateCase } from './certificate.ts';

export interface RunOptions<Bench> {
  /** Ids of the cases that run, with those that they need; all when undefined. */
  only?: readonly string[] | undefined;
  /** Results of an earlier run: those that were found out are kept. */
  earlier?: readonly CaseResult[] | undefined;
  /** Makes what a case runs on. `close` ends it and returns the name of its trace file. */
  open(id: string): Promise<{ bench: Bench; close(): Promise<string | null> }>;
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
  { only, earlier = [], open, onResult, interrupted }: RunOptions<Bench>,
): Promise<CaseResult[]> {
  const wanted = withNeeds(cases, only ?? cases.map(({ id }) => id));
  const results: CaseResult[] = [];
  const passed = new Set<string>();
  for (const one of cases.filter(({ id }) => wanted.has(id))) {
    interrupted.throwIfAborted();
    const known = one.isSummary
      ? undefined
      : earlier.find(({ id, verdict }) => id === one.id && verdict !== 'not shown');
    const all = () => [...earlier.filter(({ id }) => !results.some((newer) => newer.id === id)), ...results];
    const result = known ?? (await runCase(one, { passed, all, open, interrupted }));
    if (result.verdict === 'passed') passed.add(one.id);
    results.push(result);
    if (!known) onResult(results, result);
  }
  return results;
}

interface CaseParts<Bench> extends Pick<RunOptions<Bench>, 'open' | 'interrupted'> {
  passed: ReadonlySet<string>;
  /** Returns the results so far, also those of an earlier run. */
  all(): CaseResult[];
}

async function runCase<Bench>(
  { id, rule, needs, run }: CertificateCase<Bench>,
  { passed, all, open, interrupted }: CaseParts<Bench>,
): Promise<CaseResult> {
  const missing = needs.filter((need) => !passed.has(need));
  if (missing.length > 0) {
    const reason = `it needs ${missing.join(' and ')}, which did not pass`;
    return { id, rule, verdict: 'not shown', reason, trace: null };
  }
  const { bench, close } = await open(id);
  const outcome = await run(bench, all()).catch((thrown: unknown): CaseOutcome => ({
    verdict: 'not shown',
    reason: messageOf(thrown),
  }));
  const trace = await close();
  // What was interrupted has found out nothing.
  interrupted.throwIfAborted();
  return { id, rule, ...outcome, trace };
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
