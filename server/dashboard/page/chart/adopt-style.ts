import { CHART_MOTION, CHART_STYLE, PATH_STYLE } from '../../chart/chart-style.ts';

/** Adds the style sheet of charts. The page's content security policy allows no inline style. */
export function adoptChartStyle(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CHART_STYLE + PATH_STYLE + CHART_MOTION);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
