/** A box of a picture: a device, or what is between two. */
export interface Box {
  name: string;
  /** Below the name, each short enough for the box. */
  lines: string[];
}

/** What connects two boxes. */
interface Cable {
  /** Above the cable. */
  name: string;
  /** Below it. */
  lines: string[];
}

/** Single wires between the pins of two boxes, in place of a cable. */
interface Wires {
  pins: [left: string, right: string][];
}

export type Connection = Cable | Wires;

/** One way to plug a device in: a box more than there are connections. */
export interface Way {
  title: string;
  boxes: Box[];
  connections: Connection[];
}

/** A picture of what to plug where, for a page of docs/readers/. */
interface PlugPicture {
  title: string;
  ways: Way[];
}

const computer = (...lines: string[]): Box => ({
  name: 'Computer',
  lines: ['runs tapbench agent', ...lines],
});
const BRIDGE: Box = { name: 'USB serial bridge', lines: ['CP2102, CH340, FT232'] };
const USB: Cable = { name: 'USB', lines: ['gives power'] };
const RS232: Cable = { name: 'RS-232', lines: ['serial cable'] };
const NETWORK: Cable = { name: 'network', lines: ['cable', 'or Wi-Fi'] };
const SWITCH: Box = { name: 'Switch or router', lines: ['network of the tills'] };
const OWN_SUPPLY = 'power: its own supply';

/** The computer and a device in one network. */
function inNetwork(device: string, ...lines: string[]): Way {
  return {
    title: 'In a network',
    boxes: [computer('knows its address'), SWITCH, { name: device, lines: [...lines, OWN_SUPPLY] }],
    connections: [NETWORK, NETWORK],
  };
}

/** A device on the serial line of a bridge. */
function onSerialLine(title: string, device: string, ...lines: string[]): Way {
  return {
    title,
    boxes: [computer('port: /dev/ttyUSB0'), BRIDGE, { name: device, lines: [...lines, OWN_SUPPLY] }],
    connections: [USB, RS232],
  };
}

/** The pictures by the name of their page. */
export const PLUG_PICTURES: Record<string, PlugPicture> = {
  pn532: {
    title: 'What to plug where: a PN532 board',
    ways: [
      {
        title: 'By a USB serial bridge',
        boxes: [
          computer('port: /dev/ttyUSB0'),
          BRIDGE,
          { name: 'PN532 board', lines: ['both switches at 0', '115,200 baud, 8N1'] },
        ],
        connections: [
          USB,
          {
            pins: [
              ['5V', 'VCC'],
              ['GND', 'GND'],
              ['RXD', 'TXD'],
              ['TXD', 'RXD'],
            ],
          },
        ],
      },
    ],
  },
  ccid: {
    title: 'What to plug where: a serial CCID reader',
    ways: [
      {
        title: 'On a serial line',
        boxes: [
          computer('port: /dev/ttyUSB0'),
          BRIDGE,
          { name: 'CCID reader', lines: ['115,200 baud, 8N1', 'power: see its manual'] },
        ],
        connections: [USB, RS232],
      },
    ],
  },
  vivotech: {
    title: 'What to plug where: an ID TECH reader with ViVOtech2',
    ways: [
      {
        title: 'By USB',
        boxes: [
          computer('port: /dev/ttyACM0'),
          { name: 'ID TECH reader', lines: ['set to USB-CDC', 'not USB-HID'] },
        ],
        connections: [{ name: 'USB', lines: ['serial port by USB', '115,200 baud'] }],
      },
      onSerialLine('Or on a serial line', 'ID TECH reader', '115,200 baud, 8N1'),
    ],
  },
  pcsc: {
    title: 'What to plug where: a reader of the smart card service',
    ways: [
      {
        title: 'By USB',
        boxes: [
          computer('smart card service', 'port: pcsc:NAME'),
          { name: 'USB reader', lines: ['contact: CCID', 'contactless: ACR122U', 'and the like'] },
        ],
        connections: [{ name: 'USB', lines: ['gives power', 'no serial port'] }],
      },
    ],
  },
  zvt: {
    title: 'What to plug where: a ZVT payment terminal',
    ways: [
      inNetwork('ZVT terminal', 'ECR mode: over TCP', 'TCP port 20007'),
      onSerialLine('Or on a serial line', 'ZVT terminal', 'ECR mode: serial', '9,600 baud, 8N2'),
    ],
  },
  'caisse-ap': {
    title: 'What to plug where: a Caisse-AP payment terminal',
    ways: [inNetwork('Caisse-AP terminal', 'set to Caisse-AP', 'over IP', 'TCP port 8888')],
  },
  concert: {
    title: 'What to plug where: a Concert payment terminal',
    ways: [
      onSerialLine('On a serial line', 'Concert terminal', 'set to Concert E+', '9,600 baud, 7E1'),
      {
        title: 'Or by its own USB port',
        boxes: [
          computer('port: /dev/ttyACM0'),
          { name: 'Concert terminal', lines: ['set to Concert E+', OWN_SUPPLY] },
        ],
        connections: [{ name: 'USB', lines: ['serial port by USB', 'any baud rate'] }],
      },
    ],
  },
  ecr17: {
    title: 'What to plug where: an ECR17 payment terminal',
    ways: [
      inNetwork('ECR17 terminal', 'port set in its menu:', 'TCP 1024 or higher'),
      onSerialLine('Or, with older models, on a serial line', 'ECR17 terminal', '9,600 baud, 8N1'),
    ],
  },
  nexo: {
    title: 'What to plug where: a nexo payment terminal',
    ways: [inNetwork('nexo terminal', 'local communication', 'HTTPS, TCP port 8443')],
  },
  escpos: {
    title: 'What to plug where: an ESC/POS receipt printer',
    ways: [
      inNetwork('Receipt printer', 'TCP port 9100'),
      onSerialLine('Or on a serial line', 'Receipt printer', '9,600 baud, 8N1'),
    ],
  },
};
