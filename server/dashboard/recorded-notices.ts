import {
  DisplayShown,
  MachineDescribed,
  MachineStepped,
  ReaderTraced,
} from '../../protocol/messages/inspection.messages.ts';
import { Presence } from '../../protocol/messages/presence.messages.ts';
import type { Notice } from '../platform/notices.ts';
import { showAttempt, showCall, showEvent, showMessage, showStep } from './entry-wording.ts';
import { masked } from '../platform/mask.ts';
import type { Recording } from './recording.ts';

type Of<K extends Notice['kind']> = Extract<Notice, { kind: K }>;

/** Steps and frames have entries of their own; descriptions are long and always the same. */
const NO_ENTRY = new Set([MachineStepped.name, MachineDescribed.name, ReaderTraced.name]);
/** Worth an entry only while an action runs: a fleet that connects would push everything else out. */
const ONLY_DURING_ACTION = new Set([Presence.name, DisplayShown.name]);

/** Makes entries of what is told. */
export function recordNotices(
  recording: Recording,
  machineIdOf: (terminalId: string) => string | undefined,
): (notice: Notice) => void {
  const { attribution, add } = recording;

  const passed = (told: Of<'message.sent' | 'message.received'>) => {
    if (NO_ENTRY.has(told.name)) return;
    const about = attribution.ofTerminal(told.terminalId, told.actionId);
    if (about.actionId === null && ONLY_DURING_ACTION.has(told.name)) return;
    const kind = told.kind === 'message.sent' ? 'mqtt.command' : 'mqtt.report';
    add(about, { lane: 'wire', kind, show: () => showMessage(told) });
  };
  const terminalStepped = ({ terminalId, actionId, event, state, deadlineMs }: Of<'terminal.stepped'>) => {
    const about = attribution.ofTerminal(terminalId, actionId);
    const from = attribution.stateBefore(terminalId, actionId, state);
    const step = { machineId: machineIdOf(terminalId) ?? 'action', event, from, state, deadlineMs };
    add(about, { lane: 'machine', kind: 'step', show: () => showStep(step) });
  };
  const attempted = (told: Of<'webhook.attempted'>) => {
    const { eventId, eventType, url: endpointUrl, attempt, answer, acknowledged, nextMs } = told;
    recording.attempted({ eventId, eventType, endpointUrl, attempt, answer, acknowledged, nextMs });
    const about = attribution.ofDelivery(eventId);
    add(about, { lane: 'events', kind: 'webhook', show: () => showAttempt(told) });
  };

  return (told) => {
    switch (told.kind) {
      case 'call.began':
        return recording.begin(told.call);
      case 'call.answered':
        return recording.end(told.call, attribution.ofCall(told.call, told.reply), () => showCall(told));
      case 'message.sent':
      case 'message.received':
        return passed(told);
      case 'machine.stepped':
        return add(attribution.ofStep(told), { lane: 'machine', kind: 'step', show: () => showStep(told) });
      case 'terminal.stepped':
        return terminalStepped(told);
      case 'event.recorded':
        return add(attribution.ofRecordedEvent(told), {
          lane: 'events',
          kind: 'event',
          show: () => showEvent(told.eventType, masked(told.body)),
        });
      case 'webhook.attempted':
        return attempted(told);
      case 'action.updated':
        return attribution.actionUpdated(told);
      case 'terminal.removed':
        return attribution.forgetTerminal(told.terminalId);
      case 'sandbox.reset':
        return recording.clear();
      default:
    }
  };
}
