import type { CaseResult, CaseRule, CertificateCase } from '../certificate.ts';

/** What a certificate tries. */
export interface CertificatePlan {
  /** The cases that run, in their order. */
  cases: readonly Pick<CertificateCase<never>, 'id' | 'title' | 'rule' | 'rules'>[];
  /** How many more there are. */
  leftOut: number;
  /** Results of an earlier run, and of this one so far. */
  earlier: readonly CaseResult[];
}

/** How the server names each verdict. */
const STATUSES = { passed: 'Passed', failed: 'Failed', 'not shown': 'NotShown' } as const;

/** What the server is told of a case. */
export interface CaseProgress {
  status: 'Running' | (typeof STATUSES)[keyof typeof STATUSES];
  reason?: string;
  recordingId?: string;
}

/** Returns what the server is told of a case that has ended. */
export function progressOf({ verdict, reason }: CaseResult): CaseProgress & { reason: string } {
  return { status: STATUSES[verdict], reason };
}

/** A case as the server takes it. */
interface ReportedCase {
  id: string;
  title: string;
  rules: ({ text: string } & Partial<CaseRule>)[];
  status?: CaseProgress['status'];
  reason?: string;
}

const RULE_LENGTH_MAX = 500;

/** Returns the cases of a plan as the server takes them, with what came of them so far. */
export function reportedCases({ cases, earlier }: CertificatePlan): ReportedCase[] {
  const results = new Map(earlier.map((result) => [result.id, result]));
  return cases.map(({ id, title = id, rule, rules = [{ text: rule.slice(0, RULE_LENGTH_MAX) }] }) => {
    const known = results.get(id);
    return {
      id,
      title,
      rules: [...rules],
      ...(known && progressOf(known)),
    };
  });
}
