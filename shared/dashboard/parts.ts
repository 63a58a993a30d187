import type { FormCommand } from '../domain/access/dashboard-commands.ts';
import { describedBy, faultOf, hintOf, option } from '../pages/fields.ts';
import { formatMoney } from '../pages/format.ts';
import { type Html, html, type Slot } from '../pages/html.ts';
import { type Frame, may } from './frame.ts';
import type { FrameTexts } from './texts.ts';

export const money = formatMoney;

export type Mood = 'good' | 'wait' | 'bad' | 'none';

const moods: Readonly<Record<string, Mood>> = {
  succeeded: 'good',
  delivered: 'good',
  processing: 'wait',
  requires_customer_action: 'wait',
  pending: 'wait',
  disputed: 'wait',
  failed: 'bad',
  lost: 'bad',
  exhausted: 'bad',
};

/** A status as a word, in a colour that matches it. The page may show a translated word. */
export const badge = (word: string, mood: Mood = moods[word] ?? 'none', label = word.replaceAll('_', ' ')): Html =>
  html`<span class="badge ${mood}">${label}</span>`;

interface Heading {
  /** The prefix of the title's id. */
  name?: string;
  title?: Slot;
  /** Whether other links can lead to it. */
  isLinked?: boolean;
  kind?: string;
}

/** A card on a page. If it has a title, the title is its label. */
export const card = ({ name, title, isLinked, kind }: Heading, content: Slot): Html =>
  html`<section class="card${kind && ` ${kind}`}"${isLinked && html` id="${name}"`}${name && html` aria-labelledby="${name}-title"`}>${
    title &&
    html`<h2${name && html` id="${name}-title"`}>${title}</h2>
`
  }${content}</section>`;

interface FieldsHeading {
  title: string;
  /** Whether the viewer has read access only. */
  isLocked: boolean;
  /** Whether the title is only for screen readers. */
  isSpoken?: boolean;
  kind?: string;
}

/** A section of a form. */
export const fieldCard = ({ title, isLocked, isSpoken, kind }: FieldsHeading, fields: Slot): Html =>
  html`<fieldset class="card${kind && ` ${kind}`}"${isLocked && html` disabled`}><legend class="visually-hidden">${title}</legend>${!isSpoken && html`<h2>${title}</h2>`}
${fields}
</fieldset>
`;

interface FoldedHeading extends Pick<FieldsHeading, 'title' | 'isLocked'> {
  /** What is set in the fields, in a line. */
  shown: string;
  isOpen: boolean;
}

/** A section of a form that is folded. Its line says what is set. */
export const foldedCard = ({ title, shown, isLocked, isOpen }: FoldedHeading, fields: Slot): Html =>
  html`<details class="card folded"${isOpen && html` open`}><summary><h2>${title}</h2> <span class="soft" dir="auto">${shown}</span></summary>
<fieldset${isLocked && html` disabled`}><legend class="visually-hidden">${title}</legend>
${fields}
</fieldset></details>
`;

/** The text that is shown instead of an empty list, with advice on what to do. */
export const emptyState = (title: string, text: Slot, action?: Html): Html =>
  card(
    { title, kind: 'empty' },
    html`<p class="soft">${text}</p>
${action}`,
  );

export interface DataColumn<Row> {
  label: string;
  /** The name of a column without a visible label. */
  spokenLabel?: string;
  /** Numbers that are aligned to the right. */
  isNumber?: boolean;
  cell: (row: Row) => Slot;
}

/** A table. On a phone, each row becomes a card. The first column is the name of the row. */
export const dataTable = <Row>(
  caption: string,
  columns: readonly DataColumn<Row>[],
  rows: readonly Row[],
  foot?: Html,
): Html =>
  html`<div class="table"><table class="rows">
<caption class="visually-hidden">${caption}</caption>
<thead><tr>${columns.map(({ label, spokenLabel, isNumber }) => html`<th scope="col"${isNumber && html` class="number"`}>${label === '' ? html`<span class="visually-hidden">${spokenLabel}</span>` : label}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr>${columns.map((column, index) => cell(column, row, index === 0))}</tr>
`,
)}</tbody>
${foot && html`<tfoot>${foot}</tfoot>`}
</table></div>`;

const cell = <Row>({ label, isNumber, cell: content }: DataColumn<Row>, row: Row, isFirst: boolean): Html =>
  isFirst
    ? html`<td>${content(row)}</td>`
    : html`<td${label !== '' && html` data-label="${label}"`}${isNumber && html` class="number"`}><div>${content(row)}</div></td>`;

/** Links to older rows, and back to the newest. */
export const pager = (newest: string | undefined, older: string | undefined, t: FrameTexts): Html =>
  newest || older
    ? html`<nav class="pager" aria-label="${t('pages.label')}">${newest ? html`<a href="${newest}">${t('pages.newest')}</a>` : html`<span></span>`}${older && html`<a href="${older}">${t('pages.older')}</a>`}</nav>`
    : html``;

export const facts = (rows: readonly (readonly [label: string, value: Slot])[]): Html => html`<dl class="facts">
${rows.map(
  ([label, value]) => html`<div><dt>${label}</dt><dd>${value === '' || value === null ? '–' : value}</dd></div>
`,
)}</dl>`;

/** Rows of amounts. The last row is the total. */
export const sums = (rows: readonly (readonly [label: Slot, value: string])[]): Html => html`<dl class="sums">
${rows.map(
  (
    [label, value],
    index,
  ) => html`<div${index === rows.length - 1 && html` class="sum"`}><dt>${label}</dt><dd>${value}</dd></div>
`,
)}</dl>`;

/** The hidden fields of every form: the session's token, and the form's id. */
export const formKeys = ({ viewer, formId }: Frame): Html =>
  html`<input type="hidden" name="token" value="${viewer.formToken}"><input type="hidden" name="form_id" value="${formId}">`;

/** A button for one command; empty if the viewer's key does not allow it. */
export const actionButton = (
  frame: Frame,
  { to, action, needs, label, fields = {}, choice, isDanger = false }: Action,
): Html =>
  may(frame, needs)
    ? html`<form method="post" action="${to}">${formKeys(frame)}${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${choice}<button class="second${isDanger && ' danger'}" name="action" value="${action}">${label}</button></form>`
    : html``;

export interface Action {
  to: string;
  action: string;
  /** The access that the command needs. */
  needs: FormCommand;
  label: Slot;
  fields?: Readonly<Record<string, string>>;
  /** Fields beside the button. */
  choice?: Html | undefined;
  isDanger?: boolean;
}

/** A dangerous command. Its button needs one more click. */
export const guarded = (frame: Frame, summary: string, text: Slot, action: Action): Html =>
  may(frame, action.needs)
    ? html`<details class="guarded"><summary>${summary}</summary><p class="hint">${text}</p><div class="submit">${actionButton(frame, { ...action, isDanger: true })}</div></details>`
    : html``;

/** An address with a copy button. Without the script, the reader can select the text. */
export const copyField = (id: string, label: string, value: string, t: FrameTexts): Html => html`<div class="field">
<label for="${id}">${label}</label>
<div class="copy"><input id="${id}" value="${value}" readonly spellcheck="false">${copyButton(value, t('copy'))}</div>
</div>`;

/** A button that copies a text. It needs the script, and is hidden without it. */
export const copyButton = (text: string, label: string): Html =>
  html`<button type="button" class="second" data-copies="${text}" hidden>${label}</button>`;

interface Labelled {
  id: string;
  label: string;
  hint?: string | undefined;
  fault?: string | undefined;
}

export const textArea = (spec: Labelled & { value: string; maxLength: number; isRequired?: boolean }): Html =>
  html`<div class="field">
<label for="${spec.id}">${spec.label}</label>
<textarea id="${spec.id}" name="${spec.id}" maxlength="${spec.maxLength}" dir="auto"${spec.isRequired && html` required`}${describedBy(spec)}>${spec.value}</textarea>
${hintOf(spec.id, spec.hint)}${faultOf(spec.id, spec.fault)}</div>`;

export const checkBox = (
  spec: Labelled & { name?: string; value?: string; isChecked: boolean },
): Html => html`<div class="check">
<input type="checkbox" id="${spec.id}" name="${spec.name ?? spec.id}" value="${spec.value ?? 'true'}"${spec.isChecked && html` checked`}${describedBy(spec)}>
<label for="${spec.id}">${spec.label}</label>
${hintOf(spec.id, spec.hint)}</div>`;

export interface Choice {
  value: string;
  label: string;
  hint?: string;
}

/** A drop-down list to choose one of many options. */
export const selectBox = (spec: Labelled & { name: string; value: string; options: readonly Choice[] }): Html =>
  html`<div class="field"><label for="${spec.id}">${spec.label}</label><select id="${spec.id}" name="${spec.name}"${describedBy(spec)}>${spec.options.map(({ value, label }) => option(value, label, value === spec.value))}</select>
${hintOf(spec.id, spec.hint)}${faultOf(spec.id, spec.fault)}</div>`;

/** A field for a day, or for a minute of a day. */
export const dateBox = (spec: Labelled & { name: string; value: string; type?: 'date' | 'datetime-local' }): Html =>
  html`<div class="field"><label for="${spec.id}">${spec.label}</label><input type="${spec.type ?? 'date'}" id="${spec.id}" name="${spec.name}" value="${spec.value}"${describedBy(spec)}>${hintOf(spec.id, spec.hint)}${faultOf(spec.id, spec.fault)}</div>`;

/** A field to choose one of several options. Each has an explanation. */
export const choices = ({ id, name = id, ...spec }: ChoicesField): Html =>
  html`<fieldset class="choices" id="${id}" tabindex="-1"${spec.fault && html` aria-describedby="${id}-fault"`}><legend>${spec.label}</legend>
${spec.options.map(
  ({
    value,
    label,
    hint,
  }) => html`<label class="choice" for="${id}_${value}"><input type="radio" id="${id}_${value}" name="${name}" value="${value}"${value === spec.value && html` checked`}><strong>${label}</strong>${hint && html`<span class="hint">${hint}</span>`}</label>
`,
)}${spec.fault && faultOf(id, spec.fault)}</fieldset>`;

interface ChoicesField extends Labelled {
  /** The name that all options of the choice have in the form. By default, it is the id. */
  name?: string;
  value: string;
  options: readonly Choice[];
}

export interface FormFault {
  /** The id of the field. Empty for an error of the whole form. */
  field: string;
  message: string;
}

/** The list of errors in a form, with a link to each field. It gets the focus. */
export const faultSummary = (faults: readonly FormFault[], t: FrameTexts): Html =>
  faults.length === 0
    ? html``
    : html`<div class="note fault-note" role="alert" tabindex="-1" autofocus><p><strong>${t('faults.title')}</strong></p><ul>
${withoutRepeats(faults).map(
  ({ field, message }) => html`<li>${field === '' ? message : html`<a href="#${field}">${message}</a>`}</li>
`,
)}</ul></div>`;

/** Removes repetitions. If a field breaks two rules with the same message, the message is listed once. */
const withoutRepeats = (faults: readonly FormFault[]): FormFault[] =>
  faults.filter(
    (one, index) => faults.findIndex(({ field, message }) => field === one.field && message === one.message) === index,
  );

export const messageAt = (faults: readonly FormFault[], field: string): string | undefined =>
  faults.find((fault) => fault.field === field)?.message;

export const thumb = (address: string | null, name: string): Html =>
  address
    ? html`<img class="thumb" src="${address}" alt="" width="44" height="44" loading="lazy">`
    : html`<span class="thumb none" aria-hidden="true">${[...name][0]?.toUpperCase()}</span>`;
