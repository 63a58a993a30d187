import { defined } from '../../wire/values.ts';
import type { DashboardForm } from '../form.ts';

const orAbsent = (text: string): string | undefined => text || undefined;

/** The API's body for a registration. */
export const registrationBody = (form: DashboardForm): Record<string, unknown> =>
  defined({
    country: form.text('country'),
    region: orAbsent(form.text('region')),
    ...registrationChangeBody(form),
  });

/** The fields of a registration that can change. An empty field clears its value. */
export const registrationChangeBody = (form: DashboardForm): Record<string, unknown> => ({
  scheme: form.text('scheme'),
  tax_id: orAbsent(form.text('tax_id')) ?? null,
  active_from: form.text('active_from'),
  expires_at: orAbsent(form.text('expires_at')) ?? null,
  business_buyers: orAbsent(form.text('business_buyers')) ?? null,
});

/** The body of an override for the API. Rates are typed in percent. */
export const overrideBody = (form: DashboardForm): Record<string, unknown> =>
  defined({
    country: form.text('country'),
    region: orAbsent(form.text('region')),
    postal_code_prefix: orAbsent(form.text('postal_code_prefix')),
    category: orAbsent(form.text('category')),
    mode: form.text('mode'),
    taxability: form.text('taxability'),
    components: ['1', '2'].flatMap((place) => componentOf(form, place)),
    effective_from: form.text('effective_from'),
    effective_to: orAbsent(form.text('effective_to')),
    reason: form.text('reason'),
    customer_id: orAbsent(form.text('customer_id')),
    certificate: orAbsent(form.text('certificate')),
  });

function componentOf(form: DashboardForm, place: string): { name: string; rate: string }[] {
  const [name, typed] = [form.text(`name_${place}`), form.text(`rate_${place}`)];
  return name === '' && typed === '' ? [] : [{ name, rate: rateOf(typed) }];
}

/** Converts `7.25` percent to `0.0725` by its digits. Other text stays unchanged, and the API refuses it. */
export function rateOf(percent: string): string {
  const [, whole = '', places = ''] = /^(\d{1,3})(?:[.,](\d{1,4}))?\s*%?$/.exec(percent) ?? [];
  if (whole === '') return percent;
  const digits = whole.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}${places}`;
}
