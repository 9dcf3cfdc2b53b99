import { factsHtml, pageHtml } from '../../server/platform/http/pages/page-layout.ts';
import { safeHtml, type SafeHtml } from '../../server/platform/http/pages/safe-html.ts';
import { differenceText } from './difference-text.ts';
import { PLACES, type Place } from './judge/difference.ts';
import type { PlacedDifference } from './judge/place-differences.ts';
import { needsText } from './needs.ts';
import type { JudgedComparison } from './result.ts';

/** In the order of the page. */
const ORDER: readonly Place[] = ['rule', 'fact', 'new', 'choice', 'extension'];

/** Returns a comparison as one HTML page, which loads nothing else. */
export function comparisonPage(comparison: JudgedComparison): string {
  const { to, startedTimestamp, version, differences, choices, results } = comparison;
  const count = (verdict: string) => choices.filter((one) => one.verdict === verdict).length;
  const ofPlace = (place: Place) => differences.filter((one) => one.place === place);
  return pageHtml({
    title: countsText(comparison),
    from: 'Tapbench',
    about: 'comparison of two servers',
    wide: true,
    body: safeHtml`${factsHtml([
      ['Compared with', to],
      ['When', new Date(startedTimestamp * 1000).toISOString()],
      ['Version', version],
      [
        'Choices',
        `${count('confirmed')} confirmed, ${count('refuted')} refuted, ${count('unknown')} unknown`,
      ],
    ])}${ORDER.map((place) => placeHtml(PLACES[place], ofPlace(place)))}${listHtml(
      'Not shown',
      results.flatMap(({ name, notShown, needs }) =>
        notShown === null || needs !== null ? [] : [[name, notShown]],
      ),
    )}${listHtml(
      'Not tried',
      results.flatMap(({ name, notShown, needs }) => (needs === null ? [] : [[name, notShown ?? '']])),
    )}${listHtml(
      'Choices',
      choices.map(({ choice, verdict }) => [choice, verdict]),
    )}`,
  });
}

function placeHtml(title: string, placed: readonly PlacedDifference[]): SafeHtml | false {
  if (placed.length === 0) return false;
  return safeHtml`<section><div class="part"><h2>${title}</h2><span>${placed.length}</span></div>${placed.map(
    (one) => {
      const { what, difference } = differenceText(one);
      const concerns = one.concerns.length > 0 && safeHtml`<small>${one.concerns.join(', ')}</small>`;
      return safeHtml`<p><strong>${what}</strong><br>${difference}${concerns}<small>${scenariosText(one.scenarios)}</small></p>`;
    },
  )}</section>`;
}

const SCENARIOS_MAX = 5;

function scenariosText(scenarios: readonly string[]): string {
  const others = scenarios.length - SCENARIOS_MAX;
  const more = others > 0 ? ` and ${others} more` : '';
  return `in ${scenarios.slice(0, SCENARIOS_MAX).join(', ')}${more}`;
}

function listHtml(title: string, rows: readonly string[][]): SafeHtml | false {
  if (rows.length === 0) return false;
  return safeHtml`<section><div class="part"><h2>${title}</h2><span>${rows.length}</span></div><dl>${rows.map(
    ([name, text]) => safeHtml`<dt>${name}</dt><dd>${text}</dd>`,
  )}</dl></section>`;
}

/** Returns the counts of a comparison in words: `12 scenarios alike, 3 differ, 1 not shown`. */
export function countsText({ counts, results }: Pick<JudgedComparison, 'counts' | 'results'>): string {
  const { alike, differing, notShown, notTried, notRun } = counts;
  const parts = [`${alike} ${alike === 1 ? 'scenario' : 'scenarios'} alike`, `${differing} differ`];
  if (notShown > 0) parts.push(`${notShown} not shown`);
  if (notTried > 0)
    parts.push(`${notTried} not tried (${needsText(results.flatMap(({ needs }) => needs ?? []))})`);
  if (notRun > 0) parts.push(`${notRun} not run`);
  return parts.join(', ');
}
