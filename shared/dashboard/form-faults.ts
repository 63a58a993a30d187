import type { DomainError, Fault } from '../domain/errors.ts';
import type { Rule } from '../domain/rules/rules.ts';
import { formatCount } from '../pages/format.ts';
import type { DashboardSection, TextKey } from '../texts/texts.ts';
import type { FormFault } from './parts.ts';
import type { Texts } from './texts.ts';

/** The texts for faults: those of the page's own section, and `faults` if the page has a form with a schema. */
export type FaultTexts = Pick<Texts<never>, 'find' | 'locale'>;

/**
 * The faults of a form at its fields, with the texts of the page. `names` has the field names of paths for which the
 * page uses another name.
 */
export function faultsOf(
  { code, details: { faults = [] }, broken }: DomainError,
  t: FaultTexts,
  names: Readonly<Record<string, string>> = {},
): FormFault[] {
  const unruled = code === 'CONFLICT' ? 'exists' : 'other';
  const say = (fault: Pick<Fault, 'rule' | 'values'>) => wordsOf(fault, unruled, t);
  if (faults.length === 0) return [{ field: '', message: say(broken ?? {}) }];
  return faults.map((fault) => ({ field: names[fault.path] ?? fault.path, message: say(fault) }));
}

/** The reason of a refusal as one text, for a place that is not a field. */
export const faultText = (refusal: DomainError, t: FaultTexts): string =>
  faultsOf(refusal, t)
    .map(({ message }) => message)
    .join(' ');

/** The text of a broken rule, from the texts of the page. */
function wordsOf(
  { rule, values = {} }: Pick<Fault, 'rule' | 'values'>,
  unruled: 'exists' | 'other',
  { find, locale }: FaultTexts,
): string {
  const words = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'number' ? formatCount(value, locale) : value,
  ]);
  const said = rule && find(`fault.${textKeyOf(rule)}`, Object.fromEntries(words));
  return said ?? find(`fault.${unruled}`) ?? '';
}

/** The rules for which a section of the texts has an own text. */
type Said<Key extends string> = Key extends `fault.${infer Name}` ? Name : never;

type Saying = Said<{ [Section in DashboardSection]: TextKey<Section> }[DashboardSection]>;

/** The text key for each rule that has no own text. */
const sharedTexts: Readonly<Record<Exclude<Rule, Saying>, Saying>> = {
  not_valid: 'other',
  wrong_type: 'other',
  exactly: 'one_of',
  access_level: 'one_of',
  true_or_false: 'one_of',
  unknown_field: 'other',
  renamed_field: 'other',
  empty: 'required',
  range: 'too_large',
  amount_size: 'too_large',
  amount_minimum: 'other',
  amount_minimum_or_zero: 'other',
  amount_maximum: 'other',
  total_minimum: 'other',
  charge_minimum: 'other',
  charge_maximum: 'other',
  discount_minimum: 'other',
  country_code: 'country',
  paid_currency: 'currency_code',
  language: 'one_of',
  id_length: 'id',
  date_time: 'day',
  years: 'day',
  decimal: 'decimal_places',
  absolute_address: 'https_address',
  plain_address: 'https_address',
  return_address: 'https_address',
  address_credentials: 'https_address',
  address_fragment: 'https_address',
  address_host: 'https_address',
  address_own: 'address_public',
  address_internal: 'address_public',
  key_missing: 'key_malformed',
  not_chosen: 'market_limits',
  price_type: 'other',
  price_discount: 'other',
  tax_flags: 'other',
  tax_anchor: 'country',
  market_country_missing: 'market_mode_missing',
  market_country_extra: 'market_mode_missing',
  image_id: 'image_unknown',
  image_bytes: 'image_unknown',
  image_large: 'image_unknown',
  image_parts: 'image_unknown',
  image_damaged: 'image_unknown',
  discount_end: 'end',
  discount_currencies: 'currency_code',
  discount_default: 'currency_code',
  discount_guests: 'required',
  entitlement_type: 'one_of',
  config_field: 'other',
  entitlement_file: 'one_of',
  legacy_files: 'other',
  key_duration: 'required',
  pool_by_hand: 'one_of',
  entitlement_twice: 'exists',
  key_not_enabled: 'other',
  key_twice: 'exists',
  cart_keys: 'too_large',
  registration_end: 'end',
  override_end: 'end',
  event_types: 'event_type',
  refund_lines: 'required',
  refund_type: 'one_of',
  refund_either: 'other',
  refund_tax: 'other',
  refund_tax_reason: 'one_of',
  refund_tax_only: 'other',
  refund_tax_alone: 'other',
  refund_currency: 'currency_code',
  refund_changed: 'exists',
  refund_step: 'other',
  refund_step_near: 'other',
  refund_line_low: 'positive',
  refund_line_high: 'too_large',
  refund_high: 'too_large',
};

const textKeyOf = (rule: Rule): string => (sharedTexts as Partial<Record<Rule, string>>)[rule] ?? rule;
