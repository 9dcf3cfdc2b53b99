import { connect, createSecureContext, type PeerCertificate, type SecureContext } from 'node:tls';
import { Fault } from '../../protocol/failures.ts';
import type { BytePort, OpenPort } from './byte-port.ts';
import { portOf, readAddress, type TcpSettings } from './tcp-port.ts';

/** Prefix of the paths of terminals in the network that encrypt their connection. */
export const TLS_PREFIX = 'tls://';

/**
 * Common names of the certificates of terminals: model and serial number, or one for all. They are those of no host, so that of
 * the address is not looked at.
 */
const TERMINAL_NAME =
  /^([A-Za-z0-9]+-[A-Za-z0-9]+|legacy-terminal-certificate)\.(test|live)\.terminal\.adyen\.com$/;

/**
 * Returns a function that opens a TLS connection to a terminal. It ignores line settings, and throws Fault `reader` when
 * the connection fails. Without `ca` only a program of this machine is trusted, whatever its certificate says.
 * @param path `tls://host:port`
 * @param ca certificates of the authority that the terminal is trusted by, PEM
 * @throws Fault `bad_setting` at once for an invalid path.
 */
export function openTlsPort(path: string, settings: TcpSettings, ca: string | undefined): OpenPort {
  const { host, port } = readAddress(path, settings.port);
  // Creating one takes longer than a handshake, and a payment has several connections.
  let secureContext: SecureContext | undefined;
  return () =>
    new Promise<BytePort>((resolve, reject) => {
      secureContext ??= createSecureContext({ ca });
      const socket = connect({
        host,
        port,
        secureContext,
        ...(ca === undefined ? { rejectUnauthorized: false } : { checkServerIdentity: nameProblem }),
      });
      const failed = (error: Error) => {
        const advice = `is the device on, in this network, and set to ${settings.setTo}?`;
        reject(new Fault('reader', `${path} does not open: ${error.message}; ${advice}`, { cause: error }));
      };
      socket.once('error', failed);
      socket.once('secureConnect', () => {
        socket.off('error', failed);
        const opened = portOf(path, socket);
        if (ca !== undefined || opened.isLocal) return resolve(opened);
        const why = 'caFile: the certificate of the authority of the terminal is needed to trust it';
        void opened.close().then(() => reject(new Fault('reader', why)));
      });
    });
}

function nameProblem(_host: string, { subject }: PeerCertificate): Error | undefined {
  const name: unknown = subject.CN;
  if (typeof name === 'string' && TERMINAL_NAME.test(name)) return undefined;
  return new Error('its certificate has not the name of a terminal');
}
