import { describe, expect, it } from 'vitest';
import type { Frame } from '../../shared/dashboard/frame.ts';
import { taxPage } from '../../shared/dashboard/tax/tax-page.ts';
import { noThresholdWatch } from '../../shared/domain/reports/thresholds.ts';
import { eInvoicingDutyOf } from '../../shared/tax/e-invoicing.ts';
import type { TaxSettings } from '../../shared/tax/rules/settings.ts';

const frame: Frame = {
  merchant: 'Example Books',
  isSandbox: true,
  viewer: { access: 'read', refunds: null, expiresAt: null, keyName: 'a key', member: null, formToken: 'token' },
  formId: 'form',
  done: undefined,
  locale: 'en',
  path: '/dashboard/tax',
};

const settings = (fields: Partial<TaxSettings> = {}): TaxSettings => ({
  ...{ merchantCountry: 'DE', registrations: [], overrides: [], collectPolicy: 'registered_only' },
  ...{ onUnsupported: 'reject', onUnverifiedTaxId: 'charge' },
  ...fields,
});

const registered = { id: 'reg_1', country: 'DE', scheme: 'standard', activeFrom: '2026-01-01' } as const;

describe('the page of taxes', () => {
  const shown = (own: Partial<TaxSettings>, today = '2026-11-22') =>
    taxPage(frame, {
      settings: settings(own),
      today,
      refused: undefined,
      thresholds: noThresholdWatch,
    }).body.replace(/<[^>]*>/g, '');

  it('warns that a reverse charge needs the seller’s own tax id before the first such sale', () => {
    expect(shown({ registrations: [registered] })).toContain('Invoices with reverse charge must show your tax id');
    expect(shown({})).not.toContain('must show your tax id');
  });

  it.each([
    ['BE', 'is no longer the legal invoice', 'January 1, 2026 of all sellers'],
    ['PL', 'is no longer the legal invoice', 'April 1, 2026 of all other sellers'],
    ['FR', 'is no longer the legal invoice', 'September 1, 2027 of all sellers'],
    ['DE', 'will not be the legal invoice', 'January 1, 2028 of all sellers'],
  ])('informs a merchant in %s that a PDF %s, and from which date', (merchantCountry, ...words) => {
    for (const word of words) expect(shown({ merchantCountry })).toContain(word);
  });

  it('shows no note about electronic invoices in countries where a PDF is a legal invoice', () => {
    for (const country of ['AT', 'IE', 'GB', 'US']) expect(eInvoicingDutyOf(country)).toBeUndefined();
    expect(shown({ merchantCountry: 'AT' })).not.toContain('legal invoice');
  });
});
