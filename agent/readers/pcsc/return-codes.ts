import { Fault } from '../../../protocol/failures.ts';
import { pcscPlatform } from '../../../protocol/system/pcsc-platform.ts';
import { CardLostError } from '../card-slot.ts';
import { CODE } from './pcsc-interface.ts';

/** What a return code means: the card is to blame, or the reader and its service. */
interface Problem {
  about: 'card' | 'reader';
  /** What is wrong and what to do about it. */
  text: string;
}

const IN_USE =
  "another program uses the card: end it (gpg's scdaemon with 'gpgconf --kill scdaemon', a browser, a login by card, another agent)";

const UNSUPPORTED = 'the reader does not support the card: present a payment card';

const PROBLEMS: Readonly<Record<number, Problem>> = {
  [CODE.noService]: { about: 'reader', text: `the smart card service does not run: ${pcscPlatform().start}` },
  [CODE.serviceStopped]: {
    about: 'reader',
    text: `the smart card service was stopped: ${pcscPlatform().start}`,
  },
  [CODE.accessDenied]: {
    about: 'reader',
    text: 'the smart card service refuses this user: try at the machine itself, or as root',
  },
  [CODE.noReaders]: { about: 'reader', text: 'the smart card service has no reader: plug one in' },
  [CODE.unknownReader]: { about: 'reader', text: 'the reader was unplugged: plug it in again' },
  [CODE.readerUnavailable]: { about: 'reader', text: 'the reader was unplugged: plug it in again' },
  [CODE.sharingViolation]: { about: 'reader', text: IN_USE },
  [CODE.noCard]: { about: 'card', text: 'the card was removed: present it again' },
  [CODE.removedCard]: { about: 'card', text: 'the card was removed: present it again' },
  [CODE.unresponsiveCard]: {
    about: 'card',
    text: 'the card does not answer: insert it with its chip first and facing up, or try another one',
  },
  [CODE.unpoweredCard]: { about: 'card', text: 'the card has no power: remove it and present it again' },
  [CODE.unsupportedCard]: { about: 'card', text: UNSUPPORTED },
  [CODE.unsupportedReset]: { about: 'card', text: UNSUPPORTED },
  [CODE.protocolMismatch]: {
    about: 'card',
    text: 'the card speaks neither T=0 nor T=1: present a payment card',
  },
  [CODE.resetCard]: {
    about: 'card',
    text: 'another program reset the card: end it, and present the card again',
  },
  [CODE.notTransacted]: {
    about: 'card',
    text: 'the reader lost contact with the card: hold it still, or insert it again',
  },
};

/** Returns the error for a return code: CardLostError where another try with a card may help, otherwise Fault `reader`. */
export function errorOf(code: number): CardLostError | Fault {
  const problem = PROBLEMS[code];
  if (problem?.about === 'card') return new CardLostError(problem.text);
  const unknown = `the smart card service reports error ${code.toString(16).toUpperCase().padStart(8, '0')}`;
  return new Fault('reader', problem?.text ?? `${unknown}: plug the reader in again`);
}
