import type { ApiCall, Activity, ActivityOf } from '../platform/activities.ts';
import type { Attribution, RelatedIds } from './attribution.ts';
import {
  type EntryContent,
  describeAttempt,
  describeCall,
  describeEvent,
  describeFault,
  describePlan,
  describeMessage,
  describePosting,
  describeRefused,
  describeStep,
} from './entry-content.ts';
import type { TimelineEntry, WebhookAttempt, Lane } from './view.ts';
import {
  DisplayShown,
  MachineDescribed,
  MachineStepped,
  ReaderTraced,
} from '../../protocol/messages/inspection.messages.ts';
import { PrinterShown } from '../../protocol/messages/receipt-printer.messages.ts';
import { Presence } from '../../protocol/messages/presence.messages.ts';
import type { CutPointName } from '../platform/faults/cut-points.ts';
import { maskSecrets } from '../platform/mask-secrets.ts';

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

/** Steps and frames, those of a receipt printer too, have entries of their own; descriptions are long and always the same. */
const NO_ENTRY = new Set([MachineStepped.name, MachineDescribed.name, ReaderTraced.name, PrinterShown.name]);
/** Worth an entry only while an action runs: a fleet that connects would push everything else out. */
const ONLY_DURING_ACTION = new Set([Presence.name, DisplayShown.name]);

/** The lane of a fault, by where it strikes. */
const LANES_OF_FAULTS: Record<CutPointName | 'integrator', Lane> = {
  integrator: 'api',
  'api.request': 'api',
  'api.reply': 'api',
  'message.command': 'wire',
  'message.report': 'wire',
  'terminal.state': 'machine',
  'terminal.effect': 'machine',
  'device.message': 'machine',
  'device.charged': 'machine',
  'server.commit': 'api',
  'webhook.attempt': 'events',
  'bank.authorisation': 'api',
  'bank.renewal': 'api',
  'bank.settlement': 'api',
  'bank.payout': 'api',
  'bank.dispute': 'api',
  'cardholder.card': 'machine',
  'cardholder.pin': 'machine',
  'cardholder.challenge': 'api',
};

/** Plans, postings, and what strikes the server itself, are on no timeline of an object, but in recordings of the sandbox. */
const OF_SANDBOX = { terminalId: null, actionId: null, objectId: null };

/** Returns what adds the entries of activities that need nothing but themselves. */
function simpleEntries({ attribution, add, known }: EntrySink) {
  return {
    messageRefused: (activity: ActivityOf<'message.refused'>) =>
      add(attribution.ofTerminal(activity.terminalId, activity.actionId), {
        lane: 'wire',
        kind: 'mqtt.refused',
        show: () => describeRefused(activity),
      }),
    faultsPlanned: (activity: ActivityOf<'fault.planned'>) =>
      add(OF_SANDBOX, { lane: 'api', kind: 'fault.plan', show: () => describePlan(activity) }),
    posted: (activity: ActivityOf<'ledger.posted'>) =>
      add(OF_SANDBOX, { lane: 'events', kind: 'posting', show: () => describePosting(activity) }),
    faultStruck: (activity: ActivityOf<'fault.struck'>) =>
      add(attribution.ofIds(activity.ids) ?? OF_SANDBOX, {
        lane: LANES_OF_FAULTS[activity.at as CutPointName | 'integrator'],
        kind: 'fault',
        show: () => describeFault(activity),
      }),
    eventRecorded: (activity: ActivityOf<'event.recorded'>) =>
      add(attribution.ofRecordedEvent(activity), {
        lane: 'events',
        kind: 'event',
        show: () => describeEvent(activity.eventType, maskSecrets(activity.body, { known })),
      }),
    stepped: (activity: ActivityOf<'machine.stepped'>) =>
      add(attribution.ofStep(activity), {
        lane: 'machine',
        kind: 'step',
        show: () => describeStep(activity),
      }),
  };
}

/** Returns a listener that adds an entry for each activity that a timeline shows. */
export function createEntryListener(
  sink: EntrySink,
  machineIdOf: (terminalId: string) => string | undefined,
): (activity: Activity) => void {
  const { attribution, add } = sink;
  const { messageRefused, faultsPlanned, faultStruck, posted, eventRecorded, stepped } = simpleEntries(sink);

  const messagePassed = (activity: ActivityOf<'message.sent' | 'message.received'>) => {
    if (NO_ENTRY.has(activity.name)) return;
    const about = attribution.ofTerminal(activity.terminalId, activity.actionId);
    if (about.actionId === null && ONLY_DURING_ACTION.has(activity.name)) return;
    const kind = activity.kind === 'message.sent' ? 'mqtt.command' : 'mqtt.report';
    add(about, { lane: 'wire', kind, show: () => describeMessage(activity) });
  };
  const terminalStepped = ({
    terminalId,
    actionId,
    event,
    state,
    deadlineMs,
    device,
  }: ActivityOf<'terminal.stepped'>) => {
    const about = attribution.ofTerminal(terminalId, actionId);
    const from = attribution.stateBefore(terminalId, actionId, state);
    const step = { machineId: machineIdOf(terminalId) ?? 'action', event, from, state, deadlineMs, device };
    add(about, { lane: 'machine', kind: 'step', show: () => describeStep(step) });
  };
  const attempted = (activity: ActivityOf<'webhook.attempted'>) => {
    const { kind: _kind, url: endpointUrl, ...attempt } = activity;
    sink.attempted({ ...attempt, endpointUrl });
    const about = attribution.ofDelivery(activity.eventId);
    add(about, { lane: 'events', kind: 'webhook', show: () => describeAttempt(activity) });
  };

  return (activity) => {
    switch (activity.kind) {
      case 'call.began':
        return sink.begin(activity.call);
      case 'call.answered':
        return sink.end(activity.call, attribution.ofCall(activity), () => describeCall(activity));
      case 'message.sent':
      case 'message.received':
        return messagePassed(activity);
      case 'message.refused':
        return messageRefused(activity);
      case 'fault.planned':
        return faultsPlanned(activity);
      case 'fault.struck':
        return faultStruck(activity);
      case 'ledger.posted':
        return posted(activity);
      case 'machine.stepped':
        return stepped(activity);
      case 'terminal.stepped':
        return terminalStepped(activity);
      case 'event.recorded':
        return eventRecorded(activity);
      case 'webhook.attempted':
        return attempted(activity);
      case 'action.updated':
        return attribution.actionUpdated(activity);
      case 'terminal.removed':
        return attribution.forgetTerminal(activity.terminalId);
      case 'sandbox.reset':
        return sink.clear();
      default:
    }
  };
}
