import { messageOf } from '../../protocol/failures.ts';
import { controlsOf, createStandAloneDevice } from './stand-alone/stand-alone-device.ts';
import type { Twin, TwinParts } from './twin.ts';
import { declineText, isAnswer, type Apdu } from './zvt/apdu.ts';
import { createCommandDispatcher } from './zvt/command-dispatcher.ts';
import { createEcrTransport } from './zvt/ecr-link.ts';
import { registrationsOf } from './zvt/registration.ts';
import { createZvtLanguage } from './zvt/zvt-language.ts';

export { controlsOf };

// A terminal waits for commands without a limit; this only bounds one wait.
const IDLE_MS = 3_600_000;

/**
 * Creates a ZVT payment terminal (PA00P015, PA00P016) with a test bank. A terminal on the same tray keeps its
 * transactions when it is connected again.
 */
export function createTwin(parts: TwinParts): Twin {
  const { clock, log } = parts;
  const device = createStandAloneDevice(parts, { language: 'de', declineText });
  const { port, memory } = device;
  const transport = port.path.startsWith('tcp:') ? 'tcp' : 'serial';
  const line = createEcrTransport({ port, clock, transport });
  const dispatcher = createCommandDispatcher({
    ...parts,
    ...device,
    line,
    language: createZvtLanguage(device),
    registrations: registrationsOf(memory),
  });

  const dispatch = async (apdu: Apdu) => {
    try {
      await dispatcher.dispatch(apdu);
    } catch (error) {
      device.noteEnd(error, { command: apdu.control });
    }
  };
  const live = async () => {
    while (line.ended === undefined) {
      const apdu = await line.next(IDLE_MS);
      if (apdu && !isAnswer(apdu)) await dispatch(apdu);
    }
  };
  live().catch((error: unknown) =>
    log.debug({ reason: messageOf(error) }, 'the connection of the twin ended'),
  );

  return { name: 'ZVT terminal', controls: device.controls, close: () => port.close() };
}
