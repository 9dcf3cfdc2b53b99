import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Returns what axe finds wrong with a page as it is shown, one text for each element. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // Off by default, since it is new.
  const rules = { 'label-content-name-mismatch': { enabled: true } };
  // Without what passes, which the browser takes longer to return than to find.
  const violations = await page.evaluate<axe.Result[]>(
    `axe.run(document, ${JSON.stringify({ rules, resultTypes: ['violations'] })}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${String(target)}: ${failureSummary}`),
  );
}
