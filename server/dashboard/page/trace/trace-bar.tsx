import { formatDate, formatTime } from '../format.ts';
import { ThemeButton } from '../parts/theme-button.tsx';
import type { TraceContent } from './trace-content.ts';

/** What was recorded, when and of which sandbox. */
export function TraceBar({ title, sandbox, clockMs, seed, writtenBy, isCut, notReplayable }: TraceContent) {
  return (
    <header class="top-bar trace-bar">
      <span class="brand">Tapbench</span>
      <h1 class="trace-title clip" title={title}>
        {title === '' ? 'Trace' : title}
      </h1>
      <div class="spacer" />
      {isCut && (
        <span class="pill warn" title="The recording ended because it was as large as it may be">
          incomplete
        </span>
      )}
      {notReplayable.length > 0 && (
        <span class="pill" title={notReplayable.join('; ')}>
          not replayable
        </span>
      )}
      <span
        class="trace-facts clip"
        title={`Written by Tapbench ${writtenBy}${seed === null ? '' : `, seed ${seed}`}`}
      >
        sandbox {sandbox}, {formatDate(clockMs)} {formatTime(clockMs)} UTC
      </span>
      <ThemeButton />
    </header>
  );
}
