import { Fault } from '../../protocol/failures.ts';
import { after, type Timer } from '../../protocol/clock.ts';
import {
  ANSWER_FORMS,
  createCaisseApLanguage,
  encodeProblem,
  encodeTakenIn,
  TERMINAL_OPTIONS,
  type AnswerForm,
} from './caisse-ap/caisse-ap-language.ts';
import { readRecords, type ReadMessage, type Records } from './caisse-ap/records.ts';
import { memoryOf } from './stand-alone/journal.ts';
import { createSimpleTill } from './stand-alone/simple-till.ts';
import { stoppableControlsOf, createStandAloneDevice } from './stand-alone/stand-alone-device.ts';
import type { CardTray, Twin, TwinParts } from './twin.ts';
import { chosen } from './typed-words.ts';

const forms = new WeakMap<CardTray, AnswerForm>();

/** What a person can do at the terminal on this tray. */
export function controlsOf(tray: CardTray): Twin['controls'] {
  return {
    ...stoppableControlsOf(tray),
    'approve-only': {
      argument: 'MINOR',
      run: (amount) => void (memoryOf(tray).approvesOnlyMinor = amountOf(amount)),
    },
    answers: {
      argument: ANSWER_FORMS.join('|'),
      run: (name) => void forms.set(tray, chosen('answers', ANSWER_FORMS, name)),
    },
  };
}

/** @throws Fault `bad_setting` for what is no amount. */
function amountOf(text: string | undefined): number {
  if (text !== undefined && /^[1-9][0-9]{0,9}$/.test(text)) return Number(text);
  throw new Fault('bad_setting', 'approve-only takes an amount in minor units, such as 500');
}

// A message has no end: nothing more comes for this long once its last record is whole.
const QUIET_MS = 250;
const CUT_OFF_MS = 10_000;
// A till that reads until the connection closes is not kept waiting for its own.
const CLOSE_MS = 1_000;

/** Creates a terminal with Caisse-AP V3 over IP. A connection carries one request and its answer. */
export function createTwin(parts: TwinParts): Twin {
  const { clock } = parts;
  const device = createStandAloneDevice(parts, TERMINAL_OPTIONS);
  const { port, memory } = device;
  const language = createCaisseApLanguage({ ...device, form: () => forms.get(parts.tray) ?? 'echo' });
  let received = '';
  let isTaken = false;
  let quiet: Timer | undefined;
  let leave = () => {};

  const send = async (text: string) => {
    // A lost answer leaves the line open and silent.
    const isLost = memory.faults.next === 'lost';
    await port.write(Buffer.from(text, 'latin1'));
    if (!isLost) quiet = after(clock, CLOSE_MS, () => void port.close());
  };
  const perform = async (records: Records) => {
    const till = createSimpleTill({ clock, tell: async () => {}, terminalPrints: !records.has('CK') });
    leave = till.leave;
    const answer = await device.answer(language, records, till);
    return 'problem' in answer ? encodeProblem(records) : answer[0]!;
  };
  const take = async ({ records, problem, incomplete }: ReadMessage) => {
    isTaken = true;
    const wrong = problem ?? incomplete;
    if (wrong !== undefined) {
      device.noteProblem(wrong);
      return send(encodeProblem(records));
    }
    const isAtOnce = records.get('BA') === '1' && !('problem' in language.decode(records));
    if (!isAtOnce) return send(await perform(records));
    const running = perform(records);
    // The payment goes on without its till, also when it hangs up before its answer.
    leave = () => {};
    await Promise.all([send(encodeTakenIn(records)), running]);
  };
  port.onData((bytes) => {
    if (isTaken) return;
    received += Buffer.from(bytes).toString('latin1');
    quiet?.cancel();
    const read = readRecords(received);
    const limitMs = read.incomplete === undefined ? QUIET_MS : CUT_OFF_MS;
    quiet = after(clock, limitMs, () => device.run(take(read)));
  });
  port.onClose(() => {
    quiet?.cancel();
    leave();
  });
  return { name: 'Caisse-AP terminal', controls: controlsOf(parts.tray), close: () => port.close() };
}
