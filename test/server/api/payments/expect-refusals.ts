import { expect } from 'vitest';
import type { Answer } from '../../../../testing/world/api.ts';

/** A response as one line: status, code and message of its refusal, or `accepted`. */
export function refusalOf({ status, body }: Answer): string {
  return status < 300 ? 'accepted' : `${status} ${body.errors[0].code} ${body.errors[0].message}`;
}

type Row = [label: string, answer: Promise<Answer>, refusal: string | RegExp];

/** Checks that each response is the refusal of its row; the label is shown when it is not. */
export async function expectRows(rows: Row[]): Promise<void> {
  for (const [label, answer, refusal] of rows) {
    expect([label, refusalOf(await answer)]).toEqual([label, expect.stringMatching(refusal)]);
  }
}
