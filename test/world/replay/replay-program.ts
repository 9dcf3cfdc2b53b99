// The program of which `changed-program.ts` builds versions.
export { describeDivergence } from '../../../world/replay/describe-divergence.ts';
export { replayTrace } from '../../../world/replay/replay-trace.ts';
