import type { Fields } from './fields.ts';
import { PROGRESS } from './codes.ts';
import { layoutOf, print, type Job, type Work, type WorkParts } from './job.ts';
import { counts, endOfDayLines, reportLines, sumMinor, type Report } from './receipts.ts';
import { progress } from './sale.ts';
import * as telling from './outgoing-messages.ts';

const EURO = '0978';

/** 06 50: totals and report, and the journal begins anew. */
export const endOfDay: Work = async (parts, job) => {
  await tellTotals(parts, job);
  const { memory, clock } = parts;
  await print(job, endOfDayLines(memory.journal, clock.nowMs(), layoutOf(parts)), 'administration');
  memory.journal = [];
  return telling.completion();
};

/** 06 10: totals alone; nothing is printed or closed. */
export const turnoverTotals: Work = async (parts, job) => {
  await tellTotals(parts, job);
  return telling.completion();
};

async function tellTotals({ memory }: WorkParts, { till }: Job): Promise<void> {
  const { journal } = memory;
  const currency = journal.find(counts)?.currency ?? EURO;
  await till.tell(telling.totalsStatus(sumMinor(journal, currency), currency, journal));
}

/** 06 70, 06 93, 06 79, 06 1A: the terminal asks its host, and prints that all is well. */
export function report(name: Report): Work {
  return async (parts, job) => {
    const tellsProgress = job.registration?.tellsProgress ?? false;
    await progress({ till: job.till, tellsProgress }, PROGRESS.waitingForHost);
    await print(job, reportLines(name, parts.clock.nowMs(), layoutOf(parts)), 'administration');
    return telling.completion();
  };
}

/** 06 18: the terminal restarts, and has no cash register then. What it has booked it keeps. */
export const reset: Work = async ({ memory }) => {
  memory.registration = undefined;
  return telling.completion();
};

const FIRST_LINE = 0xf1;
const LAST_LINE = 0xf8;

/** 06 E0: the lines that a cash register wants shown (BMP F1 to F8), in ASCII. */
export function displayedLines(fields: Fields): string[] {
  const lines = [...fields].filter(([number]) => number >= FIRST_LINE && number <= LAST_LINE);
  return lines.map(([, text]) => Buffer.from(text).toString('ascii'));
}
