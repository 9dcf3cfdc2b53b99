/** Where a PIN is typed beside a reader that has no keys. What is typed goes to the reader module and no further. */
export interface PinPad {
  /** Resolves with the digits (4 to 12, ISO 9564-1), or `cancelled`; undefined when `signal` is aborted first. */
  askPin(signal: AbortSignal): Promise<{ digits: string } | 'cancelled' | undefined>;
  /** Called when the cancel key is pressed while no PIN is asked for. One listener. */
  onCancel(listener: () => void): void;
}
