import { join } from 'node:path';
import { abortableDelay } from '../../../protocol/clock.ts';
import { connectApi, secretKeyOf, type ClientOptions, type ServerApi } from '../../client/api-client.ts';
import { uploadFile } from '../../client/file-transfer.ts';
import type { CommandContext } from '../../command-line/command-context.ts';
import { printLine } from '../../command-line/output.ts';
import type { CaseResult } from '../certificate.ts';
import { AskedActs, type AskedAct, type ActAnswer } from './asked-acts.ts';
import { progressOf, reportedCases, type CaseProgress, type CertificatePlan } from './certificate-plan.ts';
import { createReportLine, type ReportedId, type ReportLine } from './report-line.ts';

/** What a certificate tells the dashboard, and asks in it. Nothing of it throws, or ends the certificate. */
export interface CertificateReport {
  /** Asks whoever has the dashboard open. `settle` takes what was said elsewhere before. */
  ask(asked: AskedAct): { answer: Promise<ActAnswer>; settle(said: ActAnswer): void };
  /** Shows the certificate from now on. */
  begin(plan: CertificatePlan): void;
  /** @param recordingId of what is recorded meanwhile */
  caseBegan(id: string, recordingId: string | undefined): void;
  /** @param folder of its trace */
  caseEnded(result: CaseResult, folder: string): void;
  /** Resolves when the server knows, or cannot be told soon. */
  end(status: 'Ended' | 'BrokenOff'): Promise<void>;
}

interface About {
  /** What the certificate is of, and its name. */
  kind: string;
  name: string;
  terminalId?: string;
}

// Twice within the time after which the server takes a command for dead.
const WAIT_SECONDS = 8;
const RETRY_MS = 2_000;
const PAUSE_MS = 100;
/** How long the end of the command waits for the server. */
const END_MS = 3_000;

/** Reports how a certificate goes on to the server of its sandbox, whose dashboard shows it. */
export function reportCertificate(
  context: CommandContext,
  options: ClientOptions,
  about: About,
): CertificateReport {
  const ended = new AbortController();
  // Also what was interrupted is reported.
  const lasting: CommandContext = { ...context, interrupted: ended.signal };
  const api = connectApi(lasting, options);
  let plan: CertificatePlan = { cases: [], leftOut: 0, earlier: [] };
  const line = createReportLine({
    context: lasting,
    async announce() {
      const cases = reportedCases(plan);
      const body = { ...about, cases, casesLeftOut: plan.leftOut };
      const answer = await api.answer('POST /sandbox/certificates', { body });
      if (answer.ok) {
        acts.askAgain();
        printWhere(context, api, answer.body.id);
      }
      return answer;
    },
    warn: (problem) =>
      printLine(context.err, `the dashboard does not show how the certificate goes on: ${problem}`),
    onLost: () => acts.lose(),
  });
  const acts = askedActs(lasting, api, line);
  const progress = (caseId: string, body: CaseProgress) => sendProgress(api, line, { caseId, body });

  return {
    ask: (asked) => acts.ask(asked),
    begin(begun) {
      plan = begun;
      line.send(async () => {
        void listen(lasting, { api, line, acts });
        return DONE;
      });
    },
    caseBegan: (caseId, recordingId) =>
      progress(caseId, { status: 'Running', ...(recordingId !== undefined && { recordingId }) }),
    caseEnded(result, folder) {
      plan = { ...plan, earlier: [...plan.earlier, result] };
      const { id: caseId, trace } = result;
      progress(caseId, progressOf(result));
      if (trace === null) return;
      const server = { ...options, secretKey: secretKeyOf(options) };
      line.send(async ({ id }) => {
        const path = `/sandbox/certificates/${id}/cases/${caseId}/trace`;
        // It is in the folder of the certificate as well.
        await uploadFile(lasting, server, path, join(folder, trace)).catch(() => {});
        return DONE;
      });
    },
    async end(status) {
      if (plan.cases.length > 0)
        line.send((params) =>
          api.answer('POST /sandbox/certificates/{id}/end', { params, body: { status } }),
        );
      await line.sent(END_MS);
      ended.abort();
    },
  };
}

const DONE = { ok: true, status: 200, headers: {}, body: undefined } as const;

/** Tells the person at the terminal window where the certificate is. */
function printWhere({ err }: Pick<CommandContext, 'err'>, { url }: ServerApi, id: string): void {
  if (err.isTerminal) printLine(err, `the dashboard shows it: ${url}/#/certificates/${id}`);
}

function askedActs({ clock }: Pick<CommandContext, 'clock'>, api: ServerApi, line: ReportLine): AskedActs {
  return new AskedActs(clock, {
    post: (body, onNumber) =>
      line.send(async (params) => {
        const answer = await api.answer('POST /sandbox/certificates/{id}/acts', { params, body });
        if (answer.ok) onNumber(answer.body.number);
        return answer;
      }),
    settle: (number, body) =>
      line.send(({ id }) =>
        api.answer('POST /sandbox/certificates/{id}/acts/{number}/answer', {
          params: { id, number: String(number) },
          body,
        }),
      ),
  });
}

function sendProgress(
  api: ServerApi,
  line: ReportLine,
  { caseId, body }: { caseId: string; body: CaseProgress },
): void {
  line.send(({ id }) =>
    api.answer('POST /sandbox/certificates/{id}/cases/{caseId}', { params: { id, caseId }, body }),
  );
}

interface Listener {
  api: ServerApi;
  line: ReportLine;
  acts: AskedActs;
}

/** Waits for answers until the certificate ends, which also shows the server that the command lives. */
async function listen(context: CommandContext, { api, line, acts }: Listener): Promise<void> {
  const { clock, interrupted } = context;
  while (!interrupted.aborted && !line.isLost()) {
    const params = line.reported();
    const isHeard = params !== undefined && (await listenOnce({ api, acts }, params).catch(() => false));
    if (!isHeard) acts.hearNothing();
    await abortableDelay(clock, isHeard ? PAUSE_MS : RETRY_MS, interrupted);
  }
}

/** Returns whether the server has answered. */
async function listenOnce({ api, acts }: Omit<Listener, 'line'>, params: ReportedId): Promise<boolean> {
  const query = { after: acts.heard, waitSeconds: WAIT_SECONDS };
  const answer = await api.answer('GET /sandbox/certificates/{id}/answers', { params, query });
  if (answer.ok) acts.hear(answer.body);
  return answer.ok;
}
