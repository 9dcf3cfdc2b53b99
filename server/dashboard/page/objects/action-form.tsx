import { useState } from 'preact/hooks';
import { formatMinor } from '../../../../protocol/money.ts';
import { formatMajorUnits, parseAmount } from '../format.ts';
import type { ActionField, ObjectAction } from './stored-object.ts';

interface ActionFormProps {
  action: ObjectAction;
  busy: boolean;
  /** Why the last request was refused. */
  problem: string | undefined;
  onSend: (body: object) => void;
  onClose: () => void;
}

/** The members of an action's body that the user chooses. */
export function ActionForm({ action, busy, problem, onSend, onClose }: ActionFormProps) {
  const [values, setValues] = useState<FieldValues>(() => initialValues(action));
  const [tried, setTried] = useState(false);
  const body = actionBody(action, values);
  // The refusal of the server has amounts in minor units.
  const tooMuch = tried ? amountProblem(action.fields, values) : undefined;
  return (
    <form
      class="object-action"
      aria-label={action.label}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (body && amountProblem(action.fields, values) === undefined) onSend(body);
      }}
    >
      {action.fields.map((field) => (
        <Field
          key={field.member}
          field={field}
          value={values[field.member] ?? ''}
          change={(value) => setValues({ ...values, [field.member]: value })}
        />
      ))}
      <div class="object-action-end">
        <button class="primary" disabled={busy || body === undefined} aria-busy={busy}>
          {busy ? 'Sending…' : action.label}
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
        <p class="bad-words" role="alert">
          {tooMuch ?? problem}
        </p>
      </div>
    </form>
  );
}

function initialValues({ fields }: ObjectAction): FieldValues {
  return Object.fromEntries(
    fields.map(({ member, type, maximum, required, options }) => {
      if (type === 'amount' && maximum !== undefined) return [member, formatMajorUnits(maximum)];
      return [member, type === 'choice' && required ? (options?.[0] ?? '') : ''];
    }),
  );
}

interface FieldProps {
  field: ActionField;
  value: string;
  change: (value: string) => void;
}

function Field({ field, value, change }: FieldProps) {
  const { type, label, required, options = [], optionLabels = options, maximum, currency } = field;
  const onInput = (event: { currentTarget: { value: string } }) => change(event.currentTarget.value);
  if (type === 'boolean')
    return (
      <label class="object-action-check">
        <input
          type="checkbox"
          checked={value === 'true'}
          onChange={(event) => change(event.currentTarget.checked ? 'true' : '')}
        />
        {label}
      </label>
    );
  if (type === 'choice')
    return (
      <label class="field">
        {label}
        <select value={value} onChange={onInput}>
          {!required && <option value="">Default</option>}
          {options.map((option, index) => (
            <option key={option} value={option}>
              {optionLabels[index]}
            </option>
          ))}
        </select>
      </label>
    );
  return (
    <label class="field">
      {type === 'amount' ? `${label}, at most ${formatMinor(maximum ?? 0, currency ?? '')}` : label}
      <TypedField field={field} value={value} onInput={onInput} />
    </label>
  );
}

/** Length from which on a text has several lines. */
const LONG_TEXT = 1_000;

interface TypedFieldProps {
  field: ActionField;
  value: string;
  onInput: (event: { currentTarget: { value: string } }) => void;
}

function TypedField({ field, value, onInput }: TypedFieldProps) {
  const { type, maxLength } = field;
  if (type === 'timestamp') return <input type="datetime-local" value={value} onInput={onInput} />;
  if ((maxLength ?? 0) >= LONG_TEXT)
    return <textarea rows={4} maxLength={maxLength} value={value} onInput={onInput} />;
  return (
    <input
      inputMode={type === 'amount' ? 'decimal' : 'text'}
      maxLength={maxLength}
      value={value}
      aria-invalid={value.trim() !== '' && valueOf(field, value.trim()) === undefined}
      onInput={onInput}
    />
  );
}

/** What is typed in the fields of a form, by their members. */
type FieldValues = Readonly<Record<string, string>>;

/** Returns the body of the request of an action; undefined while a field has text that is no value of its type. */
export function actionBody(
  { body, fields }: Pick<ObjectAction, 'body' | 'fields'>,
  values: FieldValues,
): object | undefined {
  let filled: object = body;
  for (const field of fields) {
    const text = (values[field.member] ?? '').trim();
    if (text === '') {
      if (field.required) return undefined;
      continue;
    }
    const value = valueOf(field, text);
    if (value === undefined) return undefined;
    filled = withMember(filled, field.member.split('.'), value);
  }
  return filled;
}

/** Returns why an amount that was typed is refused, with the amounts as money; undefined for none that is. */
export function amountProblem(fields: readonly ActionField[], values: FieldValues): string | undefined {
  for (const { member, label, type, maximum, currency } of fields) {
    if (type !== 'amount' || maximum === undefined || currency === undefined) continue;
    const amount = parseAmount(values[member] ?? '');
    if (amount !== undefined && (amount < 1 || amount > maximum))
      return `${label} must be ${formatMinor(1, currency)} to ${formatMinor(maximum, currency)}`;
  }
  return undefined;
}

/** Returns the value of a field; undefined for text that is none. */
function valueOf({ type }: ActionField, text: string): string | number | boolean | undefined {
  switch (type) {
    case 'amount':
      return parseAmount(text);
    case 'boolean':
      return text === 'true';
    case 'timestamp':
      return secondsOf(text);
    default:
      return text;
  }
}

/** Returns the Unix time of `2026-03-01T14:05`, in UTC. */
function secondsOf(text: string): number | undefined {
  const ms = Date.parse(`${text}Z`);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

function withMember(object: object, [name, ...rest]: string[], value: unknown): object {
  const inner = (object as Record<string, object | undefined>)[name!] ?? {};
  return { ...object, [name!]: rest.length === 0 ? value : withMember(inner, rest, value) };
}
