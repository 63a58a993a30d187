import { type LoadGoingLiveDeps, loadGoingLive } from '../../use-cases/reports/load-going-live.ts';
import { type LoadOverviewDeps, loadOverview } from '../../use-cases/reports/load-overview.ts';
import type { DashboardRoutes } from '../dashboard.ts';
import { frameOf } from '../frame.ts';
import { overviewPage } from './overview-page.ts';

interface OverviewPagesDeps extends LoadOverviewDeps {
  /** In a live stack, what is missing until it sells. */
  goingLive: LoadGoingLiveDeps | undefined;
}

/** The sales of the last thirty days, and above them what is missing until a live stack sells. */
export const overviewPages = (deps: OverviewPagesDeps): DashboardRoutes => ({
  show: async (visit) => {
    const loaded = await loadOverview(deps, visit.request.query('currency'));
    const known = { hasProducts: loaded.hasProducts, hasSold: loaded.currencies.length > 0 };
    const steps = deps.goingLive ? await loadGoingLive(deps.goingLive, known) : null;
    return overviewPage(frameOf(visit), { ...loaded, steps });
  },
});
