import { existsSync, readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { freePort } from '../../kit/free-port.ts';
import { untilPrinted, type ExampleRow, type ExampleRows } from './example-row.ts';
import type { Stage } from './stage.ts';

const SERIAL = '1853012345';

/** Registers the terminal that the examples name, which nothing simulates. */
async function registerTerminal({ api }: Stage): Promise<void> {
  const { items } = await api('GET', '/v1/in-person/locations');
  await api('POST', '/v1/in-person/terminals', { serialNumber: SERIAL, locationId: items[0].id });
}

/** Starts a twin with a card in the folder, and returns the path of its line. */
async function plugIn({ type, folder }: Stage): Promise<string> {
  const link = join(folder, 'ttyReader');
  await type(`tapbench twin pn532 --link ${link} --card visa-contactless`).child.prints(/Ctrl-C stops it/);
  return link;
}

/** Starts the twin of a receipt printer, and returns its address. */
async function plugInPrinter({ type }: Stage): Promise<string> {
  const printed = await type('tapbench twin escpos --tcp 0').child.prints(/(tcp:\S+), .*Ctrl-C stops it/);
  return printed[1]!;
}

/** Lets a terminal with a reader take a payment, and presses Control-C once its receipt is printed. */
const untilPaid: ExampleRow['meanwhile'] = async ({ api }, { child, interrupt }) => {
  await child.prints(/Ready/);
  const [, id] = /terminal (tml_\w+), /.exec(child.stderr)!;
  const body = { amounts: { requested: 1742 }, currency: 'GBP' };
  await api('POST', `/v1/in-person/terminals/${id}/payment`, body);
  await child.prints(/CUSTOMER COPY/);
  interrupt();
};

const AT_TERMINAL = /terminal tml_\w+, /;

/** Writes a program that holds a card to the terminal, as a laboratory has one. */
function writeLab({ write, server: { url }, sandbox: { secretKey } }: Stage): void {
  const call = `fetch(\`${url}/sandbox/terminals/\${process.env.TAPBENCH_TERMINAL}/present-card\`, {
  method: 'POST',
  headers: { authorization: '${secretKey}', 'content-type': 'application/json' },
  body: JSON.stringify({ card: 'visa-contactless' }),
})`;
  write('lab.mjs', `const { ok } = await ${call};\nprocess.exit(ok && process.argv[2] === 'tap' ? 0 : 1);\n`);
}

export const TERMINAL_ROWS: ExampleRows = {
  'tapbench certify device SIM-0001 --only device.payment,device.twice.start': {
    stdout: /^passed +device\.payment: .*\npassed +device\.twice\.start: .*\n2 passed, \d+ not tried; /,
    after: ({ read }) => expect(read('certificate/certificate.html')).toContain('protocol.start.twice'),
  },
  "tapbench certify device SIM-0001 --operate 'node lab.mjs' --only device.payment": {
    prepare: writeLab,
    stdout: /^passed +device\.payment: .*\n1 passed, \d+ not tried; /,
  },
  'tapbench terminals': { stdout: /^ID +SERIAL .*\ntml_\w+ +SIM-0001 .* online +-\n$/ },
  'tapbench terminals add --serial SIM-0002': { stdout: /^tml_\w+ {2}SIM-0002 {2}/ },
  'tapbench locations': { stdout: /^ID .*\niploc_\w+ / },
  "tapbench locations add 'South Hall'": { stdout: /^iploc_\w+ {2}South Hall {2}/ },
  "tapbench locations add 'Leeds Shop' --line-one '1 High Street' --city Leeds --postal-code 'LS1 1AA'": {
    stdout: /^iploc_\w+ {2}Leeds Shop {2}1 High Street, .*Leeds/,
  },
  'tapbench locations delete iploc_01J...': {
    async prepare({ run }) {
      const { stdout } = await run("tapbench locations add 'South Hall'");
      return { 'iploc_01J...': /^iploc_\w+/.exec(stdout)![0] };
    },
    stdout: /^iploc_\w+ deleted\n$/,
  },
  'tapbench agent --terminal 1853012345': {
    prepare: registerTerminal,
    meanwhile: untilPrinted(/Ready/),
    stdout: /Ready/,
  },
  'tapbench agent --credentials till-2.json --url http://10.0.0.5:8080': {
    alone: true,
    async prepare(stage) {
      await registerTerminal(stage);
      const { dataDir } = stage.server;
      const environment = `DATA_DIR='${dataDir}' TAPBENCH_SANDBOX=${stage.sandbox.name}`;
      await stage.run(`${environment} tapbench pair ${SERIAL} --out till-2.json`);
      return { 'http://10.0.0.5:8080': stage.server.url };
    },
    meanwhile: untilPrinted(/Ready/),
    stdout: /Ready/,
    // The other machine has no key of the server.
    stderr: /^\S+ +warn +no control link: .*\n$/,
  },
  'tapbench agent --driver pn532 --port /dev/ttyUSB0': {
    prepare: async (stage) => ({ '/dev/ttyUSB0': await plugIn(stage) }),
    meanwhile: untilPaid,
    stdout: /CUSTOMER COPY/,
    stderr: AT_TERMINAL,
  },
  'tapbench agent --terminal 1853012345 --printer tcp://192.168.1.50': {
    async prepare(stage) {
      await registerTerminal(stage);
      return { 'tcp://192.168.1.50': await plugInPrinter(stage) };
    },
    meanwhile: untilPrinted(/Ready/),
    stdout: /Ready/,
  },
  'tapbench agent --driver pn532 --port ./ttyReader': {
    prepare: async (stage) => void (await plugIn(stage)),
    meanwhile: untilPaid,
    stdout: /CUSTOMER COPY/,
    stderr: AT_TERMINAL,
  },
  'tapbench sim --terminals 200': {
    meanwhile: untilPrinted(/^200 terminals online; Ctrl-C stops them$/m),
    stdout: /^200 terminals online; Ctrl-C stops them\n$/,
    stderr: /^(\d+ of 200 terminals online.*\n)*$/,
  },
  'tapbench sim --cardholder none': {
    meanwhile: untilPrinted(/^10 terminals online; Ctrl-C stops them$/m),
    stdout: /^10 terminals online; Ctrl-C stops them\n$/,
    stderr: /^(\d+ of 10 terminals online.*\n)*$/,
  },
  'tapbench watch': { meanwhile: untilPrinted(/SIM-0001/), stdout: /SIM-0001/ },
  'tapbench watch | grep SIM-0001': {
    // In a window `grep` prints each line as it comes, and Control-C ends it before it can return a code of its own.
    window: true,
    meanwhile: untilPrinted(/SIM-0001/),
    code: 130,
    stdout: /SIM-0001/,
  },
  'tapbench pair 1853012345 --out till-2.json': {
    prepare: registerTerminal,
    stderr: /^credentials of tml_\w+ written to till-2\.json\n$/,
    after: ({ read }) => expect(JSON.parse(read('till-2.json'))).toHaveProperty('password'),
  },
  'tapbench readers': {
    stdout: /^(No serial port and no PC\/SC reader is plugged in\.|PORT +USB ID)/,
    // The tests with a smart card service run it on the same machine, so that it may run here or not.
    stderr: /^(No PC\/SC readers: .*\n)?$/,
  },
  'tapbench doctor /dev/ttyUSB0 --driver pn532': {
    prepare: async (stage) => ({ '/dev/ttyUSB0': await plugIn(stage) }),
    stdout: /^(ok {4}.*\n)+$/,
  },
  'tapbench doctor tcp://192.168.1.50 --printer': {
    prepare: async (stage) => ({ 'tcp://192.168.1.50': await plugInPrinter(stage) }),
    stdout: /^(ok {4}.*\n){3}$/,
  },
  'tapbench doctor --replay pn532.json': {
    prepare: async (stage) => {
      const line = `tapbench doctor ${await plugIn(stage)} --driver pn532 --save pn532.json`;
      await stage.run(line);
    },
    stdout: /\nidentical: 6 steps, \d+ answers\n$/,
  },
  'tapbench udev | sudo tee /etc/udev/rules.d/70-tapbench.rules && sudo udevadm control --reload && sudo udevadm trigger':
    {
      prepare: ({ folder }) => ({ '/etc/udev/rules.d/70-tapbench.rules': join(folder, 'rules') }),
      stdout: /^SUBSYSTEM=="tty", .*TAG\+="uaccess"/m,
      after({ read, calls, folder }, { stdout }) {
        expect(read('rules')).toBe(stdout);
        expect(calls()).toEqual([
          `sudo tee ${folder}/rules`,
          'sudo udevadm control --reload',
          'udevadm control --reload',
          'sudo udevadm trigger',
          'udevadm trigger',
        ]);
      },
    },
  'tapbench twin pn532 --link ./ttyReader --card visa-contactless': {
    meanwhile: untilPrinted(/ at \.\/ttyReader, .* present\..*Ctrl-C stops it/),
    stdout: / at \.\/ttyReader, .* present\./,
    after: ({ folder }) => expect(existsSync(join(folder, 'ttyReader'))).toBe(false),
  },
  'tapbench twin ccid --card visa-contact-pin': {
    meanwhile: untilPrinted(/ at \.\/ttyReader, .* present\..*Ctrl-C stops it/),
    stdout: / at \.\/ttyReader, .* present\./,
  },
  'tapbench twin zvt --tcp 20007': {
    prepare: async () => ({ 20007: String(await freePort()) }),
    meanwhile: untilPrinted(/ at tcp:\/\/127\.0\.0\.1:\d+, .*Ctrl-C stops it/),
    stdout: / at tcp:\/\/127\.0\.0\.1:\d+, /,
  },
  'tapbench twin caisse-ap --tcp 8888': {
    prepare: async () => ({ 8888: String(await freePort()) }),
    meanwhile: untilPrinted(/ at tcp:\/\/127\.0\.0\.1:\d+, .*Ctrl-C stops it/),
    stdout: / at tcp:\/\/127\.0\.0\.1:\d+, /,
  },
  'tapbench twin escpos --link ./ttyPrinter': {
    meanwhile: untilPrinted(/ at \.\/ttyPrinter, paper enough, .*Ctrl-C stops it/),
    stdout: / at \.\/ttyPrinter, paper enough, cover closed\./,
    after: ({ folder }) => expect(existsSync(join(folder, 'ttyPrinter'))).toBe(false),
  },
  "tapbench twin escpos --tcp 9101 --out receipts --fault 'paper-out after cut 1'": {
    prepare: async () => ({ 9101: String(await freePort()) }),
    meanwhile: untilPrinted(/^ESC\/POS receipt printer at tcp:.*Ctrl-C stops it/),
    stdout: / at tcp:\/\/127\.0\.0\.1:\d+, paper enough, cover closed\./,
    after: ({ folder }) => expect(existsSync(join(folder, 'receipts'))).toBe(true),
  },
  'sudo npx tapbench broker-acl mosquitto --out /etc/mosquitto/conf.d --owner mosquitto': {
    prepare: ({ folder }) => ({
      '/etc/mosquitto/conf.d': join(folder, 'conf.d'),
      mosquitto: userInfo().username,
    }),
    stderr: /^3 files for \d+ users in \S+\n(\d+ terminals are not included: .*\n)?$/,
    after: ({ folder, calls }) => {
      expect(readdirSync(join(folder, 'conf.d'))).toHaveLength(3);
      expect(calls()).toEqual([expect.stringMatching(/^sudo npx tapbench broker-acl mosquitto /)]);
    },
  },
};
