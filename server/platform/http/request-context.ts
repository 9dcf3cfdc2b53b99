import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Services } from '../services.ts';
import type { Authenticate } from './auth.ts';

/** What the server that received a request serves it with. */
export interface RequestContext {
  services: Services;
  authenticate: Authenticate;
  /** Whether the server is being closed. */
  closing: boolean;
}

const CONTEXT = Symbol('context of a request');

type ReceivedRequest = IncomingMessage & { [CONTEXT]?: RequestContext };

/** Sets what a request is served with, before it is routed. */
export function setContext(request: IncomingMessage, context: RequestContext): void {
  (request as ReceivedRequest)[CONTEXT] = context;
}

export function contextOf(request: FastifyRequest): RequestContext {
  return (request.raw as ReceivedRequest)[CONTEXT]!;
}

/** Returns the services of the sandbox that a request is for. */
export function servicesOf(request: FastifyRequest): Services {
  return contextOf(request).services;
}
