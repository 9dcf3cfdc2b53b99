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
      "action-setup.ts: context.device === null for context.device !== null": "goesOn",
      "action-setup.ts: never if (event.pin === 'onDevice')": "reportsTrue",
      "action-setup.ts: without answer: event.chip ?? null": "devicesAsked",
      "action-setup.ts: without assertEvent(event, 'issuer.approved');": "survived",
      "action-setup.ts: without assertEvent(event, 'issuer.declined');": "survived",
      "action.abandoning on card.presented: as in action.awaitingCard": "ignoresForeign",
      "action.approved.completing entry: without setDeadline 15000": "waitsAsLong",
      "action.approved.completing on copy.failed: as in action.approved.printing.customerCopy": "ignoresForeign",
      "action.approved.printing.customerCopy entry: without setDeadline 20000": "waitsAsLong",
      "action.approved.printing.customerCopy on device.ready: as in action.awaitingCard": "ignoresForeign",
      "action.approved.printing.merchantCopy on copy.failed: to action.reversing": "givesUp",
      "action.approved.printing.merchantCopy on deadline.passed: dropped": "goesOn",
      "action.approved.printing.merchantCopy on device.declined: as in action.reading": "givesUp",
      "action.authorising on card.unreadable: as in action.verifyingPin": "givesUp",
      "action.awaitingPin on card.removed 1: dropped": "survived",
      "action.awaitingPin on reader.failed: setErrorCode card_declined for setErrorCode unexpected_error": "givesUp",
      "action.awaitingPin on reader.failed: without setErrorCode unexpected_error": "givesUp",
      "action.completingCard on card.removed: without setErrorCode card_declined": "givesUp",
      "action.completingCard on power.returned: dropped": "givesUp",
      "action.machine.ts: null for actionMachine.states[phase]?.meta?.waitMs ?? null": "waitsAsLong",
      "action.reading on device.ready: as in action.awaitingCard": "ignoresForeign",
      "action.reversingAtDevice.cancelled on receipt.confirmed: as in action.approved.awaitingCustomerReceipt": "ignoresForeign",
      "action.rules.ts: merchantCopy || action.merchant_copy !== 'Required' for merchantCopy && action.merchant_copy !== 'Required'": "survived",
      "action.verifyingPin on card.refused: as in action.completingCard": "givesUp",
      "action.verifyingPin on deadline.passed: setErrorCode unexpected_error for setErrorCode timeout": "givesUp",
      "action.verifyingPin on issuer.approved: as in action.authorising": "ignoresForeign",
      "action.verifyingPin on power.returned: without its target": "goesOn",
      "command-messages.ts: 2 for 1": "numbersCount",
      "command-messages.ts: requestReport || action.phase !== 'sent' for requestReport && action.phase !== 'sent'": "repeatsRight",
      "deadlines.ts: current.atMs !== atMs for current.atMs === atMs": "oneTimer",
      "report-answers.ts: {} for reason === undefined ? {} : { reason: reasonText(reason) }": "answersRight",
      "serverAction.approved always 1: without its target": "survived",
      "serverAction.atDevice: tag Succeeded": "decidesRight",
      "serverAction.awaitingCard on issuer.approved 1: without sendDecision": "commandsInOrder",
      "serverAction.awaitingCard on outcome.unknown: dropped": "decidesRight",
      "serverAction.printing on action.cancelled 1: sendCancel before void": "survived",
      "serverAction.printing on action.cancelled 1: without its target": "endsRightly",
      "serverAction.printing on deadline.passed 1: guard negated": "decidesRight",
      "serverAction.printing: tag Cancelled": "decidesRight",
      "serverAction.sent on customerCopy.failed: as in serverAction.awaitingCustomerCopy": "noFault",
      "serverAction.sent on issuer.approved 1: guard negated": "noFault",
      "serverAction.sent on issuer.declined 1: guard negated": "movesMoney",
    }
  `);
});
