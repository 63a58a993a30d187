import type { ThresholdWatch } from '../../domain/reports/thresholds.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import type { Filled } from '../entries.ts';
import type { FormFault } from '../parts.ts';

export interface TaxView {
  settings: TaxSettings;
  /** Today, such as `2026-03-01`. It decides which periods have begun and ended. */
  today: string;
  thresholds: ThresholdWatch;
  /** The form that was refused and is shown again. */
  refused: RefusedTaxForm | undefined;
}

export interface RefusedTaxForm {
  /** The command of the form's button. */
  action: string;
  /** The rule that the form changes; empty for a new one. */
  id: string;
  filled: Filled;
  faults: readonly FormFault[];
}
