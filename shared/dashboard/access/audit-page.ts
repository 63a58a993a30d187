import type { AuditEntry } from '../../domain/access/audit.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { dataTable, emptyState, pager, time } from '../parts.ts';

interface AuditView {
  entries: readonly AuditEntry[];
  newest: string | undefined;
  older: string | undefined;
}

/** Who did what, and when: the newest first. */
export const auditPage = (frame: Frame, { entries, newest, older }: AuditView) =>
  dashboardAnswer(frame, {
    title: 'Audit log',
    section: '/dashboard/audit-log',
    main:
      entries.length === 0
        ? emptyState('Nothing yet', 'Refunds, and changes to products, brands, tax, webhooks and keys, appear here.')
        : html`<p class="hint">Refunds, and changes to products, brands, tax, webhooks and keys, made by the API, the dashboard or the command line. You can download a period of it on the <a href="/dashboard/exports">exports page</a>.</p>
<section class="card">${dataTable('Audit log', columns, entries)}${pager(newest, older)}</section>`,
  });

const via = { api: 'API', dashboard: 'dashboard', command_line: 'command line' } as const;

const columns = [
  { label: 'When', cell: ({ at }: AuditEntry) => time(at) },
  {
    label: 'Who',
    cell: ({ by }: AuditEntry) =>
      html`<strong dir="auto">${by.keyName}</strong><span class="hint">${via[by.via]}${(by.keyId ?? by.memberId) && html` · <code>${by.keyId ?? by.memberId}</code>`}</span>`,
  },
  {
    label: 'What',
    cell: ({ command, subject, details }: AuditEntry) =>
      html`${command.replaceAll(/[._]/g, ' ')} <code>${subject}</code>${detailsOf(details)}`,
  },
];

function detailsOf(details: AuditEntry['details']): Html {
  const shown = Object.entries(details).filter(([, value]) => value !== '');
  return shown.length === 0
    ? html``
    : html`<span class="hint">${shown.map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`).join(' · ')}</span>`;
}
