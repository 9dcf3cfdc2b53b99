import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { DEFAULT_SANDBOX } from '../../protocol/topics.ts';
import { Fault } from '../../protocol/failures.ts';
import { CLIENT_OPTIONS } from '../client/api-client.ts';
import { command } from '../command-line/command.ts';
import { stringOption, urlOption } from '../command-line/option.ts';
import { untilInterrupted } from '../command-line/command-context.ts';
import { createMcpServer } from '../mcp/mcp-server.ts';
import { createToolContext } from '../mcp/tool-context.ts';
import { processLines } from '../hunt/hunt-engine.ts';
import { SHOP_PARTS } from '../hunt/shop-options.ts';
import { COMPARE_KEYS } from './compare.ts';
import { HOST_OPTIONS, hostClient } from './sandbox.ts';
import { printLine } from '../command-line/output.ts';

const { url, secretKey, dataDir, account, sandbox } = CLIENT_OPTIONS;

const SHOP_OPTIONS = {
  shop: stringOption({
    flag: '--shop <line>',
    description:
      'Command line that starts your shop, for the tools play_drill, hunt and certify; it gets TAPBENCH_URL, TAPBENCH_KEY and what it sells in its environment',
    defaultText: 'only built-in shops are played',
  }),
  ...SHOP_PARTS,
};

export const mcp = command({
  name: 'mcp',
  details:
    'Speaks MCP on standard input and output: a coding agent starts it as a child process, and its tools take payments, present cards, read objects, requests and traces, move the clock, trigger events, create sandboxes, add faults, play drills, hunt in your shop and certify it, and compare with another server. It ends when its input does.',
  parameters: {},
  options: {
    url,
    secretKey,
    hostKey: HOST_OPTIONS.hostKey,
    dataDir,
    account,
    sandbox,
    ...SHOP_OPTIONS,
    compareTo: urlOption(['https', 'http'], {
      flag: '--compare-to <url>',
      description: 'Server that the tool compare compares with; its sandbox key is in COMPARE_KEY',
      defaultText: 'there is none to compare with',
    }),
    ...COMPARE_KEYS,
  },
  examples: [
    {
      line: 'claude mcp add tapbench -- npx tapbench mcp',
      description: 'gives the tools to a coding agent',
    },
    {
      line: "claude mcp add tapbench -- npx tapbench mcp --shop 'node shop.js' --sell /orders --books /books",
      description: 'lets it try your shop under faults too',
    },
  ],
  async run({ context, options, optionsNow }) {
    const { input, output } = context.streams;
    if (options.shop === undefined && options.process.length > 0)
      throw new Fault('bad_setting', '--process needs --shop');
    const inputEnded = new Promise<void>((resolve) => input.once('end', resolve).once('close', resolve));
    const tools = createToolContext(context, {
      client: optionsNow,
      host: () => hostClient(optionsNow(DEFAULT_SANDBOX)),
      shop: { ...options, command: options.shop, processes: processLines(options.process) },
      other: {
        to: options.compareTo,
        secretKey: options.compareKey,
        publicKey: options.comparePublicKey,
      },
    });
    const connection = serveStdio(() => createMcpServer(tools), {
      transport: new StdioServerTransport(input, output),
      onerror: (error) => printLine(context.err, `tapbench: ${error.message}`),
    });
    await Promise.race([inputEnded, untilInterrupted(context)]);
    await connection.close();
  },
});
