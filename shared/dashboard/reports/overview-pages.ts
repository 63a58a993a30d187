import { publishedKinds } from '../../domain/catalogue/policies.ts';
import { type LegalFacts, missingDuties } from '../../domain/reports/legal-duties.ts';
import { customPeriod, type OverviewPeriod, periodNames, periodUntil } from '../../domain/reports/period.ts';
import { offersWithdrawal } from '../../domain/withdrawal/withdrawal-settings.ts';
import type { BrandStore } from '../../store/catalogue/brand-store.ts';
import { keys } from '../../store/keys.ts';
import type { ThresholdStore } from '../../store/threshold-store.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { type LoadAttentionDeps, loadAttention } from '../../use-cases/reports/load-attention.ts';
import { type LoadGoingLiveDeps, loadGoingLive } from '../../use-cases/reports/load-going-live.ts';
import { type LoadOverviewDeps, loadOverview } from '../../use-cases/reports/load-overview.ts';
import { isDay } from '../calendar-day.ts';
import type { DashboardRoutes } from '../dashboard.ts';
import { frameOf } from '../frame.ts';
import { csvPage } from '../report-csv.ts';
import { textsOf } from '../texts.ts';
import type { Visit } from '../visit.ts';
import { chartCsv, chartNames } from './chart-csv.ts';
import { overviewPage } from './overview-page.ts';

type Deps = LoadOverviewDeps & LoadAttentionDeps;

interface OverviewPagesDeps extends Deps {
  payments: Deps['payments'];
  thresholds: Deps['thresholds'] & Pick<ThresholdStore, 'getWatch'>;
  goingLive: LoadGoingLiveDeps;
  brands: Pick<BrandStore, 'get'>;
  /** The facts about legal duties from the merchant's configuration. */
  legalSettings: Omit<LegalFacts, 'published' | 'sellsToConsumers'>;
  /** The setting that names a processor in the merchant's configuration. */
  processorSetting: string;
}

const usual = '30';

/** The overview: the sales of a period, problems, and the steps before the merchant can sell. */
export const overviewPages = (deps: OverviewPagesDeps): DashboardRoutes => ({
  needs: () => [keys.brands()],
  show: async (visit) => {
    const today = deps.now().toISOString().slice(0, 10);
    const { period, fault } = chosenPeriod(visit, today);
    const watch = await deps.thresholds.getWatch();
    const [loaded, attention] = await Promise.all([
      loadOverview(deps, { watch, period, currency: visit.request.query('currency') }),
      loadAttention(deps, watch),
    ]);
    const chart = chartNames.find((one) => one === visit.request.query('chart'));
    if (chart && visit.request.query('format') === 'csv')
      return csvPage(`${chart}-${period.from}-${period.to}.csv`, chartCsv(chart, loaded));
    const brands = await deps.brands.get();
    const duties = missingDuties({
      ...deps.legalSettings,
      published: publishedKinds(brands),
      sellsToConsumers: offersWithdrawal(brands),
    });
    const known = {
      hasProducts: loaded.products.length > 0,
      hasSold: loaded.currencies.length > 0,
      meetsDuties: duties.length === 0,
    };
    const steps = await loadGoingLive(deps.goingLive, known);
    const { processorSetting } = deps;
    return overviewPage(frameOf(visit), {
      ...loaded,
      attention,
      duties,
      steps,
      processorSetting,
      period,
      today,
      fault,
    });
  },
});

/** The period in the address, or the default period. If its days are invalid, the reason is returned too. */
function chosenPeriod(
  { request, locale }: Visit,
  today: string,
): { period: OverviewPeriod; fault: string | undefined } {
  const name = periodNames.find((one) => one === request.query('period')) ?? usual;
  if (name !== 'custom') return { period: periodUntil(today, name), fault: undefined };
  const [from, to] = [request.query('from') ?? '', request.query('to') ?? ''];
  const period = isDay(from) && isDay(to) ? customPeriod(today, { from, to }) : undefined;
  return period
    ? { period, fault: undefined }
    : { period: periodUntil(today, usual), fault: textsOf(dashboardTexts('reports'), { locale })('daysFault') };
}
