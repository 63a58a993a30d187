import type { ThresholdWatch } from '../../domain/reports/thresholds.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import type { DashboardForm } from '../form.ts';
import type { FormFault } from '../parts.ts';

export interface TaxView {
  settings: TaxSettings;
  countries: readonly string[];
  /** Today, such as `2026-03-01`. It decides which periods have begun and ended. */
  today: string;
  thresholds: ThresholdWatch;
  /** The entries of the refused form. */
  typed: DashboardForm | undefined;
  faults: readonly FormFault[];
}
