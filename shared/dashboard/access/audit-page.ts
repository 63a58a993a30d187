import type { AuditEntry } from '../../domain/access/audit.ts';
import { type Html, html } from '../../pages/html.ts';
import type { AuditStore } from '../../store/access/audit-store.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { DashboardRoutes } from '../dashboard.ts';
import { time } from '../dates.ts';
import { dashboardAnswer, type Frame, frameOf } from '../frame.ts';
import { listView } from '../list-view.ts';
import { card, dataTable, emptyState, money, pager } from '../parts.ts';
import { type Texts, textsOf, withMarkup } from '../texts.ts';

/** The page of the audit log. */
export const auditPages = (deps: { auditLog: Pick<AuditStore, 'list'> }): DashboardRoutes => ({
  show: async (visit) => {
    const { request, links } = await listView(visit, '/dashboard/audit-log', {});
    const page = await deps.auditLog.list({}, request);
    return auditPage(frameOf(visit), { entries: page.items, ...links(page) });
  },
});

interface AuditView {
  entries: readonly AuditEntry[];
  newest: string | undefined;
  older: string | undefined;
}

/** The page with the entries of the audit log, newest first. */
function auditPage(frame: Frame, { entries, newest, older }: AuditView) {
  const t = textsOf(dashboardTexts('access'), frame);
  const link = html`<a href="/dashboard/exports">${t('audit.exports')}</a>`;
  return dashboardAnswer(frame, {
    title: t('nav./dashboard/audit-log'),
    section: '/dashboard/audit-log',
    main:
      entries.length === 0
        ? emptyState(t('audit.none'), t('audit.none.text'))
        : html`<p class="hint">${withMarkup(t('audit.lead'), { link })}</p>
${card({}, html`${dataTable(t('nav./dashboard/audit-log'), columnsOf(t), entries)}${pager(newest, older, t)}`)}`,
  });
}

const columnsOf = (t: Texts<TextKey<'access'>>) => [
  { label: t('audit.when'), cell: ({ at }: AuditEntry) => time(at, t.locale) },
  {
    label: t('audit.who'),
    cell: ({ by }: AuditEntry) =>
      html`<strong dir="auto">${by.keyName}</strong><span class="hint">${t(`audit.via.${by.via}`)}${(by.keyId ?? by.memberId) && html` · <code>${by.keyId ?? by.memberId}</code>`}</span>`,
  },
  {
    label: t('audit.what'),
    cell: ({ command, subject, details }: AuditEntry) =>
      html`${t(`command.${command}`)} <code>${subject}</code>${detailsOf(details, t)}`,
  },
];

function detailsOf(details: AuditEntry['details'], t: Texts<TextKey<'access'>>): Html {
  const { currency, ...others } = details;
  const shown = Object.entries(typeof details['amount'] === 'number' ? others : details).filter(
    ([, value]) => value !== '',
  );
  const inWords = ([name, value]: [string, Detail]) =>
    `${nameOf(name, t)}\u00A0${shownValue(name, value, currency, t)}`;
  return shown.length === 0 ? html`` : html`<span class="hint">${shown.map(inWords).join(' · ')}</span>`;
}

type Detail = AuditEntry['details'][string];

/** The value of a detail in a form for people. Amounts have their currency, and true and false are words. */
function shownValue(name: string, value: Detail, currency: Detail | undefined, t: Texts<TextKey<'access'>>): string {
  if (typeof value === 'number' && name === 'amount' && typeof currency === 'string')
    return money(value, currency, t.locale);
  const key = typeof value === 'boolean' ? `detail.${value}` : `level.${value}`;
  const isNamed = typeof value === 'boolean' || name === 'access';
  return isNamed && isKey(key) ? t(key) : String(value);
}

const isKey = (key: string): key is TextKey<'access'> => Object.hasOwn(dashboardTexts('access').en, key);

/** The name of a detail. A name that is unknown in this version is shown as it is stored. */
function nameOf(detail: string, t: Texts<TextKey<'access'>>): string {
  const key = `detail.${detail}`;
  return isKey(key) ? t(key) : detail.replaceAll('_', ' ');
}
