import { Readable } from 'node:stream';
import type { Static } from '../../protocol/schema.ts';
import { toTimestamp } from '../../protocol/clock.ts';
import { ReplyFile } from '../platform/http/pages/reply-file.ts';
import { routeFor, type Route } from '../platform/http/route.ts';
import {
  DeletedRecording,
  RecordingInput,
  RecordingList,
  RecordingReply,
  TraceContent,
} from './recording.schema.ts';
import { recordingsOf, type RecordedServices, type RecordingSummary } from './recordings.ts';
import { TRACE_TYPE } from './trace-format.schema.ts';

const route = routeFor<RecordedServices>();

const common = {
  surface: 'sandbox',
  tag: 'Sandbox recording',
  section: 'Sandbox',
  access: 'dashboard',
} as const;

function toReply({ id, title, startedMs, endedMs, items }: RecordingSummary): Static<typeof RecordingReply> {
  return {
    id,
    title,
    status: endedMs === null ? 'Recording' : 'Ended',
    startedTimestamp: toTimestamp(startedMs),
    endedTimestamp: endedMs === null ? null : toTimestamp(endedMs),
    items,
  };
}

const startRoute = route({
  ...common,
  operation: 'POST /sandbox/recordings',
  summary:
    'Start a recording of the sandbox: requests, messages, steps, events and webhooks, for a trace file',
  body: RecordingInput,
  reply: RecordingReply,
  refusals: ['too_many_recordings'],
  worksOutside: true,
  handle: async ({ services, body: { title = '' } }) => toReply(await recordingsOf(services).start(title)),
});

const listRoute = route({
  ...common,
  operation: 'GET /sandbox/recordings',
  summary: 'List the recordings that the server holds',
  reply: RecordingList,
  handle: async ({ services }) => ({ items: recordingsOf(services).list().map(toReply) }),
});

const fileRoute = route({
  ...common,
  operation: 'GET /sandbox/recordings/{id}/file',
  summary: 'Download a recording as a trace file. It ends the recording.',
  replyType: TRACE_TYPE,
  reply: TraceContent,
  find: async ({ services, params }) => recordingsOf(services).find(params.id),
  async handle({ services, found }) {
    const file = await recordingsOf(services).file(found.id);
    const name = `${services.settings.sandbox ?? 'default'}-${found.id}.tapbench`;
    return new ReplyFile(Readable.from([file]), { type: TRACE_TYPE, bytes: file.length, name });
  },
});

const deleteRoute = route({
  ...common,
  operation: 'DELETE /sandbox/recordings/{id}',
  summary: 'Delete a recording. It ends one that is under way.',
  reply: DeletedRecording,
  worksOutside: true,
  find: async ({ services, params }) => recordingsOf(services).find(params.id),
  async handle({ services, found: { id } }) {
    await recordingsOf(services).remove(id);
    return { id, deleted: true as const };
  },
});

/** The routes that record a sandbox. */
export const recordingRoutes: readonly Route[] = [startRoute, listRoute, fileRoute, deleteRoute];
