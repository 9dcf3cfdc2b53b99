import { LINE_PX, NAME_PX, TAG_PX, TITLE_PX, MONO, SANS } from './sizes.ts';
import { keysOf } from '../../../protocol/tables.ts';

/** Colours of a chart in the light theme; declarations for any rule. */
const CHART_LIGHT = `
  --chart-paper: #ffffff; --chart-ink: #1c2430; --chart-dim: #566173; --chart-line: #8b96a8;
  --chart-box: #f7f9fc; --chart-edge: #bcc5d3; --chart-nest: rgb(92 112 148 / 7%);
  --chart-now: #1a66d9; --chart-now-box: #d6e6ff; --chart-past: #4a86dd; --chart-past-box: #edf4ff;
  --chart-good: #1a7240; --chart-good-box: #d9f2e2; --chart-bad: #b3261e; --chart-bad-box: #fbe1df;
  --chart-busy: #7a5300; --chart-busy-box: #fcebc4; --chart-quiet: #4f5a6b; --chart-quiet-box: #e4e9f0;
`;

/** The same in the dark theme. */
const CHART_DARK = `
  --chart-paper: #10151c; --chart-ink: #e7edf5; --chart-dim: #a0acbc; --chart-line: #6d7b90;
  --chart-box: #1a222d; --chart-edge: #414e61; --chart-nest: rgb(150 175 220 / 7%);
  --chart-now: #62a8ff; --chart-now-box: #143760; --chart-past: #4b87cf; --chart-past-box: #172a42;
  --chart-good: #7ddba0; --chart-good-box: #15382a; --chart-bad: #ff9c94; --chart-bad-box: #4a1d1f;
  --chart-busy: #f0c565; --chart-busy-box: #3f3112; --chart-quiet: #b4c0d0; --chart-quiet-box: #2b3645;
`;

/** The style of a drawing, in the colours above, for pages and standalone pictures alike. */
export const CHART_STYLE = `
.chart { font-family: ${SANS}; }
.chart text { fill: var(--chart-ink); font-size: ${NAME_PX}px; font-weight: 600; }
.chart .title { font-size: ${TITLE_PX}px; }
.chart .caption { fill: var(--chart-dim); font-size: ${LINE_PX}px; font-weight: 400; }
.chart .way text { font: 400 ${LINE_PX}px ${MONO}; }
.chart .way .guard { fill: var(--chart-dim); }
.chart .way.ignore text { fill: var(--chart-dim); text-decoration: line-through; }
.chart .plate { fill: var(--chart-paper); stroke: var(--chart-edge); stroke-width: .75; }
.chart .box { fill: var(--chart-box); stroke: var(--chart-edge); stroke-width: 1.25; }
.chart .compound > .box { fill: var(--chart-nest); }
.chart .region > .box { stroke-dasharray: 5 4; }
.chart .inner { fill: none; stroke: var(--chart-edge); }
.chart .rule { stroke: var(--chart-edge); stroke-width: .75; }
.chart .line { fill: none; stroke: var(--chart-line); stroke-width: 1.25; }
.chart .tip, .chart .dot { fill: var(--chart-line); stroke: none; }
.chart .start .dot { fill: var(--chart-ink); }
.chart .tag text { font-size: ${TAG_PX}px; }
.chart .tag.good rect { fill: var(--chart-good-box); } .chart .tag.good text { fill: var(--chart-good); }
.chart .tag.bad rect { fill: var(--chart-bad-box); } .chart .tag.bad text { fill: var(--chart-bad); }
.chart .tag.busy rect { fill: var(--chart-busy-box); } .chart .tag.busy text { fill: var(--chart-busy); }
.chart .tag.quiet rect { fill: var(--chart-quiet-box); } .chart .tag.quiet text { fill: var(--chart-quiet); }
.chart .visited > .box, .chart .visited > .inner { stroke: var(--chart-past); }
.chart .visited:not(.compound) > .box { fill: var(--chart-past-box); }
.chart .arrow.taken .line { stroke: var(--chart-past); stroke-width: 2.25; }
.chart .arrow.taken .tip { fill: var(--chart-past); }
.chart .arrow.taken .plate { stroke: var(--chart-past); }
.chart .way.taken text { fill: var(--chart-now); font-weight: 700; text-decoration: none; }
.chart .way.taken .guard { fill: inherit; }
.chart .active > .box, .chart .active > .inner { stroke: var(--chart-now); stroke-width: 2.5; }
.chart .active:not(.compound) > .box { fill: var(--chart-now-box); }
.chart .halo { fill: none; stroke: var(--chart-now); stroke-width: 3; opacity: .35; }
`;

/** What the drawings of a page have besides: paths, and the marks of faults. */
export const PATH_STYLE = `
.chart .strike circle { fill: var(--chart-busy-box); stroke: var(--chart-busy); }
.chart .strike path { fill: var(--chart-busy); }
.chart .exit-line { stroke-width: 1; }
.chart .exit .way:not(.taken) text { fill: var(--chart-dim); }
.chart .chip { fill: var(--chart-paper); stroke: var(--chart-edge); }
.chart .chip-name { font-size: ${LINE_PX}px; font-weight: 400; }
`;

/** The active state pulses, unless the user prefers reduced motion. */
export const CHART_MOTION = `
@media (prefers-reduced-motion: no-preference) {
  .chart .halo { animation: chart-pulse 2s ease-in-out infinite; }
}
@keyframes chart-pulse { 50% { opacity: .08; stroke-width: 7; } }
`;

/** The style that a standalone picture includes. */
export const STANDALONE_STYLE = `
.chart {${CHART_LIGHT}}
@media (prefers-color-scheme: dark) { .chart {${CHART_DARK}} }
${CHART_STYLE}`;

type Tone = 'good' | 'bad' | 'busy' | 'quiet';

const TONES: Record<Tone, string[]> = {
  good: ['Succeeded', 'Completed', 'Captured', 'Approved', 'Won', 'Verified', 'Active'],
  bad: ['Failed', 'Lost', 'Returned', 'PastDue', 'Declined', 'Required'],
  busy: [
    'InProgress',
    'Pending',
    'PendingPayment',
    'PendingAction',
    'PendingVerification',
    'Open',
    'Challenged',
  ],
  quiet: [],
};

/** Returns the colour of a status. */
export function toneOf(tag: string): Tone {
  return keysOf(TONES).find((tone) => TONES[tone].includes(tag)) ?? 'quiet';
}
