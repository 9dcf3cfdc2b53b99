import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FaultName } from '../../view.ts';
import { nextCell } from '../fleet/tile-grid.ts';
import { matchingNames } from './fault-values.ts';

interface MemberFieldProps {
  label: string;
  /** What it is, in words. */
  text: string;
  example: string;
  isNumber: boolean;
  /** The names to choose from; any may be typed. */
  names: readonly FaultName[] | undefined;
  /** What is wrong with its value. */
  problem: string | undefined;
  value: string;
  change: (value: string) => void;
}

/** A member of a fault: its field, the names that it offers, what it is in a sentence, and what is wrong with its value. */
export function MemberField(props: MemberFieldProps) {
  const { label, text, example, isNumber, names = [], problem, value, change } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (problem === undefined) return;
    input.current?.focus();
    input.current?.scrollIntoView({ block: 'center' });
  }, [problem]);
  const { list, attributes } = useNameList({ id, label, value, names, change });
  return (
    <div class="field member-field">
      <label for={id}>{label}</label>
      <div class="name-place">
        <input
          type="text"
          class="mono"
          ref={input}
          id={id}
          aria-describedby={problem === undefined ? `${id}-about` : `${id}-problem ${id}-about`}
          aria-invalid={problem !== undefined}
          {...(isNumber && { inputMode: 'numeric' })}
          autocomplete="off"
          spellcheck={false}
          placeholder={example}
          value={value}
          onInput={(event) => change(event.currentTarget.value)}
          {...attributes}
        />
        {list}
      </div>
      <p id={`${id}-problem`} class="bad-words" role="alert">
        {problem}
      </p>
      <p id={`${id}-about`} class="field-note">
        {text.replaceAll('`', '')}.
      </p>
    </div>
  );
}

interface NameListProps {
  id: string;
  label: string;
  value: string;
  names: readonly FaultName[];
  change: (value: string) => void;
}

/** Returns the list of the names that fit what was typed, and the attributes of its input, by which keys reach it. */
function useNameList({ id, label, value, names, change }: NameListProps) {
  const [isOpen, setIsOpen] = useState(false);
  // -1 while none is active.
  const [active, setActive] = useState(-1);
  const list = useRef<HTMLUListElement>(null);
  const fitting = matchingNames(names, value);
  const isShown = isOpen && fitting.length > 0;
  useEffect(() => {
    if (isShown) (list.current!.children[active] ?? list.current!).scrollIntoView({ block: 'nearest' });
  }, [isShown, active]);
  if (names.length === 0) return { list: null, attributes: {} };
  const open = (at: number) => {
    setIsOpen(true);
    setActive(at);
  };
  const close = () => setIsOpen(false);
  const choose = (name: string) => {
    change(name);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      const count = fitting.length;
      if (!isShown) open(key === 'ArrowDown' ? 0 : count - 1);
      else setActive(active < 0 ? 0 : nextCell(key, active, { count, columns: 1 }));
    } else if (key === 'Enter' && isShown && fitting[active]) {
      event.preventDefault();
      choose(fitting[active].name);
    } else if (key === 'Escape' && isShown) {
      event.preventDefault();
      close();
    }
  };
  const attributes = {
    role: 'combobox' as const,
    'aria-autocomplete': 'list' as const,
    'aria-expanded': isShown,
    'aria-controls': `${id}-names`,
    ...(isShown && active >= 0 && { 'aria-activedescendant': `${id}-${active}` }),
    onKeyDown,
    onClick: () => open(-1),
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      change(currentTarget.value);
      open(-1);
    },
    onBlur: close,
  };
  return {
    attributes,
    list: (
      <ul ref={list} id={`${id}-names`} class="name-list" role="listbox" aria-label={label} hidden={!isShown}>
        {isShown &&
          fitting.map((each, index) => (
            <NameOption
              key={each.name}
              {...each}
              id={`${id}-${index}`}
              isActive={index === active}
              choose={choose}
            />
          ))}
      </ul>
    ),
  };
}

interface NameOptionProps extends FaultName {
  id: string;
  isActive: boolean;
  choose: (name: string) => void;
}

function NameOption({ id, name, text, isActive, choose }: NameOptionProps) {
  return (
    <li
      id={id}
      role="option"
      aria-selected={isActive}
      // The field keeps the focus.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => choose(name)}
    >
      <b class="mono">{name}</b>
      {text !== '' && <span>{text}</span>}
    </li>
  );
}
