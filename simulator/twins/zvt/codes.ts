// Bits and codes of the manual (PA00P015), as the terminal needs them.

/** Service byte (BMP 03) of repeat-receipt (§2.20): the cash register wants the status information. */
export const REPEAT_WITH_STATUS = 0x01;
/** It does not want the receipt printed. */
export const REPEAT_UNPRINTED = 0x02;

/** Service byte of status-enquiry (§2.55): without the software version. */
export const ENQUIRY_UNVERSIONED = 0x02;
/** With a TLV container. */
export const ENQUIRY_WITH_CONTAINER = 0x04;

/** Terminal status code: ready. */
export const STATUS_READY = 0x00;
