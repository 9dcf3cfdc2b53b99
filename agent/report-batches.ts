import { messageOf } from '../protocol/failures.ts';
import type { Log } from '../protocol/log.ts';
import { envelopeOf, type Envelope } from '../protocol/message.ts';
import { BATCHED_MAX, ReportsBatched } from '../protocol/messages/inspection.messages.ts';
import { parseTopic } from '../protocol/topics.ts';

/** Publishes one message. Rejects when it is not sent. */
type Publish = (envelope: Envelope) => Promise<void>;

/**
 * Returns a function that publishes the reports of a terminal in the order in which they are given. Those of QoS 0 of
 * one turn of the event loop share a message, which is sent before the next report of QoS 1, or at the end of the turn.
 * Their promises resolve at once: they may be lost.
 */
export function batchReports(
  { terminalId, log }: { terminalId: string; log: Log },
  publish: Publish,
): Publish {
  let waiting: Envelope[] = [];

  function flush(): void {
    if (waiting.length === 0) return;
    const envelope = waiting.length === 1 ? waiting[0]! : batchOf(terminalId, waiting);
    waiting = [];
    publish(envelope).catch((error: unknown) => {
      log.debug({ topic: envelope.topic, problem: messageOf(error) }, 'not sent');
    });
  }

  return async (envelope) => {
    if (envelope.qos === 0) {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(envelope);
      if (waiting.length === BATCHED_MAX) flush();
    } else {
      flush();
      await publish(envelope);
    }
  };
}

/** Returns a message with these reports. Their payloads are JSON already. */
function batchOf(terminalId: string, envelopes: readonly Envelope[]): Envelope {
  const reports = envelopes.map(
    ({ topic, payload }) =>
      `{"name":${JSON.stringify(parseTopic(topic)!.message)},"body":${payload.toString()}}`,
  );
  return envelopeOf(ReportsBatched, terminalId, Buffer.from(`{"reports":[${reports.join(',')}]}`));
}
