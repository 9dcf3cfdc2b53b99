import { useId, useRef, useEffect } from 'preact/hooks';
import { signal } from '@preact/signals';
import type { OfferedCard } from '../../view.ts';
import { nextCell } from '../fleet/tile-grid.ts';
import { Icon } from '../parts/icons.tsx';
import { ENTRY_METHODS, entryModeFor } from './cardholder.ts';
import { after, type Timer } from '../../../../protocol/clock.ts';
import { useDashboard } from '../dashboard.ts';
import { pageClock } from '../time.ts';

interface CardPickerProps {
  cards: readonly OfferedCard[];
  card: OfferedCard | undefined;
  choose: (name: string) => void;
}

/** The selected card; opens a list of all cards, each with its name for `present-card` and the ways to present it. */
export function CardPicker({ cards, card, choose }: CardPickerProps) {
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const shown = card?.title ?? 'No cards available';
  const pick = (name: string) => {
    choose(name);
    list.current!.hidePopover();
    button.current!.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="card-picker"
        aria-haspopup="listbox"
        aria-label={`Card: ${shown}`}
        popovertarget={id}
        disabled={cards.length === 0}
      >
        <span class="clip">{shown}</span>
        <Icon name="chevron" />
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        class="card-list"
        role="listbox"
        aria-label="Cards"
        onBeforeToggle={() => positionList(list.current!, button.current!)}
        onToggle={(event) => {
          if (event.newState === 'open')
            list.current!.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
        }}
        onKeyDown={(event) => moveFocus(event, list.current!)}
      >
        {cards.map((one) => (
          <button
            key={one.name}
            type="button"
            role="option"
            aria-selected={one === card}
            tabIndex={one === card ? 0 : -1}
            onClick={() => pick(one.name)}
          >
            <span class="card-title">
              {one.title} <span class="card-name mono">{one.name}</span>
            </span>
            {ENTRY_METHODS.filter((method) => entryModeFor(one, method)).map(({ name, icon }) => (
              <span key={name} class="card-mode" title={name}>
                <Icon name={icon} size={14} />
                <span class="unseen">{name}</span>
              </span>
            ))}
          </button>
        ))}
      </div>
    </>
  );
}

const GAP = 4;
const EDGE = 12;

/** Positions the list above the button or below it, whichever has more room, and within the window. */
function positionList(list: HTMLElement, button: HTMLElement): void {
  const { left, top, bottom } = button.getBoundingClientRect();
  const above = top > innerHeight - bottom;
  list.style.left = `${Math.min(left, Math.max(EDGE, innerWidth - 420 - EDGE))}px`;
  list.style.top = above ? 'auto' : `${bottom + GAP}px`;
  list.style.bottom = above ? `${innerHeight - top + GAP}px` : 'auto';
  list.style.maxHeight = `${(above ? top : innerHeight - bottom) - GAP - EDGE}px`;
}

function moveFocus(event: KeyboardEvent, list: HTMLElement): void {
  const options = [...list.querySelectorAll<HTMLElement>('[role=option]')];
  const from = options.findIndex((option) => option === event.target);
  const to = nextCell(event.key, from, { count: options.length, columns: 1 });
  if (from < 0 || to === from) return;
  event.preventDefault();
  options[to]!.focus();
}

const cards = signal<readonly OfferedCard[]>([]);

const RETRY_MS = 2_000;

/** The test cards of the connected simulators; none until one has connected, which may come after the page. */
export function useCards(): readonly OfferedCard[] {
  const { api, link } = useDashboard();
  const missing = link.value.kind === 'online' && cards.value.length === 0;
  useEffect(() => {
    if (!missing) return undefined;
    let stopped = false;
    let timer: Timer | undefined;
    const load = async () => {
      const answer = await api.get<{ cards: OfferedCard[] }>('/dashboard/cards');
      if (answer.ok && answer.body.cards.length > 0) cards.value = answer.body.cards;
      else if (!stopped) timer = after(pageClock, RETRY_MS, () => void load());
    };
    void load();
    return () => {
      stopped = true;
      timer?.cancel();
    };
  }, [missing]);
  return cards.value;
}
