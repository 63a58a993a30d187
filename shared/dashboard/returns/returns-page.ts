import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { ExportJob, ExportKind } from '../../domain/reports/export-job.ts';
import { type FiledReturn, overlappedBy } from '../../domain/reports/returns/filed-return.ts';
import { describedBy, faultOf } from '../../pages/fields.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { dayText, time } from '../dates.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import {
  badge,
  card,
  choices,
  type DataColumn,
  dataTable,
  emptyState,
  type FormFault,
  faultSummary,
  formKeys,
  guarded,
  messageAt,
} from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';

const section = '/dashboard/returns';

interface ReturnsView {
  /** The kinds of files that the merchant can request. */
  kinds: readonly ExportKind[];
  jobs: readonly ExportJob[];
  filed: readonly FiledReturn[];
  request: Record<'kind' | 'from' | 'to', string>;
  faults: readonly FormFault[];
}

export const returnsPage = (frame: Frame, { kinds, jobs, filed, request, faults }: ReturnsView) => {
  const t = textsOf(dashboardTexts('returns'), frame);
  const main = html`${faultSummary(faults, t)}
<div class="columns two">
${card(
  { name: 'new', title: t('new') },
  html`<form method="post" action="${section}">${formKeys(frame)}
${choices({
  id: 'kind',
  label: t('what'),
  value: request.kind,
  options: kinds.map((value) => ({ value, label: t(`kind.${value}`), hint: t(`kind.${value}.hint`) })),
})}
<div class="pair">${dateField('from', t('from'), request.from, faults)}${dateField('to', t('to'), request.to, faults)}</div>
<p class="submit"><button class="main" name="action" value="create">${t('button')}</button></p></form>`,
)}
${card(
  { name: 'how', title: t('how') },
  html`<p class="lead">${t('how.text')}</p>
<p class="hint">${t('how.disputes')}</p>`,
)}
</div>
<h2>${t('files.title')}</h2>
${jobs.length === 0 ? emptyState(t('files.none'), t('files.none.text')) : card({}, dataTable(t('files'), columnsOf(frame, filed, t), jobs))}
${jobs.some(({ status }) => status === 'waiting' || status === 'running') && html`<p class="hint" data-reloads><a href="${section}">${t('again')}</a></p>`}
<h2>${t('filed')}</h2>
<p class="hint">${t('filed.text')}</p>
${filed.length === 0 ? emptyState(t('filed.none'), t('filed.none.text')) : card({}, dataTable(t('filed'), filedColumns(t), filed))}`;
  const content = { title: t('nav./dashboard/returns'), section, main } as const;
  return dashboardAnswer(frame, content, { statusCode: faults.length > 0 ? 422 : 200 });
};

const dateField = (name: 'from' | 'to', label: string, value: string, faults: readonly FormFault[]): Html => {
  const fault = messageAt(faults, name);
  return html`<div class="field"><label for="${name}">${label}</label><input type="date" id="${name}" name="${name}" value="${value}" required${describedBy({ id: name, fault })}>${faultOf(name, fault)}</div>`;
};

const moods = { waiting: 'wait', running: 'wait', done: 'good', failed: 'bad' } as const;

const filedColumns = (t: Texts<TextKey<'returns'>>): readonly DataColumn<FiledReturn>[] => [
  { label: t('what'), cell: ({ kind }) => t(`kind.${kind}`) },
  { label: t('period'), cell: ({ from, to }) => `${dayText(from, t.locale)} – ${dayText(to, t.locale)}` },
  {
    label: t('filed.at'),
    cell: ({ filedAt, filedBy }) => html`${time(filedAt, t.locale)}<span class="hint">${filedBy}</span>`,
  },
  {
    label: t('filed.count'),
    isNumber: true,
    cell: ({ count, late }) =>
      late.length === 0
        ? formatCount(count, t.locale)
        : t('filed.late', { count: formatCount(count, t.locale), late: formatCount(late.length, t.locale) }),
  },
  {
    label: t('files'),
    cell: ({ kind, from, hash }) =>
      html`<a href="${`${section}?filed=${kind}&from=${from}`}" download>${t('filed.boxes')}</a> · <a href="${`${section}?filed=${kind}&from=${from}&part=movements`}" download>${t('filed.movements')}</a><br><span class="hint"><code>${hash.slice(0, 16)}</code></span>`,
  },
];

/** The button that marks a tax return as filed, or a hint if it cannot be filed yet. Empty once it is filed. */
function filing(
  frame: Frame,
  { job, filed }: { job: ExportJob; filed: readonly FiledReturn[] },
  t: Texts<TextKey<'returns'>>,
): Html {
  if (job.status !== 'done' || job.kind === 'payments' || overlappedBy(filed, job)) return html``;
  if (!job.isFileable) return html`<span class="hint">${t('file.not')}</span>`;
  const action = { to: section, action: 'file', needs: dashboardCommands.returns.file, label: t('file') };
  return guarded(frame, t('file'), t('file.text'), { ...action, fields: { job: job.id } });
}

const columnsOf = (
  frame: Frame,
  filed: readonly FiledReturn[],
  t: Texts<TextKey<'returns'>>,
): readonly DataColumn<ExportJob>[] => [
  { label: t('what'), cell: ({ kind }) => t(`kind.${kind}`) },
  {
    label: t('period'),
    cell: ({ from, to, createdAt }) =>
      html`${dayText(from, t.locale)} – ${dayText(to, t.locale)}${to >= createdAt.slice(0, 10) && html`<span class="hint">${t('unfinished')}</span>`}`,
  },
  { label: t('state'), cell: ({ status }) => badge(status, moods[status], t(`state.${status}`)) },
  { label: t('counted'), isNumber: true, cell: ({ counted }) => formatCount(counted, t.locale) },
  { label: t('askedFor'), cell: ({ createdAt }) => time(createdAt, t.locale) },
  {
    label: t('files'),
    cell: (job) => {
      const { id, files, notes } = job;
      return html`${files.map(
        ({ name, bytes }) =>
          html`<a href="${`${section}?job=${id}&file=${encodeURIComponent(name)}`}" download>${name}</a> <span class="hint">${sizeOf(bytes, t.locale)}</span>`,
      )}${notes.length > 0 && html`<ul class="remarks hint" lang="en">${notes.map((note) => html`<li>${note}</li>`)}</ul>`}${filing(frame, { job, filed }, t)}`;
    },
  },
];

const sizeOf = (bytes: number, locale: Locale): string =>
  bytes < 1_000_000
    ? `${Math.ceil(bytes / 1_000)} ${locale === 'fr' ? 'ko' : 'kB'}`
    : `${formatCount(Math.round(bytes / 100_000) / 10, locale)} ${locale === 'fr' ? 'Mo' : 'MB'}`;
