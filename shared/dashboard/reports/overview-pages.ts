import { type LoadOverviewDeps, loadOverview } from '../../use-cases/reports/load-overview.ts';
import type { DashboardRoutes } from '../dashboard.ts';
import { frameOf } from '../frame.ts';
import { overviewPage } from './overview-page.ts';

/** The sales of the last thirty days. */
export const overviewPages = (deps: LoadOverviewDeps): DashboardRoutes => ({
  show: async (visit) => overviewPage(frameOf(visit), await loadOverview(deps, visit.request.query('currency'))),
});
