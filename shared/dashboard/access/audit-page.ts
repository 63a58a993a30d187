import type { AuditEntry } from '../../domain/access/audit.ts';
import { type Html, html } from '../../pages/html.ts';
import { type AccessKey, accessTexts } from '../../texts/texts.ts';
import { time } from '../dates.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { card, dataTable, emptyState, money, pager } from '../parts.ts';
import { type Texts, textsOf, withMarkup } from '../texts.ts';

interface AuditView {
  entries: readonly AuditEntry[];
  newest: string | undefined;
  older: string | undefined;
}

/** The audit log: the newest entry first. */
export function auditPage(frame: Frame, { entries, newest, older }: AuditView) {
  const t = textsOf(accessTexts, frame);
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

const columnsOf = (t: Texts<AccessKey>) => [
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

function detailsOf(details: AuditEntry['details'], t: Texts<AccessKey>): Html {
  const { currency, ...others } = details;
  const shown = Object.entries(typeof details['amount'] === 'number' ? others : details).filter(
    ([, value]) => value !== '',
  );
  const inWords = ([name, value]: [string, Detail]) =>
    `${nameOf(name, t)}\u00A0${shownValue(name, value, currency, t)}`;
  return shown.length === 0 ? html`` : html`<span class="hint">${shown.map(inWords).join(' · ')}</span>`;
}

type Detail = AuditEntry['details'][string];

/** A detail for people: amounts with currency, and words for true and false. */
function shownValue(name: string, value: Detail, currency: Detail | undefined, t: Texts<AccessKey>): string {
  if (typeof value === 'number' && name === 'amount' && typeof currency === 'string')
    return money(value, currency, t.locale);
  const key = typeof value === 'boolean' ? `detail.${value}` : `level.${value}`;
  const isNamed = typeof value === 'boolean' || name === 'access';
  return isNamed && isKey(key) ? t(key) : String(value);
}

const isKey = (key: string): key is AccessKey => Object.hasOwn(accessTexts.en, key);

/** The name of a detail. A name that this version does not know is shown as stored. */
function nameOf(detail: string, t: Texts<AccessKey>): string {
  const key = `detail.${detail}`;
  return isKey(key) ? t(key) : detail.replaceAll('_', ' ');
}
