import {
  DisplayShown,
  MachineDescribed,
  MachineStepped,
  ReaderTraced,
} from '../../protocol/messages/inspection.messages.ts';
import { Presence } from '../../protocol/messages/presence.messages.ts';
import type { CutPointName } from '../platform/faults/cut-points.ts';
import type { Notice, NoticeOf } from '../platform/notices.ts';
import {
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
import { maskSecrets } from '../platform/mask-secrets.ts';
import type { Recording } from './recording.ts';
import type { Lane } from './view.ts';

/** Steps and frames have entries of their own; descriptions are long and always the same. */
const NO_ENTRY = new Set([MachineStepped.name, MachineDescribed.name, ReaderTraced.name]);
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
  'server.commit': 'api',
  'webhook.attempt': 'events',
};

/** Plans, postings, and what strikes the server itself, are on no timeline of an object, but in recordings of the sandbox. */
const OF_SANDBOX = { terminalId: null, actionId: null, objectId: null };

/** Returns what adds the entries of notices that need nothing but themselves. */
function simpleEntries({ attribution, add, known }: Recording) {
  return {
    messageRefused: (notice: NoticeOf<'message.refused'>) =>
      add(attribution.ofTerminal(notice.terminalId, notice.actionId), {
        lane: 'wire',
        kind: 'mqtt.refused',
        show: () => describeRefused(notice),
      }),
    faultsPlanned: (notice: NoticeOf<'fault.planned'>) =>
      add(OF_SANDBOX, { lane: 'api', kind: 'fault.plan', show: () => describePlan(notice) }),
    posted: (notice: NoticeOf<'ledger.posted'>) =>
      add(OF_SANDBOX, { lane: 'events', kind: 'posting', show: () => describePosting(notice) }),
    faultStruck: (notice: NoticeOf<'fault.struck'>) =>
      add(attribution.ofIds(notice.ids) ?? OF_SANDBOX, {
        lane: LANES_OF_FAULTS[notice.at as CutPointName | 'integrator'],
        kind: 'fault',
        show: () => describeFault(notice),
      }),
    eventRecorded: (notice: NoticeOf<'event.recorded'>) =>
      add(attribution.ofRecordedEvent(notice), {
        lane: 'events',
        kind: 'event',
        show: () => describeEvent(notice.eventType, maskSecrets(notice.body, { known })),
      }),
    stepped: (notice: NoticeOf<'machine.stepped'>) =>
      add(attribution.ofStep(notice), { lane: 'machine', kind: 'step', show: () => describeStep(notice) }),
  };
}

/** Returns a listener that adds an entry for each notice that a timeline shows. */
export function recordNotices(
  recording: Recording,
  machineIdOf: (terminalId: string) => string | undefined,
): (notice: Notice) => void {
  const { attribution, add } = recording;
  const { messageRefused, faultsPlanned, faultStruck, posted, eventRecorded, stepped } =
    simpleEntries(recording);

  const messagePassed = (notice: NoticeOf<'message.sent' | 'message.received'>) => {
    if (NO_ENTRY.has(notice.name)) return;
    const about = attribution.ofTerminal(notice.terminalId, notice.actionId);
    if (about.actionId === null && ONLY_DURING_ACTION.has(notice.name)) return;
    const kind = notice.kind === 'message.sent' ? 'mqtt.command' : 'mqtt.report';
    add(about, { lane: 'wire', kind, show: () => describeMessage(notice) });
  };
  const terminalStepped = ({
    terminalId,
    actionId,
    event,
    state,
    deadlineMs,
    device,
  }: NoticeOf<'terminal.stepped'>) => {
    const about = attribution.ofTerminal(terminalId, actionId);
    const from = attribution.stateBefore(terminalId, actionId, state);
    const step = { machineId: machineIdOf(terminalId) ?? 'action', event, from, state, deadlineMs, device };
    add(about, { lane: 'machine', kind: 'step', show: () => describeStep(step) });
  };
  const attempted = (notice: NoticeOf<'webhook.attempted'>) => {
    const { kind: _kind, url: endpointUrl, ...attempt } = notice;
    recording.attempted({ ...attempt, endpointUrl });
    const about = attribution.ofDelivery(notice.eventId);
    add(about, { lane: 'events', kind: 'webhook', show: () => describeAttempt(notice) });
  };

  return (notice) => {
    switch (notice.kind) {
      case 'call.began':
        return recording.begin(notice.call);
      case 'call.answered':
        return recording.end(notice.call, attribution.ofCall(notice), () => describeCall(notice));
      case 'message.sent':
      case 'message.received':
        return messagePassed(notice);
      case 'message.refused':
        return messageRefused(notice);
      case 'fault.planned':
        return faultsPlanned(notice);
      case 'fault.struck':
        return faultStruck(notice);
      case 'ledger.posted':
        return posted(notice);
      case 'machine.stepped':
        return stepped(notice);
      case 'terminal.stepped':
        return terminalStepped(notice);
      case 'event.recorded':
        return eventRecorded(notice);
      case 'webhook.attempted':
        return attempted(notice);
      case 'action.updated':
        return attribution.actionUpdated(notice);
      case 'terminal.removed':
        return attribution.forgetTerminal(notice.terminalId);
      case 'sandbox.reset':
        return recording.clear();
      default:
    }
  };
}
