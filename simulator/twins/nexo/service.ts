import type { Clock } from '../../../protocol/clock.ts';
import type { Random } from '../../../protocol/ids.ts';
import { printReceipt, type TerminalMemory } from '../stand-alone/journal.ts';
import { createSimpleTill, type SimpleTill } from '../stand-alone/simple-till.ts';
import type { StandAloneDevice } from '../stand-alone/stand-alone-device.ts';
import { decryptText, encryptText, type SharedKey } from './encryption.ts';
import {
  isEncrypted,
  readBody,
  readEnvelope,
  type Header,
  type NexoRequest,
  type ReadProblem,
} from './messages.ts';
import { createNexoLanguage } from './nexo-language.ts';
import { failure, pairsText, responseTo, success, timeOf, type Json } from './responses.ts';

/** What a terminal keeps between connections. */
export interface NexoState {
  key: SharedKey;
  poiId: string;
  /** Whether messages may come in clear. */
  takesClear: boolean;
  /** The transaction that runs, by its message. */
  running: { reference: string; till: SimpleTill } | undefined;
}

interface ServiceParts {
  clock: Clock;
  random: Random;
  device: StandAloneDevice;
  state: NexoState;
}

/** An answer of HTTP; no text for an empty one. */
interface HttpAnswer {
  status: number;
  text: string;
}

/** How long a response is kept at least, for a till that asks for it again. */
const KEPT_MS = 48 * 3_600_000;

const referenceOf = (saleId: string, serviceId: string): string => `${saleId} ${serviceId}`;

/** Returns the function that answers the text of a request. */
export function createNexoService(parts: ServiceParts): (text: string) => Promise<HttpAnswer> {
  const { device, state, random } = parts;
  const answer = createAnswers(parts);
  const refused = (problem: string, shown = problem): HttpAnswer => {
    device.noteProblem(problem);
    return { status: 400, text: JSON.stringify({ errors: [shown] }) };
  };
  const failed = (problem: ReadProblem): HttpAnswer | Json => {
    if (problem.type === 'envelope') return refused(problem.problem);
    if (problem.type === 'notJson') {
      device.noteProblem('request: it is not a JSON object');
      return { status: 200, text: JSON.stringify(rejection(parts.clock.nowMs())) };
    }
    device.noteProblem(problem.problem);
    const condition = problem.isKnown ? 'MessageFormat' : 'UnavailableService';
    return responseTo(problem.header, { Response: failure(condition, { errors: problem.problem }) });
  };
  return async (text) => {
    const envelope = readEnvelope(text);
    if ('type' in envelope) return sent(failed(envelope), undefined);
    const { members, header } = envelope;
    const encrypt = 'NexoBlob' in members || 'SecurityTrailer' in members ? { header } : undefined;
    let clear = members;
    if (encrypt) {
      if (!isEncrypted(members))
        return refused('At SaleToPOIRequest, field SecurityTrailer: Missing, or of another form');
      const decrypted = decryptText(members, state.key);
      if ('problem' in decrypted)
        return refused(decrypted.problem, `Nexo Service: crypto error (${decrypted.code})`);
      const inner = readEnvelope(decrypted.text);
      if ('type' in inner) return sent(failed(inner), undefined);
      if (!isSame(inner.header, header))
        return refused('MessageHeader: that inside the message is another', 'Nexo Service: crypto error (3)');
      clear = inner.members;
    } else if (!state.takesClear) {
      const errors = `At SaleToPOIRequest, field ${header.MessageCategory}Request: Missing`;
      device.noteProblem('request: it is not encrypted');
      const more = { errors, note: 'The message has to be encrypted' };
      return sent(responseTo(header, { Response: failure('MessageFormat', more) }), undefined);
    }
    const request = readBody(clear, header);
    return sent('type' in request ? failed(request) : await answer(request), encrypt);
  };

  function sent(
    answered: HttpAnswer | Json | undefined,
    encrypt: { header: Header } | undefined,
  ): HttpAnswer {
    if (answered === undefined) return { status: 200, text: '' };
    if (isHttp(answered)) return answered;
    const text = JSON.stringify({ SaleToPOIResponse: answered });
    if (!encrypt) return { status: 200, text };
    const body = { MessageHeader: answered['MessageHeader'], ...encryptText(text, state.key, random) };
    return { status: 200, text: JSON.stringify({ SaleToPOIResponse: body }) };
  }
}

function isHttp(answered: HttpAnswer | Json): answered is HttpAnswer {
  return 'status' in answered && 'text' in answered;
}

function isSame(one: Header, other: Header): boolean {
  const names = ['MessageClass', 'MessageCategory', 'ServiceID', 'SaleID', 'POIID'] as const;
  return names.every((name) => one[name] === other[name]);
}

/** The notification about a body that is no JSON object. */
function rejection(atMs: number): Json {
  return {
    SaleToPOIRequest: {
      MessageHeader: {
        ProtocolVersion: '3.0',
        MessageClass: 'Event',
        MessageCategory: 'Event',
        MessageType: 'Notification',
        SaleID: 'N/A',
        POIID: 'N/A',
      },
      EventNotification: {
        EventToNotify: 'Reject',
        TimeStamp: timeOf(atMs),
        EventDetails: pairsText({ message: 'Input is not a JSONObject' }).replaceAll('%20', '+'),
      },
    },
  };
}

/** Returns the function that answers a request; undefined for an empty answer. */
function createAnswers({ clock, device, state }: ServiceParts) {
  const { memory } = device;
  const language = createNexoLanguage({ ...device, nowMs: () => clock.nowMs() });
  const respond = (request: NexoRequest, body: Json) => responseTo(request.header, body);

  const transact = async (request: NexoRequest): Promise<Json> => {
    const { SaleID, ServiceID } = request.header;
    const reference = referenceOf(SaleID, ServiceID);
    const known = memory.responses.get(reference);
    if (known) return known.response;
    if (state.running || memory.busy)
      return respond(request, { Response: failure('Busy', { message: 'Another transaction runs' }) });
    const till = createSimpleTill({ clock, tell: async () => {}, terminalPrints: false });
    state.running = { reference, till };
    const response = await perform(request, till).finally(() => (state.running = undefined));
    for (const [old, { atMs }] of memory.responses)
      if (clock.nowMs() - atMs > KEPT_MS) memory.responses.delete(old);
    memory.responses.set(reference, { atMs: clock.nowMs(), response });
    return response;
  };
  const perform = async (request: NexoRequest, till: SimpleTill): Promise<Json> => {
    const messages = await device.answer(language, request, till);
    return 'problem' in messages
      ? respond(request, { Response: failure('MessageFormat', { errors: messages.problem }) })
      : messages[0]!;
  };
  return async (request: NexoRequest): Promise<Json | undefined> => {
    const { header } = request;
    if (header.POIID !== state.poiId) {
      const errors = `At SaleToPOIRequest, field MessageHeader.POIID: ${state.poiId} is expected`;
      device.noteProblem(errors);
      return respond(request, { Response: failure('MessageFormat', { errors }) });
    }
    switch (request.category) {
      case 'Payment':
      case 'Reversal':
        return transact(request);
      case 'Abort': {
        const { SaleID = header.SaleID, ServiceID } = request.body.MessageReference;
        if (state.running?.reference === referenceOf(SaleID, ServiceID)) state.running.till.cancel();
        return undefined;
      }
      case 'TransactionStatus':
        return respond(request, transactionStatus(request, state, memory));
      case 'Display':
        memory.display = request.body.DisplayOutput.flatMap(({ OutputContent }) => linesOf(OutputContent));
        return respond(request, {
          OutputResult: request.body.DisplayOutput.map(({ Device, InfoQualify }) => ({
            Device,
            InfoQualify,
            Response: success(),
          })),
        });
      case 'Print': {
        const { DocumentQualifier, OutputContent } = request.body.PrintOutput;
        const Response = memory.hasPaper ? success() : failure('DeviceOut', { message: 'There is no paper' });
        if (memory.hasPaper) printReceipt(memory, linesOf(OutputContent));
        return respond(request, { DocumentQualifier, Response });
      }
      case 'EnableService':
      case 'Login':
      case 'Logout':
        return respond(request, { Response: success() });
      default:
        return perform(request, createSimpleTill({ clock, tell: async () => {}, terminalPrints: false }));
    }
  };
}

function transactionStatus(
  { header, body }: Extract<NexoRequest, { category: 'TransactionStatus' }>,
  { running }: NexoState,
  { responses }: TerminalMemory,
): Json {
  const asked = body.MessageReference;
  const reference = asked
    ? referenceOf(asked.SaleID ?? header.SaleID, asked.ServiceID)
    : (running?.reference ?? [...responses.keys()].at(-1));
  if (running && running.reference === reference)
    return { Response: failure('InProgress', { message: 'The transaction runs' }) };
  const found = reference === undefined ? undefined : responses.get(reference);
  if (!found) return { Response: failure('NotFound', { message: 'There is no such message' }) };
  const { MessageHeader, ...repeated } = found.response;
  return {
    Response: success(),
    RepeatedMessageResponse: { MessageHeader, RepeatedResponseMessageBody: repeated },
  };
}

interface Output {
  OutputText?: { Text?: string; EndOfLineFlag?: boolean }[];
}

/** The lines of an output: texts without an end of line are joined. */
function linesOf({ OutputText = [] }: Output): string[] {
  const lines = [''];
  for (const { Text = '', EndOfLineFlag = true } of OutputText) {
    lines[lines.length - 1] += Text;
    if (EndOfLineFlag) lines.push('');
  }
  return lines.slice(0, lines.at(-1) === '' ? -1 : undefined);
}
