import { Nullable, Timestamp, Type, withDescription } from '../../protocol/schema.ts';

export const RecordingInput = Type.Object({
  title: Type.Optional(Type.String({ maxLength: 200, description: 'What the recording is of, for people' })),
});

export const RecordingReply = Type.Object({
  id: Type.String({ description: 'Identifier of the recording' }),
  title: Type.String({ description: 'What the recording is of, for people' }),
  status: Type.Enum(['Recording', 'Ended'], { description: 'Whether the recording is under way' }),
  startedTimestamp: withDescription(
    Timestamp,
    'Time of the sandbox at which the recording started: a Unix timestamp, in seconds',
  ),
  endedTimestamp: Nullable(
    Timestamp,
    'Time of the sandbox at which the recording ended: a Unix timestamp, in seconds',
  ),
  items: Type.Integer({ description: 'Number of recorded requests, messages, steps and events' }),
});

export const RecordingList = Type.Object({
  items: Type.Array(RecordingReply, { description: 'The recordings, oldest first' }),
});

export const DeletedRecording = Type.Object({
  id: Type.String({ description: 'Identifier of the recording' }),
  deleted: Type.Literal(true, { description: 'Always true' }),
});

export const TraceContent = Type.String({ format: 'binary', description: 'The file of a trace' });
