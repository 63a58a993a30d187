import { describe, expect, it } from 'vitest';
import { checkoutPage } from '../../shared/checkout-page/views/checkout-page.ts';
import type { TaxComponent } from '../../shared/domain/checkout/tax.ts';
import type { Locale } from '../../shared/pages/locale.ts';
import { totalsOf } from '../../shared/pages/totals.ts';
import { component, fixed, quoteOf, session, sessionLine, view } from './builders.ts';
import { visibleText } from './markup.ts';

const at = (unitAmount: number, taxInclusive: boolean, currency = 'EUR', quantity = 1) =>
  session({ lines: [sessionLine({ price: { ...fixed, unitAmount, taxInclusive, currency }, quantity })] });

/** What stands below the lines. */
function totals(of: ReturnType<typeof session>, components: TaxComponent[], locale: Locale = 'en'): string {
  const page = checkoutPage(view({ session: of, quote: quoteOf(of, components), context: { locale } }));
  return visibleText(page.slice(page.indexOf('<dl class="totals">'), page.indexOf('</dl>'))).replace(
    /[\u00A0\u202F]/g,
    ' ',
  );
}

describe('the tax rows of an order summary', () => {
  it('stand between the subtotal and the total, even if the price includes the tax', () => {
    // 1999 × 19/119 = 319.17…
    expect(totals(at(1_999, true), [component()])).toBe('Subtotal without tax €16.80 VAT 19% €3.19 Total €19.99');
  });

  it('add up to the total if the tax is added to the price', () => {
    expect(totals(at(10_000, false), [component()])).toBe('Subtotal without tax €100.00 VAT 19% €19.00 Total €119.00');
  });

  it('show each tax of Québec on a separate row, and never their sum', () => {
    const quebec = [
      component({ name: 'GST', jurisdiction: 'CA', rate: '0.05' }),
      component({ name: 'QST', jurisdiction: 'CA-QC', rate: '0.09975' }),
    ];
    const text = totals(at(10_000, false, 'CAD'), quebec);
    expect(text).toBe('Subtotal without tax CA$100.00 GST 5% CA$5.00 QST 9.975% CA$9.98 Total CA$114.98');
    expect(totals(at(10_000, true, 'CAD'), quebec)).not.toContain('14.975');
    expect(totals(at(10_000, false, 'CAD'), quebec, 'fr')).toContain('TVQ 9,975 %');
  });

  it('show the part of the price to which a tax applies', () => {
    const texas = component({ name: 'State sales tax', jurisdiction: 'US-TX', rate: '0.0625', baseFraction: '0.8' });
    expect(totals(at(10_000, false, 'USD'), [texas])).toContain('State sales tax 6.25% on 80% of the price $5.00');
  });

  it('show a tax once if only one of two prices includes it', () => {
    const mixed = session({
      lines: [sessionLine(), sessionLine({ productId: 'pdt_2', price: { ...fixed, taxInclusive: false } })],
    });
    const page = visibleText(checkoutPage(view({ session: mixed, quote: quoteOf(mixed, [component()]) })));
    // the third is the tax that the list above the Pay button adds
    expect(page.match(/tax included|plus tax/g)).toEqual(['tax included', 'plus tax', 'plus tax']);
    expect(visibleText(checkoutPage(view({ session: at(1, true) })))).not.toContain('tax included');
    expect(totals(mixed, [component()])).toBe('Subtotal without tax €36.79 VAT 19% €6.99 Total €43.78');
  });

  it('show a tax once for all lines that share it', () => {
    const lines = [sessionLine(), sessionLine({ productId: 'pdt_2' })];
    expect(totals(session({ lines }), [component()])).toBe('Subtotal without tax €33.60 VAT 19% €6.38 Total €39.98');
  });

  it.each([
    ['no_tax', 'Total €19.99'],
    ['not_collecting', 'Total €19.99'],
    ['unsupported', 'Total €19.99'],
    ['not_taxable', 'Total €19.99'],
    ['exempt', 'Subtotal without tax €19.99 Exempt from VAT Total €19.99'],
    ['reverse_charge', 'Subtotal without tax €19.99 Reverse charge: you account for the VAT Total €19.99'],
  ] as const)('explain a tax that is zero by reason %s: %s', (reason, text) => {
    expect(totals(at(1_999, true), [component({ rate: null, reason })])).toBe(text);
  });

  it('show 0 % if the rate is zero, for prices with and without tax', () => {
    const zero = [component({ rate: '0', reason: 'zero_rated' })];
    expect(totals(at(1_999, true), zero)).toBe('Subtotal without tax €19.99 VAT 0% €0.00 Total €19.99');
    expect(totals(at(1_999, false), zero)).toBe('Subtotal without tax €19.99 VAT 0% €0.00 Total €19.99');
  });

  it('omit a tax that is not collected if another tax is collected', () => {
    const partly = [
      component({ name: 'GST', rate: '0.05' }),
      component({ name: 'QST', rate: null, reason: 'not_collecting' }),
    ];
    expect(totals(at(10_000, false, 'CAD'), partly)).toBe(
      'Subtotal without tax CA$100.00 GST 5% CA$5.00 Total CA$105.00',
    );
  });

  it('show a tax whose amount rounds to zero, because it was charged', () => {
    expect(totals(at(1, true), [component()])).toBe('Subtotal without tax €0.01 VAT 19% €0.00 Total €0.01');
  });

  it.each([
    ['de', 'Zwischensumme ohne Steuer 16,80 € MwSt. 19 % 3,19 € Gesamt 19,99 €'],
    ['fr', 'Sous-total hors taxes 16,80 € TVA 19 % 3,19 € Total 19,99 €'],
    ['es', 'Subtotal sin impuestos 16,80 € IVA 19 % 3,19 € Total 19,99 €'],
    ['pt', 'Subtotal sem imposto 16,80 € IVA 19% 3,19 € Total 19,99 €'],
    ['it', 'Subtotale senza imposte 16,80 € IVA 19% 3,19 € Totale 19,99 €'],
    ['nl', 'Subtotaal zonder belasting € 16,80 Btw 19% € 3,19 Totaal € 19,99'],
    ['sv', 'Delsumma utan skatt 16,80 € Moms 19 % 3,19 € Totalt 19,99 €'],
    ['pl', 'Suma bez podatku 16,80 € VAT 19% 3,19 € Razem 19,99 €'],
    ['ja', '小計（税抜） €16.80 付加価値税 19% €3.19 合計 €19.99'],
  ] as const)('are written in the language of the page: %s', (locale, text) => {
    expect(totals(at(1_999, true), [component()], locale)).toBe(text);
  });

  it('add up to the quote for every cart', () => {
    const lines = [1, 7, 333].map((unitAmount, index) =>
      sessionLine({
        productId: `pdt_${index}`,
        price: { ...fixed, unitAmount, taxInclusive: index !== 1 },
        quantity: index + 1,
      }),
    );
    const of = session({ lines });
    const priced = quoteOf(of, [component({ rate: '0.09' }), component({ name: 'GST', rate: '0.09' })]);
    const { total, net, taxes } = totalsOf(priced.lines.map((line, index) => ({ ...line, taxInclusive: index !== 1 })));
    expect({ total, net }).toEqual({ total: priced.gross, net: priced.net });
    expect(taxes.reduce((so, { amount }) => so + amount, net ?? 0)).toBe(total);
  });
});
