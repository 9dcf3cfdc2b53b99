import { abortableDelay } from '../../../protocol/clock.ts';
import { refusalMessage } from '../../../protocol/api-call.ts';
import type { Answer } from '../../../protocol/api-client.ts';
import { messageOf } from '../../../protocol/failures.ts';
import { pause } from '../../client/api-client.ts';
import type { CommandContext } from '../../command-line/command-context.ts';

/** The certificate on the server. */
export interface ReportedId {
  id: string;
}

/** Sends one report about the certificate. */
type Report = (params: ReportedId) => Promise<Answer<unknown>>;

interface LineParts {
  /** With a signal that ends the reports. */
  context: Pick<CommandContext, 'clock' | 'interrupted'>;
  /** Shows the certificate on the server. Called again when the server was started again, and knows nothing of it. */
  announce(): Promise<Answer<ReportedId>>;
  /** Called once, when a report could not be sent. */
  warn(problem: string): void;
  /** Called once, when the server takes no more reports. */
  onLost(): void;
}

/** Sends reports one after another, each until the server has it. */
export interface ReportLine {
  send(report: Report): void;
  /** The certificate on the server; undefined before it is there, and once no reports are taken. */
  reported(): ReportedId | undefined;
  isLost(): boolean;
  /** Resolves when all reports were sent, or the time has passed. */
  sent(withinMs: number): Promise<void>;
}

const RETRY_MS = 2_000;

export function createReportLine({ context, announce, warn, onLost }: LineParts): ReportLine {
  const { clock, interrupted } = context;
  let at: ReportedId | undefined;
  let isLost = false;
  let hasWarned = false;
  let line = Promise.resolve();

  const warnOnce = (problem: string) => {
    if (!hasWarned) warn(problem);
    hasWarned = true;
  };

  /** Sends a report, and before it the certificate unless the server has it. */
  async function attempt(report: Report, isLast = false): Promise<Answer<unknown>> {
    if (at === undefined) {
      const announced = await announce();
      if (!announced.ok) return announced;
      at = { id: announced.body.id };
    }
    const answer = await report(at);
    if (answer.status !== 404 || isLast) return answer;
    at = undefined;
    return attempt(report, true);
  }

  async function deliver(report: Report): Promise<void> {
    while (!isLost && !interrupted.aborted) {
      try {
        const { ok, status, body } = await attempt(report);
        // An act that was answered in this moment, or a certificate that is over.
        if (ok || status === 409) return;
        isLost = true;
        onLost();
        warnOnce(refusalMessage(body) ?? `it was refused (${status})`);
      } catch (thrown) {
        if (interrupted.aborted) return;
        warnOnce(messageOf(thrown));
        await pause(context, RETRY_MS).catch(() => {});
      }
    }
  }

  return {
    send(report) {
      line = line.then(() => deliver(report));
    },
    reported: () => (isLost ? undefined : at),
    isLost: () => isLost,
    async sent(withinMs) {
      const told = new AbortController();
      await Promise.race([line, abortableDelay(clock, withinMs, told.signal)]);
      told.abort();
    },
  };
}
