import type { JournalEntry } from '../../../agent/lifecycle/action-journal.ts';
import type { Json } from '../kit/http-call.ts';
import type { Alterations, Altered, Mutant } from './mutant.ts';

const KNOWN = new Set([
  'clock',
  'presence.request',
  'action.start',
  'action.cancel',
  'action.decision',
  'receipt.confirmed',
  'action.ended',
  'report.request',
  'reversal.recorded',
]);
/** One that is on no card. */
const CARD_NUMBER = '4761739001010119';
/** What an action waits for when a device loses its network. */
const STAGES = ['card', 'pin', 'decision', 'receipt', 'completed', 'ended'];
const lost = () => {};
/** Cases that all fail for one reason. */
const allFail = (names: readonly string[], reason: string) =>
  Object.fromEntries(names.map((name) => [name, reason]));
/** Gives a terminal that gives up with one code another one. */
const codeInPlaceOf =
  (code: string, another: string) =>
  (body: Json, pass: (body: Json) => void): void =>
    pass(body.code === code ? { ...body, code: another } : body);
const RECONNECTS = ['no-queue', ...STAGES.map((stage) => `reconnect.${stage}`)];
const POWER_CUTS = STAGES.map((stage) => `power-cut.${stage}`);
/** Loses each message but the first of an action. */
const onlyFirst =
  (name: string) =>
  (body: Json, pass: (body: Json) => void, { count }: Altered) => {
    if (!count[name]) pass(body);
  };
/** Cases that a terminal fails which inquires at its connects only. */
const WITHOUT_INQUIRY = {
  'report-request.unknown': 'it did not send action.inquired within 10 s',
  'report-request.card': 'it did not send action.inquired within 5 s',
  'twice.report-request': 'it did not send action.inquired within 5 s',
  'report-request.receipt': 'it did not send action.inquired within 5 s',
  'report-request.ended': 'it did not inquire once the action had ended within 13 s',
  'completed.lost': 'it did not send action.inquired within 20 s',
};
/** Whether a command has a number that was seen already. */
const isRepeat = (name: string, body: Json, { last }: Altered) =>
  last[name]?.actionId === body.actionId && body.seq <= last[name].seq;
/** Sends a report once more when a command comes twice, with the next number. */
function repeatsAfter(command: string, report: string): Alterations {
  return {
    [command]: (body, pass, terminal) => {
      pass(body);
      const before = terminal.last[report];
      if (isRepeat(command, body, terminal) && before) terminal.report(report, before);
    },
  };
}
const isOver = ({ snapshot }: JournalEntry) => JSON.stringify(snapshot).includes('"status":"done"');

/** Small wrong changes to the firmware of the project, each with the rule that it breaks and the case that must say so. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'authorises with the verification that it did not do',
    rule: 'protocol.card.verification',
    fails: 'pin',
    reason: 'it asked with the verification None',
    reports: { 'action.authorise': (body, pass) => pass({ ...body, verification: 'None' }) },
  },
  {
    name: 'does not send the receipt of an approval',
    rule: 'protocol.receipt.ready',
    fails: 'receipt',
    reason: 'it did not send receipt.ready within 10 s',
    reports: { 'receipt.ready': lost },
  },
  {
    name: 'says nothing of the copies that it could not print',
    rule: 'protocol.receipt.failed-copies',
    fails: 'receipt.no-paper',
    reason: 'it had no paper, and its action.completed has the failed copies []',
    reports: { 'action.completed': (body, pass) => pass({ ...body, failedCopies: [] }) },
  },
  {
    name: 'completes without the receipt',
    rule: 'protocol.receipt.again',
    fails: 'receipt.lost',
    reason: 'the action.completed has no merchantCopy',
    reports: { 'action.completed': ({ receipt: _receipt, ...body }, pass) => pass(body) },
  },
  {
    name: 'ignores the clock of the sandbox',
    rule: 'protocol.clock.offset',
    fails: 'clock',
    reason: 'it sent action.accepted',
    commands: { clock: (body, pass) => pass({ ...body, offsetMs: 0 }) },
  },
  {
    name: 'starts what has expired',
    rule: 'protocol.start.expired',
    fails: 'start.expired',
    reason: 'it sent action.accepted',
    commands: {
      'action.start': (body, pass) => pass({ ...body, expiresAtMs: body.expiresAtMs + 3_600_000 }),
    },
  },
  {
    name: 'takes the decision about another action for its own',
    rule: 'protocol.commands.other-action',
    fails: 'other-action',
    reason: 'it did not ask for the authorisation again within 8 s',
    commands: {
      'action.decision': (body, pass, { last }) =>
        pass({ ...body, actionId: last['action.start']!.actionId }),
      'action.ended': (body, pass, { last }) => pass({ ...body, actionId: last['action.start']!.actionId }),
      'action.cancel': (body, pass, { last }) => pass({ ...body, actionId: last['action.start']!.actionId }),
    },
  },
  {
    name: 'asks for the authorisation once',
    rule: 'protocol.authorise.again',
    fails: 'decision.lost',
    reason: 'the action did not end within 30 s',
    reports: { 'action.authorise': onlyFirst('action.authorise') },
    alsoFails: {
      'reconnect.decision': 'it did not send action.authorise within 10 s',
      'power-cut.decision': 'it did not send action.authorise within 10 s',
    },
  },
  {
    name: 'asks again with the number of the first time',
    rule: 'protocol.seq.again',
    fails: 'decision.lost',
    reason: 'the action did not end within 30 s',
    reports: {
      'action.authorise': (body, pass, { count, kept }) => {
        if (!count['action.authorise']) kept['first'] = body.seq;
        pass({ ...body, seq: kept['first'] });
      },
    },
    alsoFails: {
      'late.decision': 'it used a number twice: action.authorise',
      'order.decision': 'it used a number twice: action.authorise',
    },
  },
  {
    name: 'connects without a last will',
    rule: 'protocol.presence.will',
    fails: 'will',
    reason: 'it was not offline a minute after its power was cut',
    plan: ({ will: _will, ...plan }) => plan,
  },
  {
    name: 'does not answer a presence request',
    rule: 'protocol.presence.request',
    fails: 'presence.request',
    reason: 'it did not publish presence within 10 s',
    commands: { 'presence.request': lost },
  },
  {
    name: 'counts its reports by twos',
    rule: 'protocol.seq.count',
    fails: 'numbers',
    reason: 'its report 1 has the number 2',
    reports: countedBy((seq) => 2 * seq),
    alsoFails: { many: 'payment 1 began with the number 2' },
  },
  {
    name: 'numbers its reports from 2',
    rule: 'protocol.seq.count',
    fails: 'numbers',
    reason: 'its report 1 has the number 2',
    reports: countedBy((seq) => seq + 1),
    alsoFails: { many: 'payment 1 began with the number 2' },
  },
  {
    name: 'sends a report that is not declared',
    rule: 'protocol.topics.declared',
    fails: 'reports',
    reason: 'device-progressed was refused',
    reports: {
      'action.accepted': (body, pass, { report }) => {
        pass(body);
        report('device.progressed', body);
      },
    },
  },
  {
    name: 'retains a report of an action',
    rule: 'protocol.topics.retained',
    fails: 'reports',
    reason: 'action-accepted was refused: this message is not retained',
    alsoFails: {
      payment: 'action-accepted was refused: this message is not retained',
      receipt: 'action-accepted was refused: this message is not retained',
    },
    reports: {
      'action.accepted': (body, _pass, { report }) => report('action.accepted', body, { retain: true }),
    },
  },
  {
    name: 'takes a decline for an approval',
    rule: 'protocol.decision.declined',
    fails: 'decline',
    reason: 'it sent receipt.ready',
    commands: {
      'action.decision': ({ code: _code, ...body }, pass) =>
        pass({ ...body, outcome: 'approved', authorisationCode: '123456' }),
    },
  },
  {
    name: 'completes without waiting for the point of sale',
    rule: 'protocol.receipt.point-of-sale',
    fails: 'receipt.point-of-sale',
    reason: 'it sent action.completed',
    reports: {
      'receipt.ready': (body, pass, { last, report }) => {
        pass(body);
        if (last['action.start']?.receiptPrintingSource === 'PointOfSale')
          report('action.completed', { actionId: body.actionId, failedCopies: [] });
      },
    },
  },
  {
    name: 'does not complete what it has printed',
    rule: 'protocol.receipt.terminal',
    fails: 'receipt.printed',
    reason: 'it did not send action.completed within 45 s',
    reports: { 'action.completed': lost },
    alsoFails: {
      payment: 'the action did not end within 20 s after its receipt.ready',
      reports: 'the action did not end within 20 s after its receipt.ready',
    },
  },
  {
    name: 'keeps an action when another starts',
    rule: 'protocol.start.replaces',
    fails: 'start.replaces',
    reason: 'it did not send action.accepted within 10 s',
    commands: {
      'action.start': (body, pass, { last, kept }) => {
        const before = last['action.start'];
        const goesOn = before && before.actionId !== body.actionId && kept['ended'] !== before.actionId;
        if (!goesOn) pass(body);
      },
      'action.ended': (body, pass, { kept }) => {
        kept['ended'] = body.actionId;
        pass(body);
      },
    },
  },
  {
    name: 'starts again with a start that comes twice',
    rule: 'protocol.start.twice',
    fails: 'twice.start',
    reason: 'the action ended Failed with unexpected_error, not Succeeded',
    commands: {
      'action.start': (body, pass, terminal) => {
        pass(body);
        if (isRepeat('action.start', body, terminal))
          terminal.report('action.abandoned', { actionId: body.actionId, code: 'unexpected_error' });
      },
    },
  },
  ...(
    [
      ['start', 'action.start', 'action.accepted'],
      ['cancel', 'action.cancel', 'action.accepted'],
      ['decision', 'action.decision', 'receipt.ready'],
      ['confirmed', 'receipt.confirmed', 'receipt.ready'],
      ['ended', 'action.ended', 'action.completed'],
    ] as const
  ).map(([short, command, report]): Mutant => ({
    name: `answers ${command} that comes twice`,
    rule: short === 'start' ? 'protocol.start.twice' : 'protocol.seq.repeat',
    fails: `twice.${short}`,
    reason: `it sent ${report} 2 times`,
    commands: repeatsAfter(command, report),
  })),
  {
    name: 'restarts at a command that it does not know',
    rule: 'protocol.commands.unknown',
    fails: 'unknown-message',
    reason: 'it sent action.authorise 2 times',
    payload: (_text, terminal, name) => KNOWN.has(name) || (terminal.restart(), false),
  },
  {
    name: 'restarts at a command that is cut',
    rule: 'protocol.commands.unknown',
    fails: 'cut-message',
    reason: 'it sent action.authorise 2 times',
    payload: (text, terminal) => (text.endsWith('}') ? true : (terminal.restart(), false)),
  },
  {
    name: 'loses a command with a long member',
    rule: 'protocol.commands.members',
    fails: 'large-body',
    reason: 'it did not send action.accepted within 10 s',
    payload: (text) => text.length < 4_000,
  },
  {
    name: 'inquires about an unknown action without its id',
    rule: 'protocol.report-request.unknown',
    fails: 'report-request.unknown',
    reason: 'its action.inquired has no requestedActionId',
    alsoFails: { 'report-request.ended': 'its action.inquired has no requestedActionId' },
    reports: { 'action.inquired': ({ requestedActionId: _id, ...body }, pass) => pass(body) },
  },
  {
    name: 'never gives up',
    rule: 'protocol.authorise.give-up',
    fails: 'decision.never',
    reason: 'it did not send action.abandoned within 45 s',
    reports: { 'action.abandoned': lost },
    alsoFails: allFail(
      [
        'card.removed.thrice',
        'card.unreadable',
        'card.deadline',
        'pin.deadline',
        'cancel-key',
        'cancel-key.pin',
      ],
      'it did not send action.abandoned within 10 s',
    ),
    notShown: { 'cancel-key.crossed': 'a fault of this case did not strike' },
  },
  {
    name: 'does not inquire after a gap',
    rule: 'protocol.seq.gap',
    fails: 'gap',
    reason: 'it did not inquire within 5 s',
    alsoFails: { ...WITHOUT_INQUIRY, 'ended.lost': 'it did not send action.inquired within 20 s' },
    reports: { 'action.inquired': inquiresAtConnect },
    connected: ({ kept }) => (kept['inquired'] = false),
  },
  {
    name: 'does not inquire while it waits for the end',
    rule: 'protocol.end.inquire',
    fails: 'ended.lost',
    reason: 'it did not send action.inquired within 20 s',
    alsoFails: { ...WITHOUT_INQUIRY, gap: 'it did not inquire within 5 s' },
    reports: { 'action.inquired': inquiresAtConnect },
    connected: ({ kept }) => (kept['inquired'] = false),
  },
  {
    name: 'ignores a cancel while it waits for a card, and the end too',
    rule: 'protocol.cancel.release',
    fails: 'cancel.card',
    reason: 'it sent action.authorise',
    commands: { 'action.cancel': lost, 'action.ended': lost },
    alsoFails: {
      ...allFail(['reconnect.idle', 'power-cut.idle'], 'its action.inquired names an action that has ended'),
      'report-request.ended': 'it did not inquire once the action had ended within 13 s',
    },
  },
  {
    name: 'takes a failed PIN for a right one',
    rule: 'protocol.card.pin-failed',
    fails: 'pin.failed',
    reason: 'it asked with the verification OfflinePin',
    reports: {
      'action.authorise': (body, pass) =>
        pass(body.verification === 'PinFailed' ? { ...body, verification: 'OfflinePin' } : body),
    },
  },
  {
    name: 'gives another code for cards that cannot be read',
    rule: 'protocol.abandon.unreadable',
    fails: 'card.unreadable',
    reason: 'it gave up with unexpected_error, not with bad_track_data',
    reports: { 'action.abandoned': codeInPlaceOf('bad_track_data', 'unexpected_error') },
    alsoFails: { 'card.removed.thrice': 'it gave up with unexpected_error, not with bad_track_data' },
  },
  {
    name: 'gives a reason of two lines',
    rule: 'protocol.abandon.reason',
    fails: 'card.unreadable',
    reason: 'its reason is not one printable line',
    reports: { 'action.abandoned': (body, pass) => pass({ ...body, reason: 'reader:\nno answer' }) },
  },
  {
    name: 'has the card number in the fields of its receipt',
    rule: 'protocol.card.masked',
    fails: 'masked',
    reason: 'its receipt.ready contains a card number',
    alsoFails: { 'masked.pin': 'its receipt.ready contains a card number' },
    reports: {
      'receipt.ready': (body, pass) => {
        const { receipt } = body;
        pass({ ...body, receipt: { ...receipt, fields: { ...receipt.fields, number: CARD_NUMBER } } });
      },
    },
  },
  {
    name: 'shows the card number',
    rule: 'protocol.presence.no-card-data',
    fails: 'masked',
    reason: 'its display.shown contains a card number',
    alsoFails: { 'masked.pin': 'its display.shown contains a card number' },
    reports: {
      'action.authorise': (body, pass, { report }) => {
        pass(body);
        report('display.shown', { actionId: body.actionId, lines: [CARD_NUMBER] });
      },
    },
  },
  {
    name: 'publishes presence at its first connect only',
    rule: 'protocol.presence.on-connect',
    fails: 'reconnect.idle',
    reason: 'it connected again, and did not publish presence',
    reports: {
      presence: (body, pass, { connects }) => {
        if (connects < 2) pass(body);
      },
    },
  },
  {
    name: 'says nothing of an action that has ended',
    rule: 'protocol.report-request.ended',
    fails: 'report-request.ended',
    reason: 'it did not inquire once the action had ended within 13 s',
    commands: {
      'report.request': (body, pass, { last }) => {
        if (last['action.ended']?.actionId !== body.actionId) pass(body);
      },
    },
  },
  {
    name: 'waits ten times as long for a card',
    rule: 'protocol.card.deadline',
    fails: 'card.deadline',
    reason: 'it did not send action.abandoned within 10 s',
    commands: { 'action.start': (body, pass) => pass({ ...body, presentCardMs: 10 * body.presentCardMs }) },
  },
  {
    name: 'says that an error ended what a deadline ended',
    rule: 'protocol.abandon.timeout',
    fails: 'card.deadline',
    reason: 'it gave up with unexpected_error, not with timeout',
    reports: { 'action.abandoned': codeInPlaceOf('timeout', 'unexpected_error') },
    alsoFails: allFail(
      ['decision.never', 'pin.deadline'],
      'it gave up with unexpected_error, not with timeout',
    ),
  },
  {
    name: 'says that a deadline ended what the Cancel key ended',
    rule: 'protocol.abandon.cancelled',
    fails: 'cancel-key',
    reason: 'it gave up with timeout, not with cancelled_on_terminal',
    reports: { 'action.abandoned': codeInPlaceOf('cancelled_on_terminal', 'timeout') },
    alsoFails: { 'cancel-key.pin': 'it gave up with timeout, not with cancelled_on_terminal' },
  },
  {
    name: 'does not answer a start that comes again',
    rule: 'protocol.start.again',
    fails: 'start.again',
    reason: 'it did not send action.accepted within 50 s',
    reports: { 'action.accepted': onlyFirst('action.accepted') },
    alsoFails: { 'report-request.card': 'it did not send action.accepted within 5 s' },
  },
  {
    name: 'does not answer a report request while it waits for a card',
    rule: 'protocol.report-request.state',
    fails: 'report-request.card',
    reason: 'it did not send action.inquired within 5 s',
    commands: { 'report.request': lost },
    alsoFails: {
      'report-request.unknown': 'it did not send action.inquired within 10 s',
      'twice.report-request': 'it did not send action.inquired within 5 s',
      'report-request.receipt': 'it did not send action.inquired within 5 s',
      'report-request.ended': 'it did not inquire once the action had ended within 13 s',
    },
  },
  {
    name: 'does not send the receipt again when the server asks',
    rule: 'protocol.report-request.state',
    fails: 'report-request.receipt',
    reason: 'it did not send receipt.ready within 5 s',
    reports: { 'receipt.ready': onlyFirst('receipt.ready') },
  },
  {
    name: 'never says which action it has',
    rule: 'protocol.inquiry.names-action',
    fails: 'reconnect.card',
    reason: 'its action.inquired names no action',
    reports: { 'action.inquired': (_body, pass) => pass({ seq: 1 }) },
    alsoFails: {
      ...allFail([...RECONNECTS, ...POWER_CUTS], 'its action.inquired names no action'),
      'report-request.unknown': 'its action.inquired has no requestedActionId',
      'report-request.ended': 'its action.inquired has no requestedActionId',
      'twice.report-request': 'times',
    },
  },
  {
    name: 'inquires about an action that has ended',
    rule: 'protocol.inquiry.empty',
    fails: 'reconnect.idle',
    reason: 'its action.inquired names an action that has ended',
    reports: {
      'action.inquired': (body, pass, { last }) =>
        pass(
          body.actionId || body.requestedActionId || !last['action.start']
            ? body
            : { actionId: last['action.start'].actionId, seq: 40 },
        ),
    },
    alsoFails: { 'power-cut.idle': 'its action.inquired names an action that has ended' },
  },
  {
    name: 'inquires after the report of its state',
    rule: 'protocol.inquiry.first',
    fails: 'reconnect.card',
    reason: 'it sent action.accepted before its action.inquired',
    reports: {
      'action.inquired': (body, pass, { connects }) => {
        if (connects > 1) setTimeout(() => pass(body), 200).unref();
        else pass(body);
      },
    },
    alsoFails: allFail([...RECONNECTS, ...POWER_CUTS], 'before its action.inquired'),
  },
  {
    name: 'connects again after 20 s',
    rule: 'protocol.reconnect.soon',
    fails: 'reconnect.idle',
    reason: 'it did not come back and inquire within 20 s',
    reopens: (open) => void setTimeout(open, 20_000).unref(),
    alsoFails: allFail(RECONNECTS, 'it did not come back and inquire within 20 s'),
  },
  {
    name: 'does not repeat its authorisation after a reconnect',
    rule: 'protocol.reconnect.repeats',
    fails: 'reconnect.decision',
    reason: 'it did not send action.authorise within 10 s',
    reports: { 'action.authorise': onlyFirst('action.authorise') },
    alsoFails: {
      'decision.lost': 'the action did not end within 30 s after its action.authorise',
      'power-cut.decision': 'it did not send action.authorise within 10 s',
    },
  },
  {
    name: 'does not repeat its completion after a reconnect',
    rule: 'protocol.reconnect.repeats',
    fails: 'reconnect.completed',
    reason: 'it did not send action.completed within 10 s',
    reports: { 'action.completed': onlyFirst('action.completed') },
    alsoFails: {
      'completed.lost': 'the action did not end within 20 s after its receipt.ready',
      'power-cut.completed': 'it did not send action.completed within 10 s',
    },
  },
  {
    name: 'has an empty journal after a power cut',
    rule: 'protocol.accept.journal',
    fails: 'power-cut.card',
    reason: 'its action.inquired names no action',
    journal: { save: () => undefined },
    alsoFails: allFail(POWER_CUTS, 'its action.inquired names no action'),
  },
  {
    name: 'numbers from 1 again after a power cut',
    rule: 'protocol.seq.journal',
    fails: 'power-cut.card',
    reason: 'its action.inquired has the number 1, after 1',
    journal: { save: (entry) => ({ ...entry, nextSeq: 1 }) },
    alsoFails: allFail(POWER_CUTS, 'its action.inquired has the number 1, after'),
  },
  {
    name: 'keeps an action in its journal that has ended',
    rule: 'protocol.end.journal',
    fails: 'power-cut.idle',
    reason: 'its action.inquired names an action that has ended',
    journal: { save: (entry) => (isOver(entry) ? undefined : entry), keepsAtClear: true },
  },
];

function countedBy(number: (seq: number) => number): Alterations {
  const reports = [
    'action.accepted',
    'action.authorise',
    'receipt.ready',
    'action.completed',
    'action.abandoned',
    'action.inquired',
  ];
  return Object.fromEntries(
    reports.map((name) => [
      name,
      (body: Json, pass: (body: Json) => void) =>
        pass(body.actionId === undefined ? body : { ...body, seq: number(body.seq) }),
    ]),
  );
}

/** Passes one inquiry of each connection on. */
function inquiresAtConnect(body: Json, pass: (body: Json) => void, { kept }: Altered): void {
  if (!kept['inquired']) pass(body);
  kept['inquired'] = true;
}
