import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Fault } from '../../protocol/failures.ts';
import { VERSION } from '../../protocol/version.ts';
import { EXIT, oneOf } from '../command-line/command.ts';
import type { CommandContext, Sink } from '../command-line/command-context.ts';
import { junit, withJunitReport, type JudgedCases } from '../command-line/junit-option.ts';
import { booleanOption, stringOption, type Values } from '../command-line/option.ts';
import {
  programFile,
  sarifLocation,
  withSarifReport,
  type SarifFinds,
} from '../command-line/sarif-option.ts';
import { coloured, json, printJson, printLine } from '../command-line/output.ts';
import {
  certificateOf,
  countsOf,
  mergedResults,
  planDigest,
  type CaseResult,
  type Certificate,
  type CertificateCase,
  type Subject,
} from './certificate.ts';
import { readUnfinished, verdictText, writeCertificate } from './certificate-folder.ts';
import type { CertificateReport } from './report/certificate-report.ts';
import { casesToRun, runCases, type RunOptions } from './run-cases.ts';

/** The options of every certificate. */
export const CERTIFICATE_OPTIONS = {
  only: stringOption({
    flag: '--only <cases>',
    description:
      'Ids of cases, separated by commas, or how they begin before a *; those that they need run too',
    defaultText: 'all cases',
  }),
  except: stringOption({
    flag: '--except <cases>',
    description: 'Ids of cases that are not tried, in the same way: the certificate says how many',
    defaultText: 'none',
  }),
  out: stringOption({
    flag: '--out <folder>',
    description: 'Folder of the certificate, as JSON and as a page, and of the traces of its cases',
    defaultValue: 'certificate',
  }),
  resume: booleanOption('--resume', 'Go on with the certificate in the folder, where a run was broken off'),
  junit,
  json,
};

export type CertificateOptions = Values<typeof CERTIFICATE_OPTIONS> & {
  seed: string;
  sarif?: string | undefined;
};

/** Returns the exit codes of a command that certifies. @param subject such as `the endpoint` */
export const certificateExitCodes = (subject: string): Record<number, string> => ({
  [EXIT.ok]: `${subject} keeps all rules that were tried`,
  [EXIT.failed]: 'it breaks one',
  [EXIT.notJudged]: 'a rule could not be shown',
});

export interface CertificateParts<Bench> {
  /** What it is of, and its name. */
  subject: Pick<Subject, 'kind' | 'name'>;
  cases: readonly CertificateCase<Bench>[];
  options: CertificateOptions;
  /** What shows it in the dashboard, where it is made at a server. */
  report?: CertificateReport;
  /** Words of the command line of what was tried, where it is one. */
  program?: readonly string[];
  /** Gets ready what all cases need, once the options were read, and returns how a case is opened. */
  prepare(): Promise<RunOptions<Bench>['open']>;
}

/**
 * Runs the cases of a certificate, writes it to its folder after each, and prints what came of them. Returns the exit code.
 * @throws Fault `bad_setting` for options that cannot be used, and what `prepare` throws
 */
export async function runCertificate<Bench>(
  context: CommandContext,
  parts: CertificateParts<Bench>,
): Promise<number> {
  const { subject, options } = parts;
  const report = {
    file: options.junit,
    suite: 'tapbench certify',
    className: `tapbench certify ${subject.kind}`,
    whole: subject.kind,
    casesOf: casesOfReport,
  };
  const certificate = await withJunitReport(context, report, () =>
    withSarifReport(
      options.sarif,
      () =>
        makeCertificate(context, parts, (last) => {
          if (!options.json) printResult(context.out, last);
        }),
      (made) => certificateFinds(made, parts.program ?? []),
    ),
  );
  if (options.json) printJson(context.out, certificate);
  else printLine(context.out, `${verdictText(certificate)}; ${join(options.out, 'certificate.html')}`);
  const counts = countsOf(certificate);
  if (counts.failed > 0) return EXIT.failed;
  return counts['not shown'] > 0 ? EXIT.notJudged : EXIT.ok;
}

/**
 * Runs the cases of a certificate, and writes it to its folder after each.
 * @param onCase called when a case has ended
 * @throws as `runCertificate`
 */
export async function makeCertificate<Bench>(
  { clock, interrupted }: Pick<CommandContext, 'clock' | 'interrupted'>,
  { subject: { kind, name }, cases, options, report, prepare }: CertificateParts<Bench>,
  onCase: (result: CaseResult) => void,
): Promise<Certificate> {
  const only = chosenIds(
    cases.map(({ id }) => id),
    options,
  );
  const subject: Subject = { kind, name, version: VERSION, seed: options.seed, plan: planDigest(cases) };
  const earlier = options.resume ? readUnfinished(options.out, subject) : undefined;
  const startedTimestamp = earlier?.startedTimestamp ?? Math.floor(clock.nowMs() / 1000);
  const before = earlier?.results ?? [];
  const write = (results: readonly CaseResult[]) => {
    const merged = mergedResults(cases, before, results);
    const certificate = certificateOf(subject, { startedTimestamp, cases: cases.length }, merged);
    writeCertificate(options.out, certificate);
    return certificate;
  };
  const open = await prepare();
  // The folder is of this run from now on.
  write([]);
  const chosen = casesToRun(cases, only);
  report?.begin({ cases: chosen, leftOut: cases.length - chosen.length, earlier: before });
  let isDone = false;
  try {
    const results = await runCases(cases, {
      only,
      earlier: before,
      open,
      interrupted,
      onBegin: report?.caseBegan,
      onResult(soFar, last) {
        write(soFar);
        report?.caseEnded(last, options.out);
        onCase(last);
      },
    });
    isDone = true;
    return write(results);
  } finally {
    await report?.end(isDone ? 'Ended' : 'BrokenOff');
  }
}

/** @throws Fault `bad_setting` for an id that no case has, and when no case is left */
function chosenIds(
  ids: readonly string[],
  { only, except }: Pick<CertificateOptions, 'only' | 'except'>,
): readonly string[] {
  const left = new Set(except === undefined ? [] : named('--except', ids, except));
  const chosen = (only === undefined ? ids : named('--only', ids, only)).filter((id) => !left.has(id));
  if (chosen.length > 0) return chosen;
  throw new Fault('bad_setting', '--except leaves no case to try');
}

function named(flag: string, ids: readonly string[], typed: string): string[] {
  return typed.split(',').flatMap((id) => {
    const begun = id.endsWith('*') ? ids.filter((one) => one.startsWith(id.slice(0, -1))) : [];
    return begun.length > 0 ? begun : [oneOf(flag, ids, id)];
  });
}

const COLOURS = { passed: 'green', failed: 'red', 'not shown': 'yellow' } as const;

function printResult(out: Sink, { id, verdict, reason }: CaseResult): void {
  printLine(out, `${coloured(out, COLOURS[verdict], verdict.padEnd(9))}  ${id}: ${reason}`);
}

function casesOfReport({ results }: Certificate): JudgedCases {
  return results.map(({ id, verdict, reason }) => ({
    name: id,
    outcome:
      verdict === 'passed'
        ? { kind: 'passed' }
        : { kind: verdict === 'failed' ? 'failed' : 'error', message: reason },
  }));
}

/** Returns the cases of a certificate that failed, for SARIF. @param program words of the command line of what was tried */
function certificateFinds({ results }: Pick<Certificate, 'results'>, program: readonly string[]): SarifFinds {
  const failed = results.filter(({ verdict }) => verdict === 'failed');
  const file = programFile(program);
  const notShown = countsOf({ results })['not shown'];
  return {
    rules: failed.map(({ id, rule }) => ({ id, shortDescription: { text: rule } })),
    results: failed.map(({ id, rule, reason }, ruleIndex) => ({
      ruleId: id,
      ruleIndex,
      level: 'error',
      message: { text: `${reason}\nThe rule: ${rule}` },
      locations: file === undefined ? [] : [sarifLocation({ file, line: 1 })],
      // So that code scanning knows it again.
      partialFingerprints: { 'case/v1': createHash('sha256').update(id).digest('hex') },
    })),
    problem: notShown === 0 ? undefined : `cases that could not be shown: ${notShown}`,
  };
}
