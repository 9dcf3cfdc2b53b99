import { Fault } from '../../../protocol/failures.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import { select, send, OK } from '../../emv/apdu.ts';
import { PSE } from '../../emv/application-selection.ts';
import type { CardConnection } from '../../emv/card-connection.ts';
import { PPSE } from '../../emv/entry-point.ts';
import { runChecks, type DeviceCheck } from '../device-checks.ts';
import type { CheckResult, DriverModule, DriverParts } from '../driver.ts';
import { createKernelReader } from '../kernel-reader.ts';
import { cardKindOf } from './card-kind.ts';
import { CODE, PROTOCOL, STATE, type ReaderState } from './pcsc-interface.ts';
import { errorOf } from './return-codes.ts';
import { createPcscSessions, isReaderGone, type PcscPort, type PcscSession } from './session.ts';
import { connectCard, connectionTo, createPcscSlot, type ConnectedCard } from './slot.ts';

/** Driver for the readers of the system's smart card service, with Tapbench's EMV kernel (PC/SC part 5). */
export const driver: DriverModule = {
  createReader: (parts) =>
    createKernelReader({ ...parts, name: 'PC/SC', slot: createPcscSlot({ ...parts, port: portOf(parts) }) }),
  diagnose: diagnoseReader,
};

/** @throws Fault `bad_setting` when the port is that of another driver. */
function portOf({ pcsc }: Pick<DriverParts, 'pcsc'>): PcscPort {
  if (!pcsc) throw new Fault('bad_setting', '--driver pcsc needs a port like pcsc:NAME');
  return pcsc;
}

const SERVICE = "Check that the reader is plugged in, and that 'tapbench readers' lists it";
const CARD =
  'Insert the card with its chip first and facing up, or hold it on the reader, and try another card; end other programs that use cards';

const LISTS = { Contact: PSE, Contactless: PPSE } as const;

type Parts = Pick<DriverParts, 'pcsc' | 'clock' | 'log' | 'trace'>;

/** Tries the service, the reader and the card step by step (DriverModule.diagnose). */
async function* diagnoseReader(parts: Parts): AsyncGenerator<CheckResult> {
  const port = portOf(parts);
  const sessions = createPcscSessions(port, parts.clock);
  const seen: { state?: ReaderState; card?: CardConnection } = {};
  const steps: DeviceCheck[] = [
    {
      step: 'reach the smart card service',
      advice: SERVICE,
      run: async () => `the reader is '${(await sessions.open()).reader}'`,
    },
    {
      step: 'look for a card',
      advice: SERVICE,
      async run() {
        seen.state = await stateOf(await sessions.open());
        return isPresent(seen.state)
          ? 'a card is there'
          : 'there is none: present one and try again to test the rest';
      },
    },
  ];
  try {
    yield* runChecks(steps);
    if (!seen.state || !isPresent(seen.state)) return;
    yield* runChecks(cardChecks(parts, await sessions.open(), seen.state, seen));
  } finally {
    await seen.card?.release();
    await sessions.drop();
  }
}

function cardChecks(
  parts: Parts,
  session: PcscSession,
  state: ReaderState,
  seen: { card?: CardConnection },
): DeviceCheck[] {
  const { technology, memory } = cardKindOf(state.atr);
  return [
    {
      step: 'connect to the card',
      checksCard: true,
      advice: CARD,
      async run() {
        const card = await connectCard(session, parts.clock, new AbortController().signal);
        if (card === 'gone') throw errorOf(CODE.removedCard);
        seen.card = connectionTo({
          ...parts,
          port: portOf(parts),
          session,
          state,
          card,
          onFailure: async () => {},
        });
        if (card.problem !== undefined) throw new Error(card.problem);
        if (memory !== undefined)
          throw new Error(`it is a memory card (${memory}), which is no payment card`);
        return `a ${technology.toLowerCase()} card, which speaks ${protocolOf(card)}`;
      },
    },
    {
      step: 'ask for its payment applications',
      checksCard: true,
      advice: 'A transit, access or loyalty card has no such list and cannot pay: present a payment card',
      async run() {
        const name = LISTS[technology];
        const { status } = await send(seen.card!, select(name));
        if (status === OK) return 'it has a list of them';
        const none = `it has no list of them (SELECT ${name.toString('latin1')}: ${hexOf(status)})`;
        if (technology === 'Contactless') throw new Error(none);
        return `${none}, as some payment cards have none`;
      },
    },
  ];
}

async function stateOf({ pcsc, waits, reader }: PcscSession): Promise<ReaderState> {
  const { code, event, atr } = await pcsc.getStatusChange(waits, { reader, current: 0, timeoutMs: 0 });
  if (code !== CODE.ok && code !== CODE.timeout) throw errorOf(code);
  if (isReaderGone(event)) throw errorOf(CODE.readerUnavailable);
  return { event, atr };
}

function isPresent({ event }: ReaderState): boolean {
  return (event & STATE.present) !== 0;
}

function protocolOf({ protocol }: ConnectedCard): string {
  return protocol === PROTOCOL.t0 ? 'T=0' : 'T=1';
}

function hexOf(status: number): string {
  return toHex(Uint8Array.of(status >> 8, status & 0xff));
}
