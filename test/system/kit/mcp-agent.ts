import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { join } from 'node:path';
import type { SystemFixture } from './system-fixture.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const PROGRAM = join(import.meta.dirname, '../../../dist/cli/main.js');

interface AgentParts {
  env: Record<string, string>;
  cwd?: string | undefined;
  /** Options of the command. */
  options?: readonly string[];
}

/** Starts `tapbench mcp` as a coding agent does. */
export async function startAgent(fixture: SystemFixture, { env, cwd, options = [] }: AgentParts) {
  const client = new Client({ name: 'agent', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', ...options],
    ...(cwd !== undefined && { cwd }),
    env,
    stderr: 'pipe',
  });
  await client.connect(transport);
  fixture.onCleanUp(() => client.close());
  const use = async (name: string, inputs: object = {}): Promise<Json> => {
    const { structuredContent, isError, content } = await client.callTool(
      { name, arguments: { ...inputs } },
      { timeout: 110_000 },
    );
    return isError ? { error: (content as { text: string }[])[0]!.text } : structuredContent;
  };
  return { client, use };
}
