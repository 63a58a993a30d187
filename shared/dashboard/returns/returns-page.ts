import type { ExportJob, ExportKind } from '../../domain/reports/export-job.ts';
import { describedBy, faultOf } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import {
  badge,
  choices,
  type DataColumn,
  dataTable,
  emptyState,
  type FormFault,
  faultSummary,
  formKeys,
  messageAt,
  time,
} from '../parts.ts';

const section = '/dashboard/returns';

const kinds: Readonly<Record<ExportKind, { label: string; hint: string }>> = {
  oss: {
    label: 'OSS, European Union',
    hint: 'A quarter, by member state and rate, in euro at the rate of its last day, with corrections of earlier quarters.',
  },
  gb: { label: 'United Kingdom', hint: 'Boxes 1 and 6 in pounds, by the rates of the invoices, with their parts.' },
  ch: { label: 'Switzerland and Liechtenstein', hint: 'Boxes 200, 303 and others in francs, with their parts.' },
  general: {
    label: 'Any country',
    hint: 'Sales and refunds by place, tax and rate, in the currencies of the sales.',
  },
  payments: { label: 'List of payments', hint: 'One row for each payment, including failed ones. Days are in UTC.' },
};

const kindLabel = (kind: ExportKind): string => kinds[kind].label;

interface ReturnsView {
  jobs: readonly ExportJob[];
  request: Record<'kind' | 'from' | 'to', string>;
  faults: readonly FormFault[];
}

export const returnsPage = (frame: Frame, { jobs, request, faults }: ReturnsView) => {
  const main = html`${faultSummary(faults)}
<div class="columns two">
<section class="card" aria-labelledby="new-title"><h2 id="new-title">Make a file</h2>
<form method="post" action="${section}">${formKeys(frame)}
${choices(
  'kind',
  'What',
  request.kind,
  Object.entries(kinds).map(([value, { label, hint }]) => ({ value, label, hint })),
)}
<div class="pair">${dateField('from', 'From', request.from, faults)}${dateField('to', 'To', request.to, faults)}</div>
<p class="submit"><button class="main" name="action" value="create">Make the files</button></p></form></section>
<section class="card" aria-labelledby="how-title"><h2 id="how-title">How it counts</h2>
<p class="lead">A sale counts on its tax date where the buyer is, a refund on the day it was paid, with the period of its sale. A refund that came back counts again.</p>
<p class="hint">A dispute is no refund: nothing in a return changes until you refund. What banks hold is listed and not counted. Make the files again before you declare: a payment may end days after its tax date.</p></section>
</div>
<h2>Files of the last 24 hours</h2>
${jobs.length === 0 ? emptyState('No files', 'Files that you ask for are kept here for a day.') : dataTable('Files', columns, jobs)}
${jobs.some(({ status }) => status === 'waiting' || status === 'running') && html`<p class="hint"><a href="${section}">Look again</a></p>`}`;
  return dashboardAnswer(frame, { title: 'Returns', section, main }, { statusCode: faults.length > 0 ? 422 : 200 });
};

const dateField = (name: 'from' | 'to', label: string, value: string, faults: readonly FormFault[]): Html => {
  const fault = messageAt(faults, name);
  return html`<div class="field"><label for="${name}">${label}</label><input type="date" id="${name}" name="${name}" value="${value}" required${describedBy({ id: name, fault })}>${faultOf(name, fault)}</div>`;
};

const moods = { waiting: 'wait', running: 'wait', done: 'good', failed: 'bad' } as const;

const columns: readonly DataColumn<ExportJob>[] = [
  { label: 'What', cell: ({ kind }) => kindLabel(kind) },
  { label: 'Period', cell: ({ from, to }) => `${from} – ${to}` },
  { label: 'State', cell: ({ status }) => badge(status, moods[status]) },
  { label: 'Counted', isNumber: true, cell: ({ counted }) => counted.toLocaleString('en') },
  { label: 'Asked for', cell: ({ createdAt }) => time(createdAt) },
  {
    label: 'Files',
    cell: ({ id, files, notes }) =>
      html`${files.map(
        ({ name, bytes }) =>
          html`<a href="${`${section}?job=${id}&file=${encodeURIComponent(name)}`}" download>${name}</a> <span class="hint">${sizeOf(bytes)}</span><br>`,
      )}${notes.map((note) => html`<span class="hint">${note}</span><br>`)}`,
  },
];

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
