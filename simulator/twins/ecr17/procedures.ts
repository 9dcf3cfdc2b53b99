import { after, type Clock, type Timer } from '../../../protocol/clock.ts';
import { createSimpleTill, type SimpleTill } from '../stand-alone/simple-till.ts';
import type { StandAloneDevice } from '../stand-alone/stand-alone-device.ts';
import type { Progress } from '../stand-alone/terminal-language.ts';
import { additionalAnswer, cardAnswer, downloadAnswer, RESULT, walletAnswer } from './answers.ts';
import { answerOf, createEcr17Language } from './ecr17-language.ts';
import { fieldOf, type Ecr17Request } from './requests.ts';
import type { Ecr17Settings } from './settings.ts';

const TEXTS: Record<Progress, string> = {
  insertCard: 'INSERIRE CARTA',
  watchPinPad: 'DIGITARE IL PIN',
  incorrectPin: 'PIN ERRATO',
  waitingForBank: 'TRANSAZIONE IN CORSO',
};
const CARD_LIMIT_MS = 90_000;
const TOKEN_TAG = 'DF8D01';
/** A till gives a terminal up that says nothing for 60 to 90 seconds. */
const SHOW_AGAIN_MS = 30_000;
const TEXT_END = '\u001b';

interface ProcedureParts {
  device: StandAloneDevice;
  settings: Ecr17Settings;
  clock: Clock;
  /** Shows a text on the display of the till. */
  show(text: string): void;
}

/** Returns the function that runs the procedure of a message and returns the messages about it. */
export function createProcedures({ device, settings, clock, show }: ProcedureParts) {
  const { memory, terminal } = device;
  const language = createEcr17Language({
    ...device,
    nowMs: () => clock.nowMs(),
    state: () => settings.state,
    converts: () => settings.converts,
  });
  let showing: Timer | undefined;
  const keepShowing = (text: string) => {
    showing?.cancel();
    show(text);
    showing = after(clock, SHOW_AGAIN_MS, () => keepShowing(text));
  };
  const tillFor = ({ code, receiptsTo }: Ecr17Request): SimpleTill =>
    createSimpleTill({
      clock,
      tell: async (step) => keepShowing(TEXTS[step]),
      terminalPrints: receiptsTo !== '1' && (code !== 'R' || receiptsTo === '0'),
    });
  const verifyCard = async (request: Ecr17Request): Promise<string> => {
    const card = await terminal.occupy(() => terminal.identifyCard(tillFor(request), CARD_LIMIT_MS));
    if (card !== undefined && typeof card !== 'string')
      return cardAnswer(memory.terminalId, card.masked(card.entryModes[0]!), clock.nowMs());
    return answerOf(request, memory.terminalId, { result: RESULT.notDone, text: 'CARTA NON LETTA' }, false);
  };
  const perform = async (request: Ecr17Request, data: readonly string[]): Promise<string[]> => {
    const { code, payload } = request;
    if (data.some((one) => fieldOf(one, 19, TOKEN_TAG.length) !== TOKEN_TAG)) {
      const outcome = { result: RESULT.unknownTag, text: 'TAG SCONOSCIUTO' };
      return [answerOf(request, memory.terminalId, outcome, false)];
    }
    if (code === 'D') return [downloadAnswer(memory.terminalId)];
    if (code === 'K') return [walletAnswer(memory.terminalId, orderIn(payload))];
    if (code === 'H') return [await verifyCard(request)];
    if (code === 'G' && memory.lastResult.length > 0) return memory.lastResult;
    const messages = await device.answer(language, request, tillFor(request));
    return 'problem' in messages ? [] : [...messages, ...repeated(memory.terminalId, data)];
  };
  /** @param data the additional data that came behind the message */
  return (request: Ecr17Request, data: readonly string[]): Promise<string[]> =>
    perform(request, data).finally(() => {
      // A question for the last result comes while a procedure still runs.
      if (request.code !== 'G') showing?.cancel();
    });
}

/** The additional data of a till that asks for it (ISO field 62). */
function repeated(terminalId: string, data: readonly string[]): string[] {
  const asked = data.find((payload) => fieldOf(payload, 17, 2) === '62');
  return asked === undefined ? [] : [additionalAnswer(terminalId, asked.slice(36).split(TEXT_END)[0]!)];
}

function orderIn(payload: string): string {
  return /"ORDER_ID">([A-Za-z0-9._-]{0,60})</.exec(payload)?.[1] ?? '';
}
