import type { ApiCall } from '../platform/activities.ts';
import type { Attribution, RelatedIds } from './attribution.ts';
import type { EntryContent } from './entry-content.ts';
import type { TimelineEntry, WebhookAttempt } from './view.ts';

/** A stored entry. Its content is made when a page shows it. */
export interface LoggedEntry extends RelatedIds {
  seq: number;
  atMs: number;
  lane: TimelineEntry['lane'];
  kind: TimelineEntry['kind'];
  show(): EntryContent;
}

/** Takes the entries of a timeline. */
export interface EntrySink {
  readonly attribution: Attribution;
  /** Secrets that their form does not show. */
  readonly known: readonly string[];
  add(about: RelatedIds | undefined, entry: Pick<LoggedEntry, 'lane' | 'kind' | 'show'>): void;
  /** Takes the sequence number of a call that begins; its entry is added by `end`. */
  begin(call: ApiCall): void;
  end(call: ApiCall, about: RelatedIds | undefined, show: () => EntryContent): void;
  attempted(attempt: Omit<WebhookAttempt, 'atMs'>): void;
  clear(): void;
}
