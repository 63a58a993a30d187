import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { placesOf } from '../../shared/checkout-page/form/places.ts';
import { checkoutPage } from '../../shared/checkout-page/views/checkout-page.ts';
import type { PayWhatYouWant } from '../../shared/domain/catalogue/pay-what-you-want.ts';
import { testCards } from '../../shared/outside/processor/sandbox/sandbox-cards.ts';
import { checkoutStylesHash } from '../../shared/pages/assets/asset.ts';
import { languageAttributes } from '../../shared/pages/direction.ts';
import { locales } from '../../shared/pages/locale.ts';
import { component, fixed, payWhatYouWant, quoteOf, session, sessionLine, view } from '../pages/builders.ts';
import { valuesOf, visibleText } from '../pages/markup.ts';
import { settings } from '../tax/builders.ts';

const choosing = (fields: Partial<PayWhatYouWant> = {}) =>
  session({ lines: [sessionLine({ price: { ...payWhatYouWant, ...fields } })] });

const page = (...fields: Parameters<typeof view>) => checkoutPage(view(...fields));

const hidden = (markup: string, name: string) =>
  new RegExp(`<input type="hidden" name="${name}" value="([^"]*)">`).exec(markup)?.[1];

describe('the fields of the checkout page', () => {
  it('do not include region, postal code or tax id before a country is chosen', () => {
    const names = valuesOf(page(), 'name');
    for (const name of ['region', 'postal_code', 'tax_id', 'business_name']) expect(names).not.toContain(name);
    for (const name of ['email', 'name', 'country', 'card']) expect(names).toContain(name);
  });

  it.each([
    ['US', ['region']],
    ['CA', ['region', 'tax_id', 'business_name']],
    ['IN', ['region', 'tax_id', 'business_name']],
    ['DE', ['postal_code', 'tax_id', 'business_name']],
    ['ES', ['postal_code', 'tax_id', 'business_name']],
    ['IE', ['tax_id', 'business_name']],
    ['NO', ['tax_id', 'business_name']],
    ['NZ', ['tax_id', 'business_name']],
    ['XK', []],
  ])('include in %s the fields %j', (country, fields) => {
    const markup = page({ buyer: { country } });
    const outside = markup.replace(/<details id="business">[\s\S]*?<\/details>/, (found) =>
      found.replace(/name="(?:street|city|postal_code)"/g, ''),
    );
    const asked = ['region', 'postal_code', 'tax_id', 'business_name'].filter((name) =>
      valuesOf(outside, 'name').includes(name),
    );
    expect(asked).toEqual(fields);
  });

  it('say in their labels whether they may stay empty', () => {
    const labels = (fields: Parameters<typeof view>[0]) => visibleText(page(fields));
    const german = labels({ buyer: { country: 'DE' } });
    for (const optional of ['Postal code', 'Tax ID', 'Business name', 'Street and number', 'City'])
      expect(german).toContain(`${optional} (optional)`);
    for (const required of ['E-mail', 'Name', 'Country']) expect(german).not.toContain(`${required} (optional)`);
  });

  it('explain the format of two Canadian tax numbers, and what a buyer declares with an Australian one', () => {
    expect(page({ buyer: { country: 'CA', region: 'ON' } })).toContain('GST/HST number, QST number, or both');
    expect(page({ buyer: { country: 'AU' } })).toContain('you state that your business is registered for GST');
    expect(page({ buyer: { country: 'DE' } })).not.toMatch(/GST/);
  });

  it('show how a tax id of the chosen country is written', () => {
    expect(page({ buyer: { country: 'DE' } })).toContain('For example DE123456789.');
    expect(page({ buyer: { country: 'AU' } })).toContain('For example 12345678901. By giving your ABN');
    expect(page({ buyer: { country: 'US', region: 'NY' } })).not.toContain('For example');
  });

  it('list the countries last to which the order cannot be sold, and then the button does not look ready', () => {
    const places = placesOf(settings(), ['e_book'], '2026-06-01');
    const listed = page({ places, buyer: { country: 'DE' } });
    const [sold = '', unsold = ''] = listed.split('<optgroup label="Not sold here">');
    expect([sold, unsold].map((part) => />(Zambia|Afghanistan)</.exec(part)?.[1])).toEqual(['Zambia', 'Afghanistan']);
    expect(listed).not.toMatch(/id="pay"[^>]*aria-disabled/);
    expect(page({ places, buyer: { country: 'AF' } })).toMatch(/id="pay"[^>]*aria-disabled/);
  });

  it('take amounts on a keyboard without a decimal sign in a currency without decimals', () => {
    const yen = { ...payWhatYouWant, currency: 'JPY' };
    expect(page({ session: choosing() })).toContain('inputmode="decimal"');
    expect(page({ session: session({ currency: 'JPY', lines: [sessionLine({ price: yen })] }) })).toContain(
      'inputmode="numeric"',
    );
  });

  it('never include a field for a card number', () => {
    const types = page({ session: choosing(), buyer: { country: 'DE' } }).match(/<input[^>]*name="card"[^>]*>/g) ?? [];
    expect(types).toHaveLength(testCards.length);
    expect(types.every((input) => input.startsWith('<input type="radio"'))).toBe(true);
  });

  it('include no test cards in live mode, or when the total is zero', () => {
    const free = session({ lines: [sessionLine({ price: { ...fixed, unitAmount: 0 } })] });
    const markup = page({ session: free });
    expect(valuesOf(markup, 'name')).not.toContain('card');
    expect(visibleText(markup)).toContain('Get it for free');
    expect(visibleText(page({ context: { isSandbox: false } }))).not.toContain('no money moves');
  });

  it('show the data of the session, and a known customer can keep the stored address', () => {
    const known = session({
      customer: { id: 'cus_1', email: 'ada@example.com', name: 'Ada' },
      billing: { country: 'CA', state: 'Québec' },
    });
    const markup = page({ session: known, buyer: { email: 'eve@example.com' } });
    expect(markup).toMatch(/<input type="email" value="ada@example.com" id="email"[^>]* readonly/);
    expect(markup).toContain('<option value="QC" selected>');
    expect(markup).not.toContain('eve@');
  });

  it('show the business section open when one of its fields has a value', () => {
    expect(page({ buyer: { country: 'DE', tax_id: 'DE123' } })).toContain('<details id="business" open>');
    expect(page({ buyer: { country: 'DE' } })).toContain('<details id="business">');
  });
});

describe('the pay-what-you-want field', () => {
  it('starts with the suggestion, or else empty and focused, and then the button waits', () => {
    const first = (fields: Partial<PayWhatYouWant>) =>
      /id="amount-0"[^>]*value="([^"]*)"/.exec(page({ session: choosing(fields) }))?.[1];
    expect([first({}), first({ suggested: null })]).toEqual(['15.00', '']);
    const open = page({ session: choosing({ suggested: null }) });
    expect(open).toMatch(/id="amount-0"[^>]* autofocus/);
    expect(open).toMatch(/<button id="pay"[^>]* aria-disabled="true"/);
    expect(page({ session: choosing() })).not.toMatch(/id="amount-0"[^>]* autofocus|id="pay"[^>]* aria-disabled/);
  });

  it.each([
    [{}, 'Pay what you want, from €5.00.'],
    [{ maximum: 9_000 }, 'Pay what you want, from €5.00 to €90.00.'],
    [{ minimum: 0, maximum: 9_000 }, 'Pay what you want, up to €90.00.'],
    [{ minimum: 0 }, 'Pay what you want.'],
  ])('shows the limits of %j', (fields, hint) => {
    expect(visibleText(page({ session: choosing(fields) }))).toContain(hint);
  });

  it('marks the suggestion that is chosen', () => {
    const markup = page({ session: choosing() });
    expect(markup).toMatch(/value="pdt_\w+:1500" aria-pressed="true" data-amount="15.00">€15.00/);
    expect(markup).toMatch(/value="pdt_\w+:1000" aria-pressed="false" data-amount="10.00">€10.00/);
  });

  it('uses the value of a clicked suggestion without a script', () => {
    const markup = page({
      session: choosing(),
      form: { preset: { productId: sessionLine().productId, amount: 3_000 } },
    });
    expect(markup).toMatch(/id="amount-0"[^>]*value="30.00"/);
    expect(hidden(markup, 'expected_total')).toBe('3000');
  });

  it('is replaced by a plain price when the session sets the amount', () => {
    const locked = session({ lines: [sessionLine({ price: payWhatYouWant, amount: 700, quantity: 2 })] });
    const markup = page({ session: locked });
    expect(markup).not.toContain('id="amount-0"');
    expect(visibleText(markup)).toContain('€14.00 2 × €7.00');
  });

  it('keeps typed text that is no amount, and then the page shows no total', () => {
    const typed = new Map([[sessionLine().productId, '1.234']]);
    const markup = page({ session: choosing(), form: { amounts: typed } });
    expect(markup).toMatch(/id="amount-0"[^>]*value="1.234"/);
    expect(hidden(markup, 'expected_total')).toBe('');
    expect(visibleText(markup)).toContain('Total –');
  });
});

describe('the Pay button', () => {
  const button = (markup: string) => visibleText(/<button id="pay"[\s\S]*?<\/button>/.exec(markup)?.[0] ?? '');
  const priced = (country: string, fields: Parameters<typeof view>[0] = {}) =>
    page({ buyer: { country }, quote: quoteOf(session()), ...fields });

  it.each([
    ['US', '', 'Pay €19.99'],
    ['US', 'Stripe', 'Continue to pay €19.99'],
    ['DE', '', 'Order with obligation to pay'],
    ['DE', 'Stripe', 'Order with obligation to pay'],
    ['GB', 'Stripe', 'Order with obligation to pay'],
  ])(
    'for a buyer in %s with the processor %j reads %j, and the amount stands above it',
    (country, processorTitle, words) => {
      const markup = priced(country, { processorTitle });
      expect(button(markup)).toBe(words);
      expect(visibleText(markup.slice(markup.indexOf('class="due"'), markup.indexOf('<button id="pay"')))).toContain(
        '€19.99',
      );
    },
  );

  it('has below it the processor and its methods, or cards if the order takes only these', () => {
    const below = (of: ReturnType<typeof session>, processorTitle: string) => {
      const markup = priced('DE', { session: of, processorTitle });
      return visibleText(markup.slice(markup.indexOf('<button id="pay"')));
    };
    expect(below(session(), 'Stripe')).toContain('at Stripe: by card or in another way that is offered there.');
    expect(below(session({ takesCardsOnly: true }), 'Stripe')).toContain(
      'You pay by card on the next page, at Stripe.',
    );
    expect(below(session(), '')).not.toContain('next page');
  });

  it('knows the typed total only for one unit of one product', () => {
    const typedOf = (markup: string) => hidden(markup, 'typed_total');
    const line = sessionLine({ price: payWhatYouWant });
    expect(typedOf(page({ session: session({ lines: [line] }) }))).toBe('1500');
    for (const lines of [[line, sessionLine({ productId: 'pdt_2' })], [{ ...line, quantity: 2 }], [sessionLine()]])
      expect(typedOf(page({ session: session({ lines }) }))).toBe('');
  });
});

describe('the total on the page', () => {
  it('is shown before a country is chosen when prices include tax', () => {
    const markup = page();
    expect(hidden(markup, 'expected_total')).toBe('1999');
    expect(visibleText(markup)).toContain('Pay €19.99');
    expect(visibleText(markup)).toContain('Tax is included. Choose your country');
  });

  it('is not shown before a country is chosen when tax is added', () => {
    const added = session({ lines: [sessionLine({ price: { ...fixed, taxInclusive: false } })] });
    const markup = page({ session: added });
    expect(hidden(markup, 'expected_total')).toBe('');
    expect(visibleText(markup)).toContain('Tax is added after you choose your country.');
  });

  it('is a subtotal while the tax is unknown and one price includes tax and another does not', () => {
    const [added, included] = [false, true].map((taxInclusive) => sessionLine({ price: { ...fixed, taxInclusive } }));
    const markup = page({ session: session({ lines: [added!, included!] }), buyer: { country: 'US' } });
    expect(hidden(markup, 'expected_total')).toBe('');
    expect(visibleText(markup)).toContain('Subtotal €39.98 Choose your state or province to see the tax.');
    expect(visibleText(markup)).not.toContain('–');
  });

  it('is the total of the quote when there is one', () => {
    const added = session({ lines: [sessionLine({ price: { ...fixed, taxInclusive: false } })] });
    // 1999 + round(1999 × 0.19 = 379.81) = 2379
    const markup = page({ session: added, buyer: { country: 'DE' }, quote: quoteOf(added, [component()]) });
    expect(hidden(markup, 'expected_total')).toBe('2379');
  });

  it('is replaced by a request for the region when the tax depends on the region', () => {
    expect(visibleText(page({ buyer: { country: 'US' } }))).toContain('Choose your state or province to see the tax.');
  });
});

describe('errors in the form', () => {
  const faults = [
    { field: 'email', key: 'fault.email.missing' },
    { field: 'card', key: 'fault.card.missing' },
  ] as const;

  it('are listed with a link to each field, and also shown at the field', () => {
    const markup = page({ advice: { faults: [...faults], notice: null } });
    expect(markup).toContain('<a href="#email">Enter your e-mail address.</a>');
    expect(markup).toContain('<a href="#card-0">');
    expect(markup).toMatch(/id="email"[^>]*aria-describedby="email-fault" aria-invalid="true"/);
    expect(markup).toContain('<p class="fault" id="email-fault">Enter your e-mail address.</p>');
  });

  it('are listed with field names when their texts are equal, and those fields are not called optional', () => {
    const address = ['street', 'city'].map((field) => ({ field, key: 'fault.address.missing' as const }));
    const markup = page({ buyer: { country: 'FR' }, advice: { faults: address, notice: null } });
    expect(markup).toContain('<a href="#street">Street and number</a>');
    expect(markup).toContain('<a href="#city">City</a>');
    expect(markup).toContain('<label for="street">Street and number</label>');
    expect(page({ buyer: { country: 'FR' } })).toContain('<label for="street">Street and number (optional)</label>');
  });

  it('receive the keyboard focus', () => {
    expect(page({ advice: { faults: [...faults], notice: null } })).toContain('role="alert" tabindex="-1" autofocus');
  });

  it('are shown only at the field while the buyer is still typing', () => {
    const markup = page({ form: { action: 'refresh' }, advice: { faults: [...faults], notice: null } });
    expect(markup).not.toContain('role="alert"');
    expect(markup).toContain('<p class="fault" id="email-fault">Enter your e-mail address.</p>');
  });

  it('are shown together with a notice of the new total', () => {
    const markup = page({ advice: { faults: [], notice: { key: 'notice.total_changed' } } });
    expect(visibleText(markup)).toContain('The total is now €19.99.');
  });
});

describe('every checkout page', () => {
  const everything = () =>
    view({
      session: choosing(),
      buyer: { country: 'CA', region: 'QC' },
      advice: { faults: [{ field: 'amount-0', key: 'fault.amount.missing' }], notice: null },
    });

  it('uses each HTML id once, and every label, description and link refers to an existing id', () => {
    const markup = checkoutPage(everything());
    const ids = valuesOf(markup, 'id');
    expect(new Set(ids).size).toBe(ids.length);
    const referred = [...valuesOf(markup, 'for'), ...valuesOf(markup, 'aria-labelledby'), ...valuesOf(markup, 'form')];
    const described = valuesOf(markup, 'aria-describedby').flatMap((list) => list.split(' '));
    const linked = valuesOf(markup, 'href')
      .filter((href) => href.startsWith('#'))
      .map((href) => href.slice(1));
    for (const id of [...referred, ...described, ...linked]) expect(ids).toContain(id);
  });

  it('has a label for every visible control', () => {
    const markup = checkoutPage(everything());
    const controls =
      markup.match(/<(?:input|select)\b[^>]*>/g)?.filter((control) => !control.includes('type="hidden"')) ?? [];
    const labelled = valuesOf(markup, 'for');
    for (const control of controls) expect(labelled).toContain(/\sid="([^"]+)"/.exec(control)?.[1]);
  });

  it('has no inline script or style except the one style whose hash is in the security policy', () => {
    const markup = checkoutPage(everything());
    expect(markup).not.toMatch(/\sstyle="|\son\w+="|<script(?![^>]*\ssrc=)/);
    const styles = [...markup.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, text = '']) => text);
    const hashes = styles.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    expect(hashes).toEqual([checkoutStylesHash]);
  });

  it('has no style and no icon when the script requests it to replace a part of an open page', () => {
    const markup = page({ context: { isFragment: true } });
    expect(markup).toContain('<main id="main">');
    expect(markup).not.toMatch(/<style|data:image/);
  });

  it('loads files only from its own origin', () => {
    const loaded = [...checkoutPage(everything()).matchAll(/<(?:link|script)[^>]*(?:href|src)="([^"]*)"/g)].map(
      ([, address]) => address,
    );
    const elsewhere = loaded.filter((address) => !address?.startsWith('/assets/'));
    expect(elsewhere).toEqual([expect.stringMatching(/^data:image\/svg\+xml,/)]);
  });

  it.each(locales)('declares its language %s, and keeps it in all links and forms', (locale) => {
    const markup = page({ context: { locale } });
    expect(markup).toContain(`<html${languageAttributes(locale)}>`);
    const targets = [...markup.matchAll(/ (?:form)?action="([^"]*)"/g)].map(([, target]) => target);
    expect(targets.filter((target) => !target?.endsWith(`?lang=${locale}`))).toEqual([]);
    expect(visibleText(markup)).not.toMatch(/\{\w+\}/);
  });

  it('pays with the Enter key, even if another button comes first on the screen', () => {
    const markup = page({ session: choosing() });
    const [first] = markup.match(/<button[^>]*>/) ?? [];
    expect(first).not.toContain('formaction');
    expect(markup).toMatch(/<form id="checkout" method="post" action="\/checkout\/cks_\d+\/pay\?lang=en"/);
  });

  it('pays only with the Pay button', () => {
    const buttons = page({ session: choosing() }).match(/<button[^>]*>/g) ?? [];
    const paying = buttons.filter((button) => !/ formaction="\/checkout\/cks_\d+\/quote\?/.test(button));
    expect(paying).toHaveLength(2);
    expect(paying[1]).toContain('id="pay"');
  });

  it('shows the seller’s colour, logo and return link', () => {
    const brand = { name: 'Œuvre & Söhne', color: '#Ff8800', logo: 'https://cdn.example/logo.svg', supportEmail: null };
    const markup = page({ context: { brand }, session: session({ cancelUrl: 'https://example.com/cart' }) });
    expect(markup).toContain('href="/assets/brand-ff8800.css"');
    expect(markup).toContain('src="https://cdn.example/logo.svg"');
    expect(markup).toContain('<a href="https://example.com/cart">Cancel and return to Œuvre &amp; Söhne</a>');
    expect(markup).not.toContain('mailto:');
  });
});
