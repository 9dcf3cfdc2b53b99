import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { asyncApiDocument, asyncApiText } from '../../protocol/asyncapi.ts';
import { ALL_MESSAGES } from '../../protocol/messages.ts';
import { VERSION } from '../../protocol/version.ts';

interface Document {
  channels: Record<
    string,
    { address: string; parameters?: object; messages: Record<string, { $ref: string }> }
  >;
  operations: Record<
    string,
    {
      action: string;
      channel: { $ref: string };
      messages: { $ref: string }[];
      bindings: { mqtt: { qos: number; retain: boolean } };
    }
  >;
  components: { messages: Record<string, { name: string; payload: unknown }> };
}

const text = asyncApiText(VERSION);
const document = JSON.parse(text) as Document;

test('asyncApiText: docs/asyncapi.json is up to date (npm run docs)', () => {
  const kept = readFileSync(new URL('../../docs/asyncapi.json', import.meta.url), 'utf8');
  expect(kept).toBe(text);
});

test('asyncApiDocument: contains every message once with topic, direction and QoS', () => {
  for (const message of ALL_MESSAGES) {
    const direction = message.channel === 'commands' ? 'receive' : 'send';
    const operation = document.operations[`${direction}.${message.name}`]!;
    expect(operation.bindings.mqtt).toMatchObject({ qos: message.qos, retain: message.retain });
    expect(operation.channel.$ref).toBe(`#/channels/${message.name}`);
    const { address } = document.channels[message.name]!;
    expect(address).toBe(
      `tapbench/${message.audience}/{terminalId}/${message.channel}/${message.name.replace('.', '-')}`,
    );
  }
  expect(Object.keys(document.operations)).toHaveLength(ALL_MESSAGES.length + 1);
  expect(document.channels['clock']!.address).toBe('tapbench/clock');
});

test('asyncApiDocument: every reference resolves', () => {
  const references = [...text.matchAll(/"\$ref": "#\/([^"]+)"/g)].map((match) => match[1]!);
  expect(references.length).toBeGreaterThan(3 * ALL_MESSAGES.length);
  for (const reference of references) {
    const target = reference
      .split('/')
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
    expect([reference, target !== undefined]).toEqual([reference, true]);
  }
});

test('asyncApiDocument: declares exactly the parameters of each address', () => {
  for (const { address, parameters = {} } of Object.values(document.channels)) {
    const braces = [...address.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(Object.keys(parameters)).toEqual(braces);
  }
});

test('asyncApiDocument: its payloads are the schemas that validate messages', () => {
  const built = asyncApiDocument(VERSION) as unknown as Document;
  for (const message of ALL_MESSAGES) {
    expect(built.components.messages[message.name]!.payload).toBe(message.body);
  }
});

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** Paths of the properties of a schema, at any depth, without a description. */
function undescribedProperties(schema: Schema, path: string): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    ...(property.description === undefined ? [`${path}.${name}`] : []),
    ...undescribedProperties(property, `${path}.${name}`),
  ]);
  const inner = [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])];
  return [...own, ...inner.flatMap((part) => undescribedProperties(part, path))];
}

test('AsyncAPI document: every property of a message is described where it is declared', () => {
  const undescribed = Object.values(document.components.messages).flatMap(({ name, payload }) =>
    undescribedProperties(payload as Schema, name),
  );
  expect(undescribed).toEqual([]);
});
