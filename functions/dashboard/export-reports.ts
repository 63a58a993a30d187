import { dashboard, type Visit } from '../../shared/dashboard/dashboard.ts';
import { frameOf } from '../../shared/dashboard/frame.ts';
import { guard } from '../../shared/dashboard/guard.ts';
import { isDay } from '../../shared/dashboard/reports/calendar-day.ts';
import { exportsPage, monthOf } from '../../shared/dashboard/reports/exports-page.ts';
import { auditCsv, paymentsCsv, taxesCsv } from '../../shared/dashboard/reports/report-csv.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import type { Page } from '../../shared/http/page.ts';
import { pageHeaders } from '../../shared/pages/headers.ts';
import { auditLog, now, paymentLists, payments } from '../../shared/runtime.ts';
import { exportAuditLog } from '../../shared/use-cases/reports/export-audit-log.ts';
import { exportPayments, type ReportPeriod, reportTaxes } from '../../shared/use-cases/reports/report-taxes.ts';

const deps = { payments: { ...payments(), ...paymentLists() }, auditLog: auditLog() };

const files: Readonly<Record<string, (period: ReportPeriod) => Promise<string>>> = {
  'payments.csv': async (period) => paymentsCsv(await exportPayments(deps, period)),
  'audit-log.csv': async (period) => auditCsv(await exportAuditLog(deps, period)),
  'taxes.csv': async (period) => taxesCsv(await reportTaxes(deps, period)),
};

/** GET /dashboard/exports /dashboard/exports/{file} */
export const handler = dashboard(guard, {
  show: async (visit) => {
    const name = visit.request.param('file');
    if (name === '') return show(visit);
    const make = Object.hasOwn(files, name) ? files[name] : undefined;
    if (!make) throw new DomainError('NOT_FOUND', `There is no ${name}.`);
    return download(visit, name, make);
  },
});

function show(visit: Visit, fault?: string): Page {
  const today = now().toISOString().slice(0, 10);
  return exportsPage(frameOf(visit), { today, ...monthOf(today), fault });
}

async function download(visit: Visit, name: string, make: (period: ReportPeriod) => Promise<string>): Promise<Page> {
  const period = { from: visit.request.query('from') ?? '', to: visit.request.query('to') ?? '' };
  if (!isDay(period.from) || !isDay(period.to) || period.from > period.to)
    return show(visit, 'Choose a first and a last day, in this order.');
  try {
    return fileOf(`${name.replace('.csv', '')}-${period.from}-${period.to}.csv`, await make(period));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INVALID_QUERY_PARAMS') return show(visit, error.message);
    throw error;
  }
}

const fileOf = (name: string, body: string): Page => ({
  statusCode: 200,
  headers: {
    ...pageHeaders(),
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}"`,
  },
  body,
});
