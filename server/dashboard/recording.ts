import type { Call } from '../platform/notices.ts';
import type { About, Attribution } from './attribution.ts';
import type { Shown } from './entry-wording.ts';
import type { TimelineEntry, WebhookAttempt } from './view.ts';

/** An entry as it is kept: what can wait is made when somebody looks. */
export interface Recorded extends About {
  seq: number;
  atMs: number;
  lane: TimelineEntry['lane'];
  kind: TimelineEntry['kind'];
  show(): Shown;
}

/** Where what happened is put. */
export interface Recording {
  readonly attribution: Attribution;
  add(about: About | undefined, entry: Pick<Recorded, 'lane' | 'kind' | 'show'>): void;
  /** A call has its place where it began. */
  begin(call: Call): void;
  end(call: Call, about: About | undefined, show: () => Shown): void;
  attempted(attempt: Omit<WebhookAttempt, 'atMs'>): void;
  clear(): void;
}
