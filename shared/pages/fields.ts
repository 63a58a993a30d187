import { type Html, html } from './html.ts';

interface Field {
  id: string;
  name: string;
  label: string;
  value: string;
  /** The error about the value. */
  fault?: string | undefined;
  hint?: string | undefined;
  autocomplete?: string | undefined;
  isRequired?: boolean;
  /** Whether a change of the field asks for a new price at once. */
  isPriced?: boolean;
}

export interface TextField extends Field {
  type?: 'text' | 'email';
  isLocked?: boolean;
  maxLength?: number;
  isCode?: boolean;
}

interface Option {
  value: string;
  label: string;
}

interface SelectField extends Field {
  options: readonly Option[];
  /** The first entry of the list. It means that nothing is chosen. */
  placeholder: string;
  /** Options in a group with a label, after the others; absent or empty if there are none. */
  group?: { label: string; options: readonly Option[] };
}

/** A field: its label, control, hint and error, always in this order. */
const field = (spec: Field, control: Html): Html => html`<div class="field">
<label for="${spec.id}">${spec.label}</label>
${control}
${hintOf(spec.id, spec.hint)}${faultOf(spec.id, spec.fault)}</div>`;

export const hintOf = (id: string, hint: string | undefined): Html =>
  hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : html``;

/** The place for an error. It exists even without an error, so the rest of the HTML does not move. */
export const faultOf = (id: string, fault: string | undefined): Html =>
  html`<p class="fault" id="${id}-fault">${fault}</p>`;

/** The attributes that link a control to its error and its hint. */
export function describedBy({ id, fault, hint }: Pick<Field, 'id' | 'fault' | 'hint'>): Html {
  const ids = [fault && `${id}-fault`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return html`${ids !== '' && html` aria-describedby="${ids}"`}${fault && html` aria-invalid="true"`}`;
}

const attributes = (spec: Field): Html =>
  html` id="${spec.id}" name="${spec.name}"${spec.autocomplete && html` autocomplete="${spec.autocomplete}"`}${spec.isRequired && html` required`}${spec.isPriced && html` data-priced`}${describedBy(spec)}`;

export const textField = (spec: TextField): Html =>
  field(
    spec,
    html`<input type="${spec.type ?? 'text'}" value="${spec.value}"${attributes(spec)}${textAttributes(spec)}>`,
  );

const textAttributes = (spec: TextField): Html =>
  html`${spec.maxLength && html` maxlength="${spec.maxLength}"`}${spec.isLocked && html` readonly`}${spec.isCode ? html` class="code" spellcheck="false" autocapitalize="characters" dir="ltr"` : html` dir="${spec.type === 'email' ? 'ltr' : 'auto'}"`}`;

export const selectField = (spec: SelectField): Html =>
  field(
    spec,
    html`<select${attributes(spec)}>
<option value="">${spec.placeholder}</option>
${optionsOf(spec.options, spec)}${groupOf(spec)}</select>`,
  );

const optionsOf = (options: readonly Option[], { value: chosen }: Field): Html[] =>
  options.map(({ value, label }) => option(value, label, value === chosen));

const groupOf = ({ group, ...spec }: SelectField): Html =>
  html`${group && group.options.length > 0 && html`<optgroup label="${group.label}">${optionsOf(group.options, spec)}</optgroup>`}`;

export const option = (value: string, label: string, isSelected: boolean): Html =>
  html`<option value="${value}"${isSelected && html` selected`}>${label}</option>
`;

/** The place at a button where the script shows a message. A new price does not empty it. */
export const toldPlace = html`<div class="told" hx-morph-skip-children></div>`;

/** The place at a button where the script says that the connection is slow. */
export const slowPlace = html`<p class="hint slow" role="status"></p>`;
