import { connectApi, type ClientOptions } from '../../client/api-client.ts';
import { chooseTerminal } from '../../client/terminal-choice.ts';
import type { CommandContext } from '../../command-line/command-context.ts';
import { removeLeftovers } from '../record-case.ts';
import { reportCertificate } from '../report/certificate-report.ts';
import type { CertificateOptions, CertificateParts } from '../run-certificate.ts';
import type { DeviceBench } from './device-bench.ts';
import { deviceCases } from './device-cases.ts';
import { findDevice, openDeviceCase } from './open-device-case.ts';
import type { DeviceAct } from './operator.ts';

interface DeviceOptions extends ClientOptions, CertificateOptions {
  /** Command line that operates it. */
  operate: string | undefined;
  /** What cannot be done at it. */
  without: readonly DeviceAct[];
  pin: string;
  payments: number;
}

/**
 * Returns what makes the certificate of a device.
 * @param terminal its id or serial number; undefined for the only terminal
 * @throws Fault `bad_setting` when it does not exist
 */
export async function deviceCertificate(
  context: CommandContext,
  terminal: string | undefined,
  options: DeviceOptions,
): Promise<CertificateParts<DeviceBench>> {
  const api = connectApi(context, options);
  const terminalId = await chooseTerminal(api, terminal);
  const subject = { kind: 'device', name: terminal ?? terminalId };
  const report = reportCertificate(context, options, { ...subject, terminalId });
  const device = await findDevice(context, { api, terminalId, report, options });
  return {
    subject,
    report,
    cases: deviceCases(device.isSimulator),
    options,
    async prepare() {
      await removeLeftovers(api, 'device');
      return (id) => openDeviceCase(context, device, { id, options });
    },
  };
}
