import type { TaxSettings } from '../../tax/rules/settings.ts';
import type { DashboardForm } from '../form.ts';
import type { FormFault } from '../parts.ts';

export interface TaxView {
  settings: TaxSettings;
  countries: readonly string[];
  /** `2026-03-01`: what has begun and what is over. */
  today: string;
  /** What was typed into the form that was refused, and which one it is. */
  typed: DashboardForm | undefined;
  faults: readonly FormFault[];
}
