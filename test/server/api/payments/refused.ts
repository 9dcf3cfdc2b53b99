import { expect } from 'vitest';
import type { Answer } from '../../../kit/api.ts';

/** What was answered, as one line: the refusal's status, code and message, or that there was none. */
export function refusalOf({ status, body }: Answer): string {
  return status < 300 ? 'accepted' : `${status} ${body.errors[0].code} ${body.errors[0].message}`;
}

type Row = [label: string, answer: Promise<Answer>, refusal: string | RegExp];

/** Each answer is the refusal that its row says; the label is there to be read when it is not. */
export async function expectRows(rows: Row[]): Promise<void> {
  for (const [label, answer, refusal] of rows) {
    expect([label, refusalOf(await answer)]).toEqual([label, expect.stringMatching(refusal)]);
  }
}
