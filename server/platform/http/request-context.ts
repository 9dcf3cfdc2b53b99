import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Services } from '../services.ts';
import { authenticator, type Authenticate } from './auth.ts';

/** What a request is served with: the sandbox that it is for. */
export interface RequestContext<S extends Services = Services> {
  services: S;
  authenticate: Authenticate;
  /** Whether the sandbox is being closed. */
  closing: boolean;
  /** Whether the sandbox is being deleted: its keys are unknown from then on. */
  deleted?: boolean;
  /** Whether a request had an idempotency key that was ignored. */
  ignoredKeySeen?: boolean;
  /** Why the sandbox of the request could not be opened; the request fails with it. */
  fault?: Error;
}

/** Chooses the sandbox of each request that a server receives. */
export interface RequestContexts {
  /** Of the sandbox `default`, which also answers what is for no sandbox. */
  readonly main: RequestContext;
  /**
   * Returns the context of a request: at once, unless its sandbox has to be opened first. It may remove the prefix of a
   * sandbox from the request's URL. Never rejects.
   */
  of(request: IncomingMessage): RequestContext | Promise<RequestContext>;
}

/** Creates the context of the requests to one sandbox. */
export function createContext<S extends Services>(services: S): RequestContext<S> {
  return { services, authenticate: authenticator(services), closing: false };
}

/** Returns the contexts of a server that has one sandbox. */
export function contextsOfOne(main: RequestContext): RequestContexts {
  return { main, of: () => main };
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
