import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { bundleModelCheck } from '../../../scripts/bundle-model-check.mjs';
import type { verdictsOf } from './verdicts.ts';

test('mutants: what the smallest scenario catches of a sample', async () => {
  const file = await bundleModelCheck('mutants/verdicts');
  const bundle = (await import(pathToFileURL(file).href)) as { verdictsOf: typeof verdictsOf };
  const found: Record<string, string> = {};
  const part = { seed: 1, sample: 50, index: 0, parts: 1, explorations: 1 };
  for await (const { id, reached, caught } of bundle.verdictsOf(part))
    if (reached) found[id] = caught?.property ?? 'survived';
  expect(found).toMatchInlineSnapshot(`
    {
      "action-setup.ts: context.device === null for context.device !== null": "statusShown",
      "action-setup.ts: null for chip ?? null": "survived",
      "action-setup.ts: without answer: event.chip ?? null": "survived",
      "action-setup.ts: without assertEvent(event, 'issuer.approved');": "survived",
      "action-setup.ts: without assertEvent(event, 'issuer.declined');": "survived",
      "action.abandoning entry: without abandonAction": "inStep",
      "action.approved.completing entry: without setDeadline 15000": "waitsEnd",
      "action.approved.completing on copy.failed: as in action.approved.printing.customerCopy": "copiesCounted",
      "action.approved.printing.customerCopy entry: without setDeadline 20000": "waitsEnd",
      "action.approved.printing.customerCopy on copy.printed: to action.reversing": "givesUp",
      "action.approved.printing.merchantCopy on deadline.passed: dropped": "copiesCounted",
      "action.rules.ts: merchantCopy || action.merchant_copy !== 'Required' for merchantCopy && action.merchant_copy !== 'Required'": "survived",
      "action: first action.reversingAtDevice": "statusShown",
      "command-messages.ts: never if (action.decision !== null)": "survived",
      "report-answers.ts: never if (status === 'InProgress')": "inStep",
      "serverAction.approved always 1: without its target": "survived",
      "serverAction.awaitingCard on issuer.approved 1: without sendDecision": "inStep",
      "serverAction.printing on action.cancelled 1: sendCancel before void": "survived",
      "serverAction.printing on action.cancelled 1: without its target": "cancelKept",
      "serverAction.printing on deadline.passed 1: guard negated": "moneyAsStatus",
      "serverAction.printing: tag Cancelled": "moneyAsStatus",
      "serverAction.sent on action.accepted: to serverAction.printing": "inStep",
    }
  `);
});
