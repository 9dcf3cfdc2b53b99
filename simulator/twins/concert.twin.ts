import {
  createCaisseApLanguage,
  encodeProblem,
  encodeTakenIn as recordsTakenIn,
  TERMINAL_OPTIONS,
} from './caisse-ap/caisse-ap-language.ts';
import { readRecords, type Records } from './caisse-ap/records.ts';
import {
  createConcertLanguage,
  encodeRefusal,
  encodeTakenIn,
  readRequest,
  type ConcertRequest,
} from './concert/concert-language.ts';
import { createDialogue } from './concert/till-dialogue.ts';
import { createSimpleTill } from './stand-alone/simple-till.ts';
import { stoppableControlsOf, createStandAloneDevice } from './stand-alone/stand-alone-device.ts';
import type { TerminalLanguage } from './stand-alone/terminal-language.ts';
import type { CardTray, Twin, TwinParts } from './twin.ts';
import { chosen, countOf } from './typed-words.ts';

/** What a person has set at the terminal. */
interface Settings {
  /** How many of the next messages are refused. */
  refuse: number;
  isShort: boolean;
}

const settings = new WeakMap<CardTray, Settings>();

function settingsOf(tray: CardTray): Settings {
  const known = settings.get(tray) ?? { refuse: 0, isShort: false };
  settings.set(tray, known);
  return known;
}

const ANSWERS = ['long', 'short'] as const;

/** What a person can do at the terminal on this tray. */
export function controlsOf(tray: CardTray): Twin['controls'] {
  const set = settingsOf(tray);
  return {
    ...stoppableControlsOf(tray),
    refuse: { argument: 'COUNT', run: (count) => void (set.refuse = countOf('refuse', count)) },
    refusals: {
      argument: ANSWERS.join('|'),
      run: (word) => void (set.isShort = chosen('refusals', ANSWERS, word) === 'short'),
    },
  };
}

/** Messages of Caisse-AP travel on this line too, as records. */
const RECORDS = /^CZ[0-9]{3}/;

/** Creates a terminal with Concert E and E+ on a serial line, which also takes the records of Caisse-AP. */
export function createTwin(parts: TwinParts): Twin {
  const { clock, tray } = parts;
  const set = settingsOf(tray);
  const device = createStandAloneDevice(parts, TERMINAL_OPTIONS);
  const { port, memory } = device;
  const concert = createConcertLanguage({ memory, isShort: () => set.isShort });
  const caisseAp = createCaisseApLanguage({ ...device, form: () => 'echo' });

  const perform = async <Request>(
    language: TerminalLanguage<Request, string>,
    request: Request,
    refusal: (request: Request) => string,
  ): Promise<string> => {
    const till = createSimpleTill({ clock, tell: async () => {}, terminalPrints: true });
    const messages = await device.answer(language, request, till);
    return 'problem' in messages ? refusal(request) : messages[0]!;
  };
  const takeRecords = async (records: Records) => {
    const result = perform(caisseAp, records, encodeProblem);
    await dialogue.send(records.get('BA') === '1' ? recordsTakenIn(records) : await result);
    await result;
  };
  const takeRequest = async (request: ConcertRequest) => {
    const result = perform(concert, request, encodeRefusal);
    await dialogue.send(request.isAtOnce ? encodeTakenIn(request) : await result);
    await result;
  };
  const dialogue = createDialogue({
    port,
    clock,
    isFree: () => !memory.busy,
    refusesNext: () => {
      if (set.refuse === 0) return false;
      set.refuse -= 1;
      return true;
    },
    check: (text) => {
      const read = RECORDS.test(text) ? readRecords(text) : readRequest(text);
      return 'problem' in read ? read.problem : 'incomplete' in read ? read.incomplete : undefined;
    },
    onMessage(text) {
      const request = RECORDS.test(text) ? undefined : readRequest(text);
      if (!request) device.run(takeRecords(readRecords(text).records));
      else if (!('problem' in request)) device.run(takeRequest(request));
    },
    onProblem: device.noteProblem,
  });
  port.onClose(dialogue.close);
  return { name: 'Concert terminal', controls: controlsOf(tray), close: () => port.close() };
}
