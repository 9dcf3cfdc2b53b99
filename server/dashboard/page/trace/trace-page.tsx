import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/shell.css';
import '../styles/terminal.css';
import '../styles/device.css';
import '../styles/paper.css';
import '../styles/chart.css';
import '../styles/timeline.css';
import '../styles/history.css';
import '../styles/trace.css';
import { ThemeButton } from '../theme.tsx';
import type { TraceContent } from './trace-content.ts';
import { TracePanes } from './trace-panes.tsx';
import { formatDate, formatTime } from '../format.ts';

/** A recording as a page: what was recorded, and its device, chart and timeline. `buttons` are in its bar. */
export function TracePage({ content, buttons }: { content: TraceContent; buttons?: ComponentChildren }) {
  const machines = useMemo(() => signal(content.machines), [content]);
  return (
    <>
      <TraceBar content={content} buttons={buttons} />
      <main id="view" tabIndex={-1}>
        {content.entries.length > 0 ? (
          <TracePanes
            content={content}
            machines={machines}
            over
            beside={() => content.found && <FoundNote {...content.found} />}
          />
        ) : (
          <p class="quiet-note">Nothing happened while this was recorded.</p>
        )}
      </main>
    </>
  );
}

/** What a hunt found in it. */
function FoundNote({ verdict, story }: NonNullable<TraceContent['found']>) {
  return (
    <section class="trace-found" aria-label="What a hunt found" tabIndex={0}>
      <h2>
        <span class="pill bad">found</span> {verdict}
      </h2>
      <pre>{story.join('\n')}</pre>
    </section>
  );
}

/** What was recorded, when and of which sandbox. */
function TraceBar({ content, buttons }: { content: TraceContent; buttons: ComponentChildren }) {
  const { title, sandbox, clockMs, seed, writtenBy, isCut, notReplayable } = content;
  return (
    <header class="top-bar trace-bar">
      <span class="brand">Tapbench</span>
      <h1 class="trace-title clip" title={title}>
        {title === '' ? 'Trace' : title}
      </h1>
      <div class="spacer" />
      {isCut && (
        <span
          class="pill warn"
          title="What is later is left out: a recording, or its page, has its largest size"
        >
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
      {buttons}
      <ThemeButton />
    </header>
  );
}
