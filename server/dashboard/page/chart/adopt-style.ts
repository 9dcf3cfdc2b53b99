import { CHART_MOTION, CHART_STYLE } from '../../chart/chart-style.ts';

/** Gives the page the looks of a chart; as a sheet of its own, since the page's policy allows no style in its text. */
export function adoptChartStyle(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CHART_STYLE + CHART_MOTION);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
