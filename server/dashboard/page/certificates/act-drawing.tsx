import type { ComponentChildren } from 'preact';

/** Of a wireless network, beside the device. */
const WAVES = 'M93 75a12 12 0 0 1 17 0M88 67a20 20 0 0 1 27 0M101.5 84h.01';

/** What is drawn over the device for each act, in a field of 120 by 120. */
const DRAWINGS: Record<string, ComponentChildren> = {
  tap: (
    <>
      <Card at="translate(22 16) rotate(-10)" />
      <path d="M84 14a20 20 0 0 1 0 26M92 8a30 30 0 0 1 0 38M100 3a40 40 0 0 1 0 49" />
    </>
  ),
  insert: <path d="M100 108V84M92 92l8-9 8 9" />,
  pin: (
    <>
      <path d="M50 40h.01M60 40h.01M70 40h.01" class="drawn-dots" />
      <circle cx="60" cy="72" r="8" />
      <path d="M60 76v24c0 8 6 12 14 12h10c8 0 12-6 12-14V88c0-4-5-6-8-3-1-5-7-6-9-2-2-4-8-4-9 1" />
    </>
  ),
  remove: <path d="M100 82v25M92 99l8 9 8-9" />,
  cancel: (
    <>
      <circle cx="50" cy="86" r="10" class="drawn-bad" />
      <path d="M46 82l8 8M54 82l-8 8" class="drawn-bad" />
      <path d="M24 112c4-10 10-16 18-20M34 90l9 1-2 9" />
    </>
  ),
  unreadable: (
    <>
      <Card at="translate(22 16) rotate(-10)" />
      <path d="M86 20c0-6 5-10 10-10s10 4 10 9c0 7-10 7-10 14M96 42h.01" class="drawn-bad" />
    </>
  ),
  declines: (
    <>
      <Card at="translate(22 16) rotate(-10)" />
      <path d="M86 12l20 20M106 12L86 32" class="drawn-bad" />
    </>
  ),
  'power-cut': (
    <>
      <path d="M60 98v8c0 4-3 6-7 6H38M14 112h8M22 106v12h8c4 0 6-3 6-6s-2-6-6-6zM22 109h-7M22 115h-7" />
      <path d="M100 60L88 80h10l-6 18" class="drawn-bad" />
      <path d="M82 66l28 26" class="drawn-bad" />
    </>
  ),
  'power-on': (
    <>
      <path d="M60 98v8c0 4-3 6-7 6H12" />
      <path d="M101 58L90 80h11l-7 20" class="drawn-good" />
    </>
  ),
  'network-off': (
    <>
      <path d={WAVES} class="drawn-off" />
      <path d="M89 86l24-30" class="drawn-bad" />
    </>
  ),
  'network-on': <path d={WAVES} class="drawn-good" />,
  'paper-out': (
    <>
      <path d="M47 22V8h26v14" class="drawn-off" />
      <path d="M92 40V14M84 22l8-9 8 9" />
    </>
  ),
  'paper-in': (
    <>
      <path d="M47 22V4l4 3 4-3 5 3 4-3 5 3 4-3v18" class="drawn-good" />
      <path d="M92 12v26M84 30l8 9 8-9" />
    </>
  ),
  'pair-again': <path d="M90 66a12 12 0 0 1 22-5M112 74a12 12 0 0 1-22 5M113 52v9h-9M89 88v-9h9" />,
};

/** Where a card is that is partly in the device. */
const CARDS_IN: Record<string, string> = { insert: 'translate(34 80)', remove: 'translate(34 86)' };

/** A card of 52 by 32. */
function Card({ at, isChip = false }: { at: string; isChip?: boolean }) {
  return (
    <g transform={at} class="drawn-card">
      <rect width="52" height="32" rx="4" />
      {isChip ? <rect x="20" y="20" width="12" height="8" rx="2" /> : <path d="M0 9h52" />}
    </g>
  );
}

/** A drawing of what is to be done at a device. Its words are beside it. */
export function ActDrawing({ act }: { act: string }) {
  return (
    <svg class="act-drawing" viewBox="0 0 120 120" aria-hidden="true">
      {Object.hasOwn(CARDS_IN, act) && (
        <g class="drawn-act">
          <Card at={CARDS_IN[act]!} isChip />
        </g>
      )}
      <rect x="38" y="22" width="44" height="76" rx="8" class="drawn-device" />
      <rect x="45" y="30" width="30" height="20" rx="3" class="drawn-device" />
      <path
        d="M50 62h.01M60 62h.01M70 62h.01M50 73h.01M60 73h.01M70 73h.01M50 84h.01M60 84h.01M70 84h.01"
        class="drawn-device drawn-dots"
      />
      <g class="drawn-act">{Object.hasOwn(DRAWINGS, act) && DRAWINGS[act]}</g>
    </svg>
  );
}
