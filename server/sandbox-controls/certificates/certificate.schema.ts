import { Nullable, Timestamp, Type, withDescription, type Static } from '../../../protocol/schema.ts';

/** Below the time after which HTTP clients give up. */
const ANSWERS_SECONDS_MAX = 10;

const CASE_STATUSES = ['NotTried', 'Running', 'Passed', 'Failed', 'NotShown'] as const;

const RuleId = Type.String({
  maxLength: 100,
  examples: ['protocol.start.twice'],
  description: 'How documents name the rule',
});
const RuleText = Type.String({
  maxLength: 500,
  examples: ['A start that arrives twice does not start twice.'],
  description: 'The rule, in one sentence',
});
const RuleDocument = Type.String({
  maxLength: 200,
  pattern: '^docs/[a-z0-9/-]+\\.md(?:#[a-z0-9.-]+)?$',
  examples: ['docs/protocol.md#protocol.start.twice'],
  description: 'The place of the rule in a document of Tapbench',
});

const RuleInput = Type.Object({
  id: Type.Optional(RuleId),
  text: RuleText,
  document: Type.Optional(RuleDocument),
});

const Rule = Type.Object(
  {
    id: Nullable(RuleId, 'How documents name the rule; null for one without a name'),
    text: RuleText,
    document: Nullable(
      RuleDocument,
      'The place of the rule in a document of Tapbench; null where none has it',
    ),
  },
  { title: 'CertificateRule', description: 'A rule that a case shows' },
);

const CaseId = Type.String({
  maxLength: 100,
  pattern: '^[a-z0-9.-]+$',
  examples: ['device.payment'],
  description: 'Identifier of the case within its certificate',
});
const Title = Type.String({
  maxLength: 200,
  examples: ['A start that comes twice'],
  description: 'What the case tries, for people',
});
const RULES = 'The rules that the case shows';
const CaseStatus = Type.Enum(CASE_STATUSES, {
  description: '`NotShown` when it could not be found out, `NotTried` before the case begins',
});
const Reason = Type.String({ maxLength: 2_000, description: 'What was seen, in one sentence' });

const CaseInput = Type.Object({
  id: CaseId,
  title: Title,
  rules: Type.Array(RuleInput, { maxItems: 20, description: RULES }),
  status: Type.Optional(CaseStatus),
  reason: Type.Optional(Reason),
});

const Kind = Type.String({
  minLength: 1,
  maxLength: 50,
  examples: ['device'],
  description: 'What kind of thing the certificate is of',
});
const Name = Type.String({
  maxLength: 2_000,
  examples: ['SIM-0001'],
  description: 'Name of what the certificate is of, for people',
});
const TerminalId = Type.String({ maxLength: 100, description: 'Terminal that is tried' });
const LeftOut = Type.Integer({
  minimum: 0,
  maximum: 1_000,
  description: 'How many further cases there are, which were not chosen',
});

export const CertificateInput = Type.Object({
  kind: Kind,
  name: Name,
  terminalId: Type.Optional(TerminalId),
  cases: Type.Array(CaseInput, {
    minItems: 1,
    maxItems: 500,
    description: 'The cases that are tried, in their order',
  }),
  casesLeftOut: Type.Optional(LeftOut),
});
export type CertificateInput = Static<typeof CertificateInput>;

export const CaseProgress = Type.Object({
  status: CaseStatus,
  reason: Type.Optional(Reason),
  recordingId: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The recording of the sandbox that is made while the case is under way',
    }),
  ),
});
export type CaseProgress = Static<typeof CaseProgress>;

const ActName = Type.String({
  pattern: '^[a-z-]{1,30}$',
  examples: ['tap'],
  description: 'Short name of the act, by which the dashboard draws it',
});
const ActText = Type.String({
  minLength: 1,
  maxLength: 500,
  examples: ['Hold a card that asks for no PIN to the device.'],
  description: 'What the person is to do, without PINs and card numbers',
});

export const ActInput = Type.Object({ act: ActName, text: ActText });
export type ActInput = Static<typeof ActInput>;

const ActNumber = Type.Integer({ minimum: 1, description: 'Number of the act within its certificate' });

export const AskedAct = Type.Object(
  {
    number: ActNumber,
    act: ActName,
    text: ActText,
    askedTimestamp: withDescription(Timestamp, 'Real time at which it was asked for, in seconds'),
  },
  { title: 'CertificateAct', description: 'What the person at the device is to do now' },
);

const Done = Type.Boolean({ description: 'Whether it was done; false when it cannot be done' });

export const ActAnswerInput = Type.Object({
  done: Done,
  reason: Type.Optional(Type.String({ maxLength: 500, description: 'Why it cannot be done' })),
});
export type ActAnswerInput = Static<typeof ActAnswerInput>;

const ActAnswer = Type.Object(
  {
    number: ActNumber,
    done: Done,
    reason: Nullable(Type.String(), 'Why it cannot be done; null when nobody said so'),
  },
  { title: 'CertificateActAnswer', description: 'What the person said of an act' },
);
export type ActAnswer = Static<typeof ActAnswer>;

export const AnsweredAct = ActAnswer;

export const AnswersQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Number of an act: replies with the answers to later ones' }),
  ),
  waitSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: ANSWERS_SECONDS_MAX,
      description: 'Replies after this many seconds of real time even if there is no answer: 0 by default',
    }),
  ),
});

export const ActAnswers = Type.Object({
  items: Type.Array(ActAnswer, { description: 'The answers, in the order of the acts' }),
  seen: Type.Boolean({
    description: 'Whether a page of the dashboard shows the act that is asked for; false for none',
  }),
});

export const CertificateEnd = Type.Object({
  status: Type.Enum(['Ended', 'BrokenOff'], {
    description: '`BrokenOff` when it was interrupted before all cases were tried',
  }),
});

const Id = Type.String({ examples: ['cert_1'], description: 'Identifier of the certificate' });

const Status = Type.Enum(['Running', 'Ended', 'BrokenOff'], {
  description: '`BrokenOff` when its command was interrupted, or has not been heard of for some time',
});

const CertificateCounts = Type.Object(
  {
    passed: Type.Integer({ description: 'Cases that passed' }),
    failed: Type.Integer({ description: 'Cases that failed' }),
    notShown: Type.Integer({ description: 'Cases that could not be found out' }),
    running: Type.Integer({ description: 'Cases under way' }),
    notTried: Type.Integer({ description: 'Cases that have not begun' }),
  },
  { title: 'CertificateCounts', description: 'How many cases have each status' },
);

const summary = {
  id: Id,
  kind: Kind,
  name: Name,
  terminalId: Nullable(TerminalId, 'Terminal that is tried; null for a certificate of something else'),
  status: Status,
  startedTimestamp: withDescription(Timestamp, 'Real time at which it began, in seconds'),
  endedTimestamp: Nullable(Timestamp, 'Real time at which it ended or was broken off, in seconds'),
  casesLeftOut: LeftOut,
  act: Nullable(AskedAct, 'What the person at the device is to do now; null for nothing'),
  counts: CertificateCounts,
};

export const CertificateSummary = Type.Object(summary, {
  title: 'CertificateSummary',
  description: 'A certificate, without its cases',
});
export type CertificateSummary = Static<typeof CertificateSummary>;

const CertificateCase = Type.Object(
  {
    id: CaseId,
    title: Title,
    rules: Type.Array(Rule, { description: RULES }),
    status: CaseStatus,
    reason: Nullable(Reason, 'What was seen, in one sentence; null while nothing was found out'),
    recordingId: Nullable(
      Type.String(),
      'The recording of the sandbox that is made now; null when the case is not under way',
    ),
    hasTrace: Type.Boolean({ description: 'Whether the server holds the trace of the case' }),
  },
  { title: 'CertificateCase', description: 'A case of a certificate' },
);

export const CertificateReply = Type.Object(
  { ...summary, cases: Type.Array(CertificateCase, { description: 'The cases, in their order' }) },
  { title: 'Certificate', description: 'A certificate that a command makes or has made' },
);
export type CertificateReply = Static<typeof CertificateReply>;

export const CertificateList = Type.Object({
  items: Type.Array(CertificateSummary, { description: 'The certificates, oldest first' }),
});

export const CaseTrace = Type.String({ format: 'binary', description: 'The file of a trace' });

export const StoredTrace = Type.Object({
  id: CaseId,
  bytes: Type.Integer({ description: 'Size of the trace, in bytes' }),
});
