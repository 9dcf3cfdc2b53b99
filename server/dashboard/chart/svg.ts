import type { Point } from './chart.ts';

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for XML and removes characters that XML does not allow, such as control characters. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter]!);
}

export function attribute(name: string, value: string): string {
  return ` ${name}="${escapeXml(value)}"`;
}

const BEND = 8;
const TIP_LENGTH = 9;
const TIP_HALF = 4.5;

/** Returns the path through the points with rounded corners; it ends where the arrowhead begins. */
export function roundedLine(points: Point[]): string {
  const all = withoutTip(points);
  const [first, ...rest] = all;
  if (!first) return '';
  const parts = [`M${at(first)}`];
  rest.forEach((point, index) => {
    const next = rest[index + 1];
    if (!next) return parts.push(`L${at(point)}`);
    const before = index === 0 ? first : rest[index - 1]!;
    const bend = Math.min(BEND, distance(before, point) / 2, distance(point, next) / 2);
    return parts.push(`L${at(towards(point, before, bend))}Q${at(point)} ${at(towards(point, next, bend))}`);
  });
  return parts.join('');
}

/** Returns the arrowhead at the last of the points. */
export function tipAt(points: Point[]): string {
  const [before, end] = points.slice(-2);
  if (!before || !end) return '';
  const base = towards(end, before, TIP_LENGTH);
  const length = distance(before, end) || 1;
  const [aside, along] = [((end.y - before.y) / length) * TIP_HALF, ((end.x - before.x) / length) * TIP_HALF];
  return `M${at(end)}L${at({ x: base.x + aside, y: base.y - along })}L${at({ x: base.x - aside, y: base.y + along })}Z`;
}

function withoutTip(points: Point[]): Point[] {
  const [before, end] = points.slice(-2);
  if (!before || !end) return [];
  return [...points.slice(0, -1), towards(end, before, Math.min(TIP_LENGTH - 1, distance(before, end)))];
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function towards(from: Point, to: Point, length: number): Point {
  const part = length / (distance(from, to) || 1);
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

function at({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}
