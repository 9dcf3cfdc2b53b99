import { DEVICE_CASES } from './device/device-cases.ts';
import { ENDPOINT_CASES } from './endpoint/endpoint-cases.ts';
import { TILL_CASES } from './till/till-cases.ts';

/** The cases of each certificate, by what it is of. */
export const CASES = { endpoint: ENDPOINT_CASES, device: DEVICE_CASES, till: TILL_CASES };
