import type { Method } from '../client/api-client.ts';

/** A value of a request body. A text may have references: `fillReferences` replaces them. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };

export type Operation = `${Method} /${string}`;

interface StepBase {
  /** Names the step for `--set name:member=value`, and its reply for references of later steps. */
  name: string;
  /** The account that the step acts for; that of the caller unless given. May have references. */
  account?: string;
}

/** Sends a request. Its path and its body may have references. */
export interface RequestStep extends StepBase {
  request: Operation;
  body?: { readonly [member: string]: Json };
}

/** Reads an object again and again until it has these members. */
export interface WaitStep extends StepBase {
  wait: `GET /${string}`;
  until: Record<string, Json>;
}

/** Reads a list; the reply of the step is the first item with these members. */
export interface FindStep extends StepBase {
  find: `GET /${string}`;
  where: Record<string, Json>;
  /** What the error says when there is none. */
  missing: string;
}

/** Advances the clock of the sandbox to a reference to a timestamp, in seconds. */
export interface AdvanceStep extends StepBase {
  advanceTo: string;
}

export type Step = RequestStep | WaitStep | FindStep | AdvanceStep;

/** The requests that make an event type happen, in order. */
export interface TriggerPath {
  steps: readonly Step[];
  /** Name of the step that creates the object of the event: members without the name of a step are for its body. */
  main: string;
  /** Reference to an id in the data of the event; that of the main object unless given. */
  about?: string;
  /** Account that the event belongs to, with references: the holder of the key or that of the main step unless given. */
  owner?: string;
}
