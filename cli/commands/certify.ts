import { join } from 'node:path';
import { Fault } from '../../protocol/failures.ts';
import { VERSION } from '../../protocol/version.ts';
import {
  certificateOf,
  countsOf,
  mergedResults,
  planDigest,
  type CaseResult,
  type Certificate,
  type Subject,
} from '../certify/certificate.ts';
import { readUnfinished, writeCertificate } from '../certify/certificate-folder.ts';
import { verdictText } from '../certify/certificate-page.ts';
import { openEndpointCase, removeLeftovers } from '../certify/endpoint/open-endpoint-case.ts';
import { ENDPOINT_CASES } from '../certify/endpoint/endpoint-cases.ts';
import { runCases } from '../certify/run-cases.ts';
import { connectApi, SANDBOX_OPTIONS, type ServerApi } from '../client/api-client.ts';
import { command, EXIT, oneOf, required, type ServerValues } from '../command-line/command.ts';
import type { CommandContext, Sink } from '../command-line/command-context.ts';
import { junit, withJunitReport, type JudgedCases } from '../command-line/junit-option.ts';
import { booleanOption, integerOption, stringOption } from '../command-line/option.ts';
import { coloured, json, printJson, printLine, printTable } from '../command-line/output.ts';

const OPTIONS = {
  books: stringOption({
    flag: '--books <from>',
    description: 'File or URL with what the books of its shop say, as JSON',
    defaultText: 'what it books is not shown',
  }),
  only: stringOption({
    flag: '--only <cases>',
    description: 'Ids of cases, separated by commas; those that they need run too',
    defaultText: 'all cases',
  }),
  seed: stringOption({ flag: '--seed <text>', description: 'Decides the amounts', defaultValue: '1' }),
  quiet: integerOption(
    { min: 1, max: 60 },
    {
      flag: '--quiet <seconds>',
      description: 'How long it gets to end its work before its books are read',
      defaultValue: '1',
    },
  ),
  out: stringOption({
    flag: '--out <folder>',
    description: 'Folder of the certificate, as JSON and as a page, and of the traces of its cases',
    defaultValue: 'certificate',
  }),
  resume: booleanOption('--resume', 'Go on with the certificate in the folder, where a run was broken off'),
  junit,
  ...SANDBOX_OPTIONS,
};

type EndpointOptions = ServerValues<typeof OPTIONS>;

export const certify = command({
  name: 'certify',
  details: 'Each rule has an id, by which --only and the results of certify endpoint name it.',
  parameters: {},
  options: { json },
  examples: [{ line: 'tapbench certify', description: 'prints what is tried at an endpoint' }],
  run({ context, options }) {
    const rules = ENDPOINT_CASES.map(({ id, rule, needs }) => ({ id, rule, needs }));
    if (options.json) printJson(context.out, rules);
    else printTable(context.out, [['CASE', 'RULE'], ...rules.map(({ id, rule }) => [id, rule])]);
    return Promise.resolve();
  },
});

export const certifyEndpoint = command({
  name: 'certify endpoint',
  details:
    'Sells online in the sandbox in which the endpoint is registered, with a fault in each case, and says which rules the endpoint keeps. See docs/certify-endpoint.md.',
  parameters: { url: required('URL of the endpoint, as it is registered') },
  options: OPTIONS,
  examples: [
    {
      line: 'tapbench certify endpoint http://127.0.0.1:3000/hook --books books.json',
      description: 'tries all cases, and reads in the file what was booked',
    },
    {
      line: 'tapbench certify endpoint http://127.0.0.1:3000/hook --only endpoint.unsigned',
      description: 'tries one, and what it needs',
    },
  ],
  isJudge: true,
  exitCodes: {
    [EXIT.ok]: 'the endpoint keeps all rules that were tried',
    [EXIT.failed]: 'it breaks one',
    [EXIT.notJudged]: 'a rule could not be shown',
  },
  async run({ context, args: { url }, options }) {
    const report = {
      file: options.junit,
      suite: 'tapbench certify',
      className: 'tapbench certify endpoint',
      whole: 'endpoint',
      casesOf: casesOfReport,
    };
    const certificate = await withJunitReport(context, report, () => certifyAt(context, url, options));
    if (options.json) printJson(context.out, certificate);
    else printLine(context.out, `${verdictText(certificate)}; ${join(options.out, 'certificate.html')}`);
    const counts = countsOf(certificate);
    if (counts.failed > 0) return EXIT.failed;
    return counts['not shown'] > 0 ? EXIT.notJudged : EXIT.ok;
  },
});

async function certifyAt(
  context: CommandContext,
  url: string,
  options: EndpointOptions,
): Promise<Certificate> {
  const api = connectApi(context, options);
  const ids = ENDPOINT_CASES.map(({ id }) => id);
  const only = options.only?.split(',').map((id) => oneOf('--only', ids, id));
  const webhook = await webhookOf(api, url);
  const plan = planDigest(ENDPOINT_CASES);
  const name = url.replace(/\?.*$/s, '');
  const subject: Subject = { kind: 'endpoint', name, version: VERSION, seed: options.seed, plan };
  const earlier = options.resume ? readUnfinished(options.out, subject) : undefined;
  const startedTimestamp = earlier?.startedTimestamp ?? Math.floor(context.clock.nowMs() / 1000);
  const before = earlier?.results ?? [];
  const write = (results: readonly CaseResult[]) => {
    const merged = mergedResults(ENDPOINT_CASES, before, results);
    const certificate = certificateOf(subject, { startedTimestamp, cases: ENDPOINT_CASES.length }, merged);
    writeCertificate(options.out, certificate);
    return certificate;
  };
  // The folder is of this run from now on.
  write([]);
  await removeLeftovers(api);
  const results = await runCases(ENDPOINT_CASES, {
    only,
    earlier: before,
    open: (id) => openEndpointCase(context, { api, webhook, id, options }),
    interrupted: context.interrupted,
    onResult(soFar, last) {
      write(soFar);
      if (!options.json) printResult(context.out, last);
    },
  });
  return write(results);
}

/** @throws Fault `bad_setting` when the endpoint is not registered, or not active */
async function webhookOf(api: ServerApi, url: string): Promise<{ id: string; eventTypes: string[] }> {
  const { items } = await api.call('GET /v1/webhooks');
  const webhook = items.find((one) => one.url === url && one.active);
  if (webhook) return webhook;
  throw new Fault(
    'bad_setting',
    `no active webhook has the URL ${url}: register it by 'tapbench webhooks add', and give its secret to the endpoint`,
  );
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
