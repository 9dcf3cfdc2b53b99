/** A schema of the document, as far as the reference reads it. */
export interface DocumentSchema {
  $ref?: string;
  description?: string;
  properties?: Record<string, DocumentSchema>;
  items?: DocumentSchema;
  anyOf?: DocumentSchema[];
  oneOf?: DocumentSchema[];
  additionalProperties?: DocumentSchema | boolean;
}

export interface DocumentOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: { name: string; description?: string }[];
  requestBody?: DocumentBody;
  responses?: Record<string, DocumentBody & { description?: string }>;
}

interface DocumentBody {
  content?: Record<string, { schema?: DocumentSchema }>;
}

/** The OpenAPI document of the server, as far as the reference reads it. */
export interface OpenApiDocument {
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, DocumentOperation>>;
  components: { schemas: Record<string, DocumentSchema> };
}
