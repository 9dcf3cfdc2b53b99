import { Fault, messageOf } from '../../../protocol/failures.ts';
import { blockingModules } from '../../../protocol/system/kernel-modules.ts';
import { pcscPlatform } from '../../../protocol/system/pcsc-platform.ts';
import type { System } from '../../../protocol/system/this-system.ts';
import { SCOPE_SYSTEM, type Handle, type PcscInterface } from './pcsc-interface.ts';

type Koffi = typeof import('koffi').default;
type ForeignFunction = ReturnType<ReturnType<Koffi['load']>['func']>;

// The longest answer to a short command is 258 bytes; a card that ignores its length gets no error of its own.
const ANSWER_BYTES_MAX = 1_024;

/**
 * Loads the PC/SC library of this system.
 * @throws Fault `reader` with advice when there is none.
 */
export async function loadPcsc(): Promise<PcscInterface> {
  const { library, install } = pcscPlatform();
  const { default: koffi } = await import('koffi').catch((error: unknown) => {
    throw new Fault('reader', `koffi, which calls the PC/SC library, does not load: ${messageOf(error)}`);
  });
  let loaded: ReturnType<Koffi['load']>;
  try {
    loaded = koffi.load(library);
  } catch (error) {
    throw new Fault('reader', `there is no PC/SC library (${library}): ${install}`, { cause: error });
  }
  return interfaceOf(koffi, loaded);
}

/** Returns the C types of PC/SC on a system. */
export function pcscTypes(koffi: Koffi, system?: System) {
  const { word, result, handle, atrBytes, isPacked } = pcscPlatform(system);
  const layOut = isPacked ? koffi.pack : koffi.struct;
  return {
    word,
    result,
    handle,
    readerState: layOut({
      reader: 'char *',
      user: 'void *',
      current: word,
      event: word,
      atrLength: word,
      atr: koffi.array('uint8_t', atrBytes),
    }),
    ioRequest: layOut({ protocol: word, length: word }),
  };
}

/** The functions of the library, by their names without SCard. */
function functionsOf(koffi: Koffi, loaded: ReturnType<Koffi['load']>, types: ReturnType<typeof pcscTypes>) {
  const { word, handle, result, ioRequest } = types;
  const { ending, convention } = pcscPlatform();
  const bind = (name: string, parameters: Parameters<typeof loaded.func>[3]) =>
    loaded.func(convention, `SCard${name}`, result, parameters);
  const filled = (type: string) => koffi.out(koffi.pointer(type));
  const length = koffi.inout(koffi.pointer(word));
  const request = koffi.pointer(ioRequest);
  return {
    establish: bind('EstablishContext', [word, 'void *', 'void *', filled(handle)]),
    release: bind('ReleaseContext', [handle]),
    cancel: bind('Cancel', [handle]),
    list: bind(`ListReaders${ending}`, [handle, 'void *', 'void *', length]),
    status: bind(`GetStatusChange${ending}`, [handle, word, 'void *', word]),
    connect: bind(`Connect${ending}`, [handle, 'str', word, word, filled(handle), filled(word)]),
    disconnect: bind('Disconnect', [handle, word]),
    transmit: bind('Transmit', [handle, request, 'void *', word, 'void *', 'void *', length]),
  };
}

function interfaceOf(koffi: Koffi, loaded: ReturnType<Koffi['load']>): PcscInterface {
  const types = pcscTypes(koffi);
  const { readerState, ioRequest } = types;
  const scard = functionsOf(koffi, loaded, types);

  return {
    async establishContext() {
      const context: [Handle] = [0];
      const code = await call(scard.establish, SCOPE_SYSTEM, null, null, context);
      return { code, context: context[0] };
    },
    releaseContext: async (context) => ({ code: await call(scard.release, context) }),
    cancel: async (context) => ({ code: await call(scard.cancel, context) }),
    async listReaders(context) {
      const length = [0];
      const code = await call(scard.list, context, null, null, length);
      if (code !== 0) return { code, names: [] };
      const text = Buffer.alloc(length[0]!);
      const again = await call(scard.list, context, null, text, length);
      return { code: again, names: text.toString('utf8', 0, length[0]).split('\0').filter(Boolean) };
    },
    async getStatusChange(context, { reader, current, timeoutMs }) {
      // koffi writes structures in an array back only where it has not copied them, so the memory is our own.
      const text = Buffer.from(`${reader}\0`);
      const name = koffi.alloc('char', text.length);
      koffi.encode(name, koffi.array('uint8_t', text.length), text);
      const state = koffi.alloc(readerState, 1);
      koffi.encode(state, readerState, {
        reader: name,
        user: null,
        current,
        event: 0,
        atrLength: 0,
        atr: [],
      });
      const code = await call(scard.status, context, timeoutMs, state, 1);
      const { event, atrLength, atr: found } = koffi.decode(state, readerState);
      koffi.free(state);
      koffi.free(name);
      return { code, event: Number(event), atr: Uint8Array.from(found).subarray(0, Number(atrLength)) };
    },
    async connect(context, { reader, share, protocols }) {
      const card: [Handle] = [0];
      const protocol = [0];
      const code = await call(scard.connect, context, reader, share, protocols, card, protocol);
      return { code, card: card[0], protocol: Number(protocol[0]) };
    },
    disconnect: async (card, disposition) => ({ code: await call(scard.disconnect, card, disposition) }),
    async transmit(card, protocol, command) {
      const answer = Buffer.alloc(ANSWER_BYTES_MAX);
      const length = [answer.length];
      const request = { protocol, length: koffi.sizeof(ioRequest) };
      const code = await call(
        scard.transmit,
        card,
        request,
        Buffer.from(command),
        command.length,
        null,
        answer,
        length,
      );
      return { code, answer: Uint8Array.from(answer.subarray(0, code === 0 ? Number(length[0]) : 0)) };
    },
    blockingModules,
  };
}

/** Calls a function on another thread, since it may wait for the service. Resolves with its code, unsigned. */
function call(run: ForeignFunction, ...values: unknown[]): Promise<number> {
  return new Promise((resolve, reject) => {
    run.async(...values, (error: unknown, code: number) => (error ? reject(error) : resolve(code >>> 0)));
  });
}
