import { formatMinor } from '../../../protocol/money.ts';
import type { ActionView, FleetTerminal } from '../view.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `75_000` as `1:15`, `3_725_000` as `1:02:05`, a day and more as `1 d 2 h`. Negative is `0:00`. */
export function formatCountdown(ms: number): string {
  const left = Math.max(0, Math.ceil(ms / SECOND_MS)) * SECOND_MS;
  if (left >= DAY_MS) return `${Math.floor(left / DAY_MS)} d ${Math.floor((left % DAY_MS) / HOUR_MS)} h`;
  const two = (count: number) => String(count).padStart(2, '0');
  const seconds = two(Math.floor((left % MINUTE_MS) / SECOND_MS));
  const minutes = Math.floor((left % HOUR_MS) / MINUTE_MS);
  return left >= HOUR_MS
    ? `${Math.floor(left / HOUR_MS)}:${two(minutes)}:${seconds}`
    : `${minutes}:${seconds}`;
}

/** A duration in its two largest units: `7 d 2 h`, `45 s`. */
export function formatDuration(ms: number): string {
  const units = [
    ['d', DAY_MS],
    ['h', HOUR_MS],
    ['min', MINUTE_MS],
    ['s', SECOND_MS],
  ] as const;
  const first = units.findIndex(([, size]) => Math.abs(ms) >= size);
  if (first < 0) return '0 s';
  const [unit, size] = units[first]!;
  const count = Math.floor(Math.abs(ms) / size);
  const next = units[first + 1];
  const rest = next ? Math.floor((Math.abs(ms) % size) / next[1]) : 0;
  return rest > 0 ? `${count} ${unit} ${rest} ${next![0]}` : `${count} ${unit}`;
}

/** A duration below a minute: `3.2 ms`, `41 ms`, `1.4 s`. */
export function formatMilliseconds(ms: number): string {
  if (ms >= SECOND_MS) return `${(ms / SECOND_MS).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** Time since the first entry of a timeline: `+0.412`, `+1:02.412`, or from an hour on `+96 d 2 h`. */
export function formatElapsed(ms: number): string {
  if (ms >= HOUR_MS) return `+${formatDuration(ms)}`;
  const minutes = Math.floor(ms / MINUTE_MS);
  const seconds = ((ms % MINUTE_MS) / SECOND_MS).toFixed(3);
  return minutes > 0 ? `+${minutes}:${seconds.padStart(6, '0')}` : `+${seconds}`;
}

/** Time of day in UTC, as on receipts: `14:05:09`. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

/** Date in UTC: `2026-03-01`. */
export function formatDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function amountOf({ amountMinor, currency }: Pick<ActionView, 'amountMinor' | 'currency'>): string {
  return formatMinor(amountMinor, currency);
}

/** An error code as text: `insufficient_funds` is `insufficient funds`. */
export function codeLabel(code: string): string {
  return code.replaceAll('_', ' ');
}

/** Status of a terminal as short text. */
export function statusText({ online, action }: FleetTerminal): string {
  if (action?.status === 'InProgress') return action.state ?? 'sent';
  if (!online) return 'offline';
  if (!action) return 'ready';
  if (action.status === 'Failed') return action.errorCode ? codeLabel(action.errorCode) : 'failed';
  return action.status === 'Cancelled' ? 'cancelled' : action.type === 'Refund' ? 'refunded' : 'approved';
}

/** Text for screen readers when an action ends or needs input; undefined for any other step. */
export function announcementFor(name: string, action: ActionView): string | undefined {
  const what = `${name}: ${action.type.toLowerCase()} of ${amountOf(action)}`;
  if (action.status === 'Succeeded') return `${what} succeeded`;
  if (action.status === 'Cancelled') return `${what} cancelled`;
  if (action.status === 'Failed') {
    return `${what} failed${action.errorCode ? `, ${codeLabel(action.errorCode)}` : ''}`;
  }
  if (action.merchantCopy === 'Required') return `${what} is waiting for the merchant copy`;
  if (action.customerCopy === 'Required') return `${what} is waiting for the customer copy`;
  return action.state ? `${what}, ${action.state}` : undefined;
}

/** Parses `17.42`, `17,42` or `17` into minor units; undefined for any other text. */
export function parseAmount(text: string): number | undefined {
  const [, units, cents = ''] = /^(\d{1,9})(?:[.,](\d{0,2}))?$/.exec(text.trim()) ?? [];
  if (units === undefined) return undefined;
  return Number(units) * 100 + Number(cents.padEnd(2, '0'));
}

/** Formats minor units without a currency: 1742 as `17.42`. */
export function formatMajorUnits(amountMinor: number): string {
  return (amountMinor / 100).toFixed(2);
}
