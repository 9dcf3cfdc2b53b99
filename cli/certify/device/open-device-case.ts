import { pause, secretKeyOf, type ClientOptions, type ServerApi } from '../../client/api-client.ts';
import type { CommandContext } from '../../command-line/command-context.ts';
import { openLiveSocket, sessionOf } from '../../watch/live-socket.ts';
import { recordCase, titleOf } from '../record-case.ts';
import type { CertificateReport } from '../report/certificate-report.ts';
import type { OpenCase } from '../run-cases.ts';
import { seededAmount } from '../seeded-amount.ts';
import { createDeviceBench, type DeviceBench } from './device-bench.ts';
import { followDevice } from './device-timeline.ts';
import {
  commandOperator,
  operatorWithout,
  personOperator,
  type DeviceAct,
  type Operator,
} from './operator.ts';
import { restoreSimulated, sandboxOperator } from './sandbox-operator.ts';

/** The device that is tried, and how. */
interface TriedDevice {
  api: ServerApi;
  terminalId: string;
  isSimulated: boolean;
  operator: Operator;
  /** Whether the simulator operates it. */
  isSimulator: boolean;
}

interface DeviceOptions extends ClientOptions {
  pin: string;
  operate: string | undefined;
  without: readonly DeviceAct[];
}

interface FoundBy {
  api: ServerApi;
  terminalId: string;
  /** Asks in the dashboard. */
  report: Pick<CertificateReport, 'ask'>;
  options: DeviceOptions;
}

/** Finds out who operates a device: the command, the calls that control a simulated terminal, or the person here. */
export async function findDevice(
  context: CommandContext,
  { api, terminalId, report, options }: FoundBy,
): Promise<TriedDevice> {
  const params = { id: terminalId };
  // Of a simulated terminal this changes nothing, unless a run that was killed has left it without its network.
  const { status } = await api.answer('POST /sandbox/terminals/{id}/network', {
    params,
    body: { state: 'on' },
  });
  const isSimulated = status === 200;
  const operator =
    options.operate !== undefined
      ? commandOperator(context, options.operate, terminalId)
      : isSimulated
        ? sandboxOperator(api, terminalId)
        : personOperator(context, { pin: options.pin, dashboard: report });
  const isSimulator = isSimulated && options.operate === undefined;
  if (isSimulator) await restoreSimulated(api, terminalId);
  return { api, terminalId, isSimulated, isSimulator, operator: operatorWithout(operator, options.without) };
}

interface CaseOptions extends ClientOptions {
  seed: string;
  pin: string;
  payments: number;
  out: string;
}

/** Opens what a case runs on, and records the sandbox meanwhile. What it has made there is removed also when it is interrupted. */
export async function openDeviceCase(
  context: CommandContext,
  device: TriedDevice,
  { id, options }: { id: string; options: CaseOptions },
): Promise<OpenCase<DeviceBench>> {
  const { api, terminalId } = device;
  const { cleanUp, recordingId, save } = await recordCase(context, { api, id, options });
  const timeline = await followDevice({
    clock: context.clock,
    interrupted: context.interrupted,
    terminalId,
    open: (events) => openLiveSocket(api.url, events),
    token: () => sessionOf(api, secretKeyOf(options)),
  });
  const { seed, pin, payments } = options;
  const bench = createDeviceBench({
    ...device,
    cleanUp,
    title: titleOf(id),
    timeline,
    pin,
    payments,
    amount: seededAmount(seed, id),
    sleep: (ms) => pause(context, ms),
  });
  return {
    bench,
    recordingId,
    async close() {
      timeline.close();
      await bench.endFaults().catch(() => {});
      if (device.isSimulator && context.interrupted.aborted) await restoreSimulated(cleanUp, terminalId);
      return save();
    },
  };
}
