import { render } from 'preact';
import { adoptChartStyle } from '../chart/shown-chart.ts';
import { applyStoredTheme } from '../theme.tsx';
import { readBlock } from './static-dashboard.ts';
import type { TraceContent } from './trace-content.ts';
import { TracePage } from './trace-page.tsx';

adoptChartStyle();
applyStoredTheme();
void readBlock<TraceContent>('trace').then((content) => {
  render(<TracePage content={content} />, document.getElementById('page')!);
});
