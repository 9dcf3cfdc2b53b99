import { replaceFile } from '../../protocol/system/replace-file.ts';
import { Type, type Static } from '../../protocol/schema.ts';
import { resultReader } from '../command-line/result-folder.ts';
import type { JudgedComparison } from './result.ts';

/** What comparisons with the service have said of choices, by the heading: `compare/verdicts.json` of this repository. */
const ChoiceVerdicts = Type.Record(
  Type.String({ pattern: '^[a-z-]+#[a-z0-9-]+$' }),
  Type.Object({
    verdict: Type.Enum(['confirmed', 'refuted']),
    /** Of the comparison, in UTC. */
    date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
  }),
);
export type ChoiceVerdicts = Static<typeof ChoiceVerdicts>;

const readVerdicts = resultReader(ChoiceVerdicts);

/** Adds what a comparison says to a file of verdicts. What it does not know keeps its verdict. @throws Fault `bad_setting` when the file is none */
export function keepVerdicts(file: string, { choices, startedTimestamp }: JudgedComparison): void {
  const date = new Date(startedTimestamp * 1000).toISOString().slice(0, 10);
  const verdicts = readVerdicts(file, '--verdicts');
  for (const { choice, verdict } of choices) if (verdict !== 'unknown') verdicts[choice] = { verdict, date };
  const sorted = Object.entries(verdicts).toSorted(([one], [other]) => (one < other ? -1 : 1));
  replaceFile(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
