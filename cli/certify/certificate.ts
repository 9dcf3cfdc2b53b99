import { createHash } from 'node:crypto';
import { Type, type Static } from '../../protocol/schema.ts';

const VERDICTS = ['passed', 'failed', 'not shown'] as const;

/** In how many runs a rule about money was kept and broken, by the name of the rule. */
const MoneyTally = Type.Record(
  Type.String({ maxLength: 100 }),
  Type.Object({ kept: Type.Integer({ minimum: 0 }), broken: Type.Integer({ minimum: 0 }) }),
);
export type MoneyTally = Static<typeof MoneyTally>;

/** What came of a case. */
export const CaseResult = Type.Object({
  id: Type.String({ maxLength: 100 }),
  rule: Type.String({ maxLength: 500 }),
  /** `not shown` when it could not be found out. */
  verdict: Type.Enum(VERDICTS),
  /** What was seen, in one sentence. */
  reason: Type.String({ maxLength: 2_000 }),
  /** Name of its trace file in the folder of the certificate; null when there is none. */
  trace: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]),
  /** What its runs say about money; of a till. */
  money: Type.Optional(MoneyTally),
});
export type CaseResult = Static<typeof CaseResult>;

/** What a certificate is of: a resumed run goes on only where this is the same. */
export const Subject = Type.Object({
  /** Such as `endpoint`. */
  kind: Type.String({ maxLength: 50 }),
  /** What was tried, such as a URL without its query. */
  name: Type.String({ maxLength: 2_000 }),
  /** Version of Tapbench. */
  version: Type.String({ maxLength: 50 }),
  seed: Type.String({ maxLength: 100 }),
  /** Digest of the cases and their rules. */
  plan: Type.String({ maxLength: 100 }),
});
export type Subject = Static<typeof Subject>;

export const Certificate = Type.Object({
  subject: Subject,
  /** Unix timestamp, in seconds. */
  startedTimestamp: Type.Integer(),
  /** How many cases there are, also those that were not tried. */
  cases: Type.Integer(),
  results: Type.Array(CaseResult, { maxItems: 1_000 }),
  /** Digest of the subject and the verdicts: the same for two runs that came to the same. */
  digest: Type.String({ maxLength: 100 }),
});
export type Certificate = Static<typeof Certificate>;

export type CaseOutcome = Pick<CaseResult, 'verdict' | 'reason' | 'money'>;

/** A rule that a case shows, as the dashboard has it. */
export interface CaseRule {
  /** How documents name it. */
  id: string;
  text: string;
  /** Its place in a document, such as `docs/protocol.md#protocol.start.twice`. */
  document: string;
}

/** A case: what it shows, and how. */
export interface CertificateCase<Bench> {
  /** Such as `endpoint.twice`. Documents and results name it so. */
  id: string;
  /** What it tries, in a few words. */
  title?: string;
  /** The rules of `rule`, one by one, where they have names. */
  rules?: readonly CaseRule[];
  /** The rule that it shows, in one sentence. */
  rule: string;
  /** Cases that must have passed before: without them this one would show nothing. */
  needs: readonly string[];
  /** Whether it sums up the results of the others, so that it is found out anew when a run is resumed. */
  isSummary?: boolean;
  /** @param results of the cases before it */
  run(bench: Bench, results: readonly CaseResult[]): Promise<CaseOutcome>;
}

const sha256 = (value: unknown) =>
  `sha256:${createHash('sha256').update(JSON.stringify(value)).digest('hex')}`;

/** Returns the digest of a plan: of its cases and their rules. */
export function planDigest(cases: readonly Pick<CertificateCase<never>, 'id' | 'rule' | 'needs'>[]): string {
  return sha256(cases.map(({ id, rule, needs }) => [id, rule, needs]));
}

export function certificateOf(
  subject: Subject,
  { startedTimestamp, cases }: Pick<Certificate, 'startedTimestamp' | 'cases'>,
  results: readonly CaseResult[],
): Certificate {
  const verdicts = results.map(({ id, verdict }) => [id, verdict]);
  const { kind, version, seed, plan } = subject;
  return {
    subject,
    startedTimestamp,
    cases,
    results: [...results],
    digest: sha256([kind, version, seed, plan, verdicts]),
  };
}

/** Returns earlier results with newer ones in place of those of the same cases, in the order of the cases. */
export function mergedResults(
  cases: readonly { id: string }[],
  earlier: readonly CaseResult[],
  newer: readonly CaseResult[],
): CaseResult[] {
  const byId = new Map([...earlier, ...newer].map((result) => [result.id, result]));
  return cases.flatMap(({ id }) => byId.get(id) ?? []);
}

/** Returns how many cases have each verdict. */
export function countsOf({ results }: Pick<Certificate, 'results'>): Record<CaseResult['verdict'], number> {
  const count = (verdict: CaseResult['verdict']) => results.filter((one) => one.verdict === verdict).length;
  return { passed: count('passed'), failed: count('failed'), 'not shown': count('not shown') };
}
