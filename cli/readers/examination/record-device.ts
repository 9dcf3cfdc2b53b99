import type { BytePort, OpenPort } from '../../../agent/readers/byte-port.ts';
import type { DriverParts } from '../../../agent/readers/driver.ts';
import type { PcscInterface } from '../../../agent/readers/pcsc/pcsc-interface.ts';
import type { Clock } from '../../../protocol/clock.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import { messageOf } from '../../../protocol/failures.ts';
import type { RecordedEvent } from './saved-examination.ts';

type Device = Pick<DriverParts, 'open' | 'pcsc'>;
type Note = (event: Omit<RecordedEvent, 'atMs' | 'step'>) => void;

/** Wraps a device: what the driver and the device do is added to the record, with its instant and step. */
export function recordDevice(
  { open, pcsc }: Device,
  clock: Clock,
  { events, steps }: { events: RecordedEvent[]; steps: readonly unknown[] },
): Device {
  const startMs = clock.nowMs();
  const note: Note = (event) =>
    void events.push({ atMs: clock.nowMs() - startMs, step: steps.length, ...event });
  return {
    open: recordedOpener(open, note),
    pcsc: pcsc && {
      reader: pcsc.reader,
      async load() {
        const loaded = await pcsc.load().catch((error: unknown) => {
          note({ event: 'notOpened', note: messageOf(error) });
          throw error;
        });
        note({ event: 'opened' });
        return recordedCalls(loaded, note);
      },
    },
  };
}

function recordedOpener(open: OpenPort, note: Note): OpenPort {
  return async (settings) => {
    const port = await open(settings).catch((error: unknown) => {
      note({ event: 'notOpened', note: messageOf(error) });
      throw error;
    });
    note({ event: 'opened', ...(port.isLocal !== undefined && { isLocal: port.isLocal }) });
    let isOurs = false;
    port.onClose((reason) => isOurs || note({ event: 'closed', note: reason }));
    const recorded: BytePort = {
      ...port,
      write(bytes) {
        note({ event: 'sent', sent: toHex(bytes) });
        return port.write(bytes);
      },
      onData: (listener) =>
        port.onData((bytes) => {
          note({ event: 'received', received: toHex(bytes) });
          listener(bytes);
        }),
      close() {
        isOurs = true;
        return port.close();
      },
    };
    return recorded;
  };
}

function recordedCalls(pcsc: PcscInterface, note: Note): PcscInterface {
  const call = (
    text: string,
    code: number,
    more: Omit<RecordedEvent, 'atMs' | 'step' | 'event' | 'note' | 'code'> = {},
  ) => note({ event: 'called', note: text, code, ...more });
  return {
    async establishContext() {
      const returned = await pcsc.establishContext();
      call('establishContext', returned.code, { handle: Number(returned.context) });
      return returned;
    },
    async releaseContext(context) {
      const returned = await pcsc.releaseContext(context);
      call('releaseContext', returned.code);
      return returned;
    },
    // When a wait is cancelled depends on the person at the keyboard.
    cancel: (context) => pcsc.cancel(context),
    async listReaders(context) {
      const returned = await pcsc.listReaders(context);
      call('listReaders', returned.code, { names: returned.names });
      return returned;
    },
    async getStatusChange(context, wait) {
      const returned = await pcsc.getStatusChange(context, wait);
      const given = `getStatusChange ${wait.reader} ${wait.current} ${wait.timeoutMs}`;
      call(given, returned.code, { state: returned.event, received: toHex(returned.atr) });
      return returned;
    },
    async connect(context, request) {
      const returned = await pcsc.connect(context, request);
      const given = `connect ${request.reader} ${request.share} ${request.protocols}`;
      call(given, returned.code, { handle: Number(returned.card), state: returned.protocol });
      return returned;
    },
    async disconnect(card, disposition) {
      const returned = await pcsc.disconnect(card, disposition);
      call(`disconnect ${disposition}`, returned.code);
      return returned;
    },
    async transmit(card, protocol, command) {
      const returned = await pcsc.transmit(card, protocol, command);
      const bytes = { sent: toHex(command), received: toHex(returned.answer) };
      call(`transmit ${protocol}`, returned.code, bytes);
      return returned;
    },
    async blockingModules() {
      const names = await pcsc.blockingModules();
      call('blockingModules', 0, { names });
      return names;
    },
  };
}
