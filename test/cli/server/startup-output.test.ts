import { expect, test } from 'vitest';
import { printStartup, printStartupJson, type StartupInfo } from '../../../cli/server/startup-output.ts';
import type { StartedServer } from '../../../cli/server/start-server.ts';

function written() {
  const sink = {
    text: '',
    write: (text: string) => void (sink.text += text),
    isTerminal: false,
    colours: false,
  };
  return sink;
}

/** Only what an announcement reads of a server. */
function announcement(started: Partial<StartedServer>, terminals = 1): StartupInfo {
  return {
    started: {
      keys: {
        secretKey: 'sk_sandbox_a',
        publicKey: 'pk_sandbox_a',
        pairingSecret: 'hidden',
        dashboardToken: 'dash_a',
      },
      mode: 'sandbox',
      accounts: { platformId: 'ac_1', subAccountId: 'ac_2' },
      dataDir: '/data',
      services: { settings: { faults: 'on' } } as StartedServer['services'],
      ...started,
    } as StartedServer,
    addresses: {
      url: 'http://127.0.0.1:8080',
      publicUrl: 'http://127.0.0.1:8080',
      mqttUrl: 'mqtt://127.0.0.1:1883',
      mqttWebSocketUrl: 'ws://127.0.0.1:8080/mqtt',
    },
    locationId: 'iploc_1',
    terminals: Array.from({ length: terminals }, (_, at) => ({
      id: `tml_${at + 1}`,
      serialNumber: `SIM-${at + 1}`,
    })),
    webhooks: [],
    exampleTerminalId: 'tml_1',
  };
}

test('printStartupJson: prints addresses, keys and ids on one line', () => {
  const out = written();
  printStartupJson(out, announcement({}));
  expect(out.text.endsWith('\n')).toBe(true);
  expect(out.text.trim()).not.toContain('\n');
  expect(JSON.parse(out.text)).toEqual({
    url: 'http://127.0.0.1:8080',
    publicUrl: 'http://127.0.0.1:8080',
    dashboardUrl: 'http://127.0.0.1:8080/#token=dash_a',
    mqttUrl: 'mqtt://127.0.0.1:1883',
    mqttWebSocketUrl: 'ws://127.0.0.1:8080/mqtt',
    secretKey: 'sk_sandbox_a',
    publicKey: 'pk_sandbox_a',
    accountId: 'ac_1',
    subAccountId: 'ac_2',
    locationId: 'iploc_1',
    terminals: [{ id: 'tml_1', serialNumber: 'SIM-1' }],
    webhooks: [],
    dataDir: '/data',
  });
});

test('printStartup: the dashboard link uses PUBLIC_URL', () => {
  const out = written();
  const given = announcement({});
  printStartupJson(out, {
    ...given,
    addresses: { ...given.addresses, publicUrl: 'https://tapbench.example' },
  });
  expect(JSON.parse(out.text)).toMatchObject({
    url: 'http://127.0.0.1:8080',
    dashboardUrl: 'https://tapbench.example/#token=dash_a',
  });
});

test('printStartup: prints a command that takes a payment', () => {
  const out = written();
  printStartup(out, announcement({}));
  expect(out.text).toContain(
    `  curl http://127.0.0.1:8080/v1/in-person/terminals/tml_1/payment -H 'Authorization: sk_sandbox_a' -d '{"amounts":{"requested":1742},"currency":"GBP"}'\n`,
  );
  expect(out.text).toContain('  Dashboard   http://127.0.0.1:8080/#token=dash_a\n');
  expect(out.text).toContain('tml_1  SIM-1');
  expect(out.text).not.toContain('hidden');
});

test('printStartup: shows only the number of many terminals', () => {
  const out = written();
  printStartup(out, announcement({}, 200));
  expect(out.text.match(/tml_\d+ {2}SIM/g)).toHaveLength(5);
  expect(out.text).toContain('and 195 more');
});

test('printStartup: never shows live keys', () => {
  const live = {
    mode: 'live',
    keys: {
      secretKey: 'sk_live_a',
      publicKey: 'pk_live_a',
      pairingSecret: 'hidden',
      dashboardToken: 'dash_hidden',
    },
  } as const;
  const out = written();
  printStartup(out, announcement(live));
  printStartupJson(out, announcement(live));
  expect(out.text).not.toMatch(/_live_|hidden/);
  expect(out.text).not.toContain('curl');
});
