import { createAdditionalData } from './ecr17/additional-data.ts';
import { isRepeatable } from './ecr17/answers.ts';
import { TERMINAL_OPTIONS } from './ecr17/ecr17-language.ts';
import { createProcedures } from './ecr17/procedures.ts';
import { announcesMore, fieldOf, readRequest, type Ecr17Request } from './ecr17/requests.ts';
import { controlsOf, settingsOf } from './ecr17/settings.ts';
import { createTillLink } from './ecr17/till-link.ts';
import { createStandAloneDevice } from './stand-alone/stand-alone-device.ts';
import type { Twin, TwinParts } from './twin.ts';

export { controlsOf };

/** Creates a terminal with Protocollo 17, over TCP or a serial line. A payment goes on when the line is cut. */
export function createTwin(parts: TwinParts): Twin {
  const { clock, tray } = parts;
  const device = createStandAloneDevice(parts, TERMINAL_OPTIONS);
  const { port, memory } = device;
  const settings = settingsOf(tray);
  const additionalData = createAdditionalData(clock);
  let running: string | undefined;

  const refuse = (problem: string) => {
    device.noteProblem(problem);
    link.react('nak');
  };
  const link = createTillLink({
    port,
    clock,
    check: () => settings.check,
    onMessage: (payload) => takeMessage(payload),
    onDamaged: refuse,
  });
  port.onClose(link.close);
  const answer = createProcedures({ device, settings, clock, show: link.show });

  const perform = async (request: Ecr17Request) => {
    const { resultFirst } = settings;
    if (!resultFirst) link.react('ack');
    const data = announcesMore(request) ? await additionalData.collect() : [];
    const messages = await answer(request, data);
    if (isRepeatable(request)) memory.lastResult = messages.filter((message) => !isTicket(message));
    // The terminal prints again after each procedure.
    if (isProcedure(request)) settings.receiptsTo = '0';
    if (resultFirst && messages.length === 0) link.react('ack');
    await Promise.all(messages.map((message, index) => link.send(message, resultFirst && index === 0)));
  };

  const takeMessage = (payload: string) => {
    if (settings.ignore > 0) return void (settings.ignore -= 1);
    if (settings.refuse > 0) {
      settings.refuse -= 1;
      return link.react('nak');
    }
    // A till that has lost our acknowledgement sends the same again.
    if (payload === running) return link.react('ack');
    const read = readRequest(payload, memory.terminalId);
    if ('problem' in read) return refuse(read.problem);
    const { code } = read;
    if (code === 'U') {
      if (additionalData.take(payload)) return link.react('ack');
      return refuse('message U: no message before it announces additional data');
    }
    if (code === 'E') {
      settings.receiptsTo = targetIn(payload);
      return link.react('ack');
    }
    if (memory.busy && code !== 'G') return refuse(`message ${code}: another procedure runs`);
    const request = { code, payload, receiptsTo: code === 'R' ? targetIn(payload) : settings.receiptsTo };
    if (!isProcedure(request)) return device.run(perform(request));
    running = payload;
    device.run(perform(request).finally(() => (running = undefined)));
  };
  return { name: 'ECR17 terminal', controls: controlsOf(tray), close: () => port.close() };
}

const isTicket = (message: string): boolean => message.charAt(9) === 'S';
/** Whether a message does more than to ask. */
const isProcedure = ({ code }: Pick<Ecr17Request, 'code'>): boolean => code !== 'G' && code !== 's';

function targetIn(payload: string): Ecr17Request['receiptsTo'] {
  const target = fieldOf(payload, 11, 1);
  return target === '1' || target === '2' || target === '3' ? target : '0';
}
