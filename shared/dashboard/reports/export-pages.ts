import { hasCode, notFound } from '../../domain/errors.ts';
import type { Page } from '../../http/page.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { exportAuditLog } from '../../use-cases/reports/export-audit-log.ts';
import {
  exportPayments,
  type ReportDeps,
  type ReportPeriod,
  reportTaxes,
} from '../../use-cases/reports/report-taxes.ts';
import { isDay } from '../calendar-day.ts';
import type { DashboardRoutes } from '../dashboard.ts';
import { faultText } from '../form-faults.ts';
import { frameOf } from '../frame.ts';
import { auditCsv, csvPage, paymentsCsv, taxesCsv } from '../report-csv.ts';
import { textsOf } from '../texts.ts';
import type { Visit } from '../visit.ts';
import { exportsPage, monthOf } from './exports-page.ts';

interface ExportPagesDeps extends ReportDeps {
  auditLog: Parameters<typeof exportAuditLog>[0]['auditLog'];
  now: () => Date;
}

type Report = (deps: ExportPagesDeps, period: ReportPeriod) => Promise<string>;

const reports: Readonly<Record<string, Report>> = {
  'payments.csv': async (deps, period) => paymentsCsv(await exportPayments(deps, period)),
  'audit-log.csv': async (deps, period) => auditCsv(await exportAuditLog(deps, period)),
  'taxes.csv': async (deps, period) => taxesCsv(await reportTaxes(deps, period)),
};

/** Handles the exports: files for a chosen period. */
export const exportPages = (deps: ExportPagesDeps): DashboardRoutes => ({
  show: async (visit) => {
    const name = visit.request.param('file');
    if (name === '') return show(deps, visit);
    const report = Object.hasOwn(reports, name) ? reports[name] : undefined;
    if (!report) throw notFound(name);
    return download(deps, visit, name, (period) => report(deps, period));
  },
});

function show(deps: ExportPagesDeps, visit: Visit, fault?: string): Page {
  const today = deps.now().toISOString().slice(0, 10);
  return exportsPage(frameOf(visit), { today, ...monthOf(today), fault });
}

async function download(
  deps: ExportPagesDeps,
  visit: Visit,
  name: string,
  make: (period: ReportPeriod) => Promise<string>,
): Promise<Page> {
  const period = { from: visit.request.query('from') ?? '', to: visit.request.query('to') ?? '' };
  if (!isDay(period.from) || !isDay(period.to) || period.from > period.to)
    return show(deps, visit, textsOf(dashboardTexts('reports'), visit)('exports.fault'));
  try {
    return csvPage(`${name.replace('.csv', '')}-${period.from}-${period.to}.csv`, await make(period));
  } catch (error) {
    if (hasCode(error, 'INVALID_QUERY_PARAMS'))
      return show(deps, visit, faultText(error, textsOf(dashboardTexts('reports'), visit)));
    throw error;
  }
}
