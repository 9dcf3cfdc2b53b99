import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { messageOf } from '../../protocol/failures.ts';
import { checker } from '../../protocol/schema.ts';
import { VERSION } from '../../protocol/version.ts';
import { COMPARE_TOOLS } from './compare-tools.ts';
import { CERTIFICATE_TOOLS } from './certificate-tools.ts';
import { DRILL_TOOLS } from './drill-tools.ts';
import { FAULT_TOOLS } from './fault-tools.ts';
import { OBJECT_TOOLS } from './object-tools.ts';
import { PAYMENT_TOOLS } from './payment-tools.ts';
import { SANDBOX_TOOLS } from './sandbox-tools.ts';
import { TERMINAL_TOOLS } from './terminal-tools.ts';
import type { Tool, ToolContext } from './tool.ts';
import { TRACE_TOOLS } from './trace-tools.ts';
import { TRIGGER_TOOLS } from './trigger-tools.ts';
import { WEBHOOK_TOOLS } from './webhook-tools.ts';

const TOOLS: readonly Tool[] = [
  ...PAYMENT_TOOLS,
  ...TERMINAL_TOOLS,
  ...OBJECT_TOOLS,
  ...WEBHOOK_TOOLS,
  ...TRACE_TOOLS,
  ...TRIGGER_TOOLS,
  ...FAULT_TOOLS,
  ...DRILL_TOOLS,
  ...COMPARE_TOOLS,
  ...CERTIFICATE_TOOLS,
  ...SANDBOX_TOOLS,
];

const INSTRUCTIONS =
  'Tapbench is a simulated in-person payments stack: card terminals, a payments API and webhooks. No real money moves. Amounts are integers in minor units. To try something without an effect on other work, create a sandbox and pass its name to the other tools. Lists are short: pass whole for every member.';

/** Creates the MCP server with all tools. The caller connects it to a transport. */
export function createMcpServer(context: ToolContext): McpServer {
  const server = new McpServer(
    { name: 'tapbench', title: 'Tapbench', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  for (const tool of TOOLS) register(server, tool, context);
  return server;
}

function register(server: McpServer, tool: Tool, context: ToolContext): void {
  const { name, title, description, inputSchema, effect } = tool;
  const problemsOf = checker(inputSchema);
  const getValidator = () => (input: unknown) => {
    const problems = problemsOf(input).map(({ path, message }) => `${path} ${message}`.trim());
    return problems.length === 0
      ? { valid: true as const, data: input as never, errorMessage: undefined }
      : { valid: false as const, data: undefined, errorMessage: problems.join('; ') };
  };
  const schema = fromJsonSchema(inputSchema as Parameters<typeof fromJsonSchema>[0], { getValidator });
  const annotations = {
    readOnlyHint: effect === 'read',
    idempotentHint: effect !== 'each time',
    openWorldHint: false,
  };
  server.registerTool(name, { title, description, inputSchema: schema, annotations }, async (inputs) => {
    try {
      const result = await tool.run(context, inputs);
      return {
        content: [{ type: 'text' as const, text: JSON.stringify(result) }],
        structuredContent: { ...result },
      };
    } catch (thrown) {
      return { content: [{ type: 'text' as const, text: messageOf(thrown) }], isError: true };
    }
  });
}
