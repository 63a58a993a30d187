import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payments } from '../../../../shared/wiring/runtime.ts';
import { type BookSeller, openBookShop, quarters } from '../../../support/returns/book-seller.ts';
import { rowsIn } from '../../../support/returns/filing.ts';

describe('a German seller without a registration', { shuffle: false }, () => {
  let seller: BookSeller;
  let exempt = '';
  let donated = '';
  beforeAll(async () => {
    seller = await openBookShop('DE');
  });
  afterAll(() => seller.close());

  const ownRate = async (fields: Record<string, string>) => {
    const rate = { country: 'DE', mode: 'replace', effective_from: '2030-01-01', ...fields };
    expect((await seller.post('/dashboard/tax', { action: 'add_override', ...rate })).status).toBe(303);
  };
  const document = async (paymentId: string, format: 'json' | 'html') => {
    const { documentSecret } = await payments().get(paymentId);
    return seller.look(`/invoices/payments/${paymentId}`, `secret=${documentSecret}&format=${format}&lang=en`);
  };

  it('prints the sentence of its own exemption, and no registration', async () => {
    await ownRate({ taxability: 'exempt', reason: '§ 19 UStG', category: 'e_book' });
    exempt = await seller.sell(await seller.addBook('EUR'), { country: 'DE' });
    const { calculation, tax, gross } = await payments().get(exempt);
    expect([calculation.registrations, calculation.schemes, tax, gross]).toEqual([[], undefined, 0, 1_070]);
    const invoice = JSON.parse(await document(exempt, 'json'));
    expect(invoice).toMatchObject({ exemptions: ['§ 19 UStG'], tax: 0 });
    expect(invoice.seller.tax_ids.filter(({ scheme }: { scheme: string | null }) => scheme !== null)).toEqual([]);
    expect(await document(exempt, 'html')).toContain('Exempt from tax: § 19 UStG');
  });

  it('sells a donation as a product of its own category, outside the scope, whose document names no tax', async () => {
    await ownRate({ taxability: 'outside_scope', reason: 'Donation', category: 'edtech' });
    const donation = await seller.addBook('EUR', { name: 'Donation', tax_category: 'edtech' });
    donated = await seller.sell(donation, { country: 'DE' });
    const invoice = JSON.parse(await document(donated, 'json'));
    expect(invoice).toMatchObject({ net_amount: 1_070, tax: 0, total_amount: 1_070, exemptions: [] });
    expect(invoice.taxes).toMatchObject([{ tax_components: [{ reason: 'no_tax', rate: null, amount: 0 }] }]);
    const [, page = ''] = (await document(donated, 'html')).split('<body');
    expect([page.includes('Donation'), />[^<]*\d ?%/.test(page), page.includes('Exempt from tax')]).toEqual([
      ...[true, false, false],
    ]);
  });

  it('finds the exempt sale and the donation in rows of the home return that have no number', async () => {
    await seller.at('2031-04-10T12:00:00Z');
    const home = await seller.make('home', quarters.Q1);
    expect(rowsIn(home.files['return'], 'total')).toEqual([
      'total,,home,,,,exempt,,,,,EUR,10.70,0.00,10',
      'total,,home_no_tax,,,,no_tax,,,,,EUR,10.70,0.00,10',
    ]);
    await seller.file(home);
    for (const [sale, row] of [
      [exempt, 'home exempt'],
      [donated, 'home_no_tax'],
    ] as const)
      expect(await seller.why(sale)).toMatch(new RegExp(`<code>${row}</code></div></td></tr>`));
  });
});
