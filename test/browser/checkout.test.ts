import { afterEach, describe, expect, it } from 'vitest';
import { xssPayloads } from '../pages/xss-payloads.ts';
import { clock } from '../support/clock.ts';
import { campaign } from '../support/seeded.ts';
import { openedShop } from './opened-shop.ts';
import {
  accessibilityFaults,
  chooseCard,
  due,
  euroBook,
  introduce,
  overflow,
  picture,
  supportPrice,
  totals,
} from './shop.ts';

const { shop, browsing } = openedShop();

afterEach(() => clock.run());

const sizes = [
  { size: 'desktop', width: 1_000 },
  { size: '320 px', width: 320 },
];

describe.each(campaign(sizes, sizes, sizes.slice(1)))('a checkout on $size', ({ size, width }) => {
  it('a buyer pays a price that includes tax and sees the included tax', async () => {
    const url = await shop.checkout([await shop.product(euroBook)], {
      return_url: shop.returnUrl,
      cancel_url: shop.returnUrl,
    });
    const { page, complaints } = await browsing.visit(url, { width, leadsTo: shop.returnUrl });
    await introduce(page, { country: 'DE' });
    await page.getByText('VAT 7%').waitFor();
    expect(await totals(page)).toEqual(['Subtotal without tax €18.68', 'VAT 7% €1.31', 'Total €19.99']);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await picture(page, `inclusive-${size}`);
    await page.click('#pay');
    await page.waitForURL((address) => address.pathname === '/thanks');
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      order: '7',
      payment_id: expect.stringMatching(/^pay_/),
      status: 'succeeded',
      email: 'ada@example.com',
    });
    expect(await shop.payment(url)).toMatchObject({ status: 'succeeded', total_amount: 1_999, tax: 131 });
    expect(complaints).toEqual([]);
  });

  it('a buyer chooses a price, sees the new total, and gets a receipt', async () => {
    const url = await shop.checkout([
      await shop.product(supportPrice, { name: 'Support our work', tax_category: 'digital_products' }),
    ]);
    const { page, complaints } = await browsing.visit(url, { width });
    await introduce(page, { country: 'DE' });
    await page.fill('#amount-0', '1,190.00');
    await due(page, '€1,190.00');
    expect(await totals(page)).toEqual(['Subtotal without tax €1,000.00', 'VAT 19% €190.00', 'Total €1,190.00']);
    await page.getByRole('button', { name: '€30.00' }).click();
    await due(page, '€30.00');
    expect(await page.inputValue('#amount-0')).toBe('30.00');
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, `pay-what-you-want-${size}`);
    await page.click('#pay');
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(page.url()).toBe(`${url}?lang=en`);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await picture(page, `receipt-${size}`);
    expect(await shop.payment(url)).toMatchObject({ status: 'succeeded', total_amount: 3_000, tax: 479 });
    expect(complaints).toEqual([]);
  });

  it('the page is accessible in dark colours, with every field and every error shown', async () => {
    const products = [await shop.product(supportPrice), await shop.product({ ...euroBook, tax_inclusive: false })];
    const { page } = await browsing.visit(await shop.checkout(products, { cancel_url: shop.returnUrl }), {
      width,
      dark: true,
      locale: 'de-DE',
    });
    await page.selectOption('#country', 'DE');
    await page.getByText('Ich kaufe für ein Unternehmen').click();
    await page.fill('#tax_id', 'DE000000000');
    await page.fill('#amount-0', '1,2345');
    await page.getByText('Das ist keine gültige USt-IdNr. oder Steuernummer').waitFor();
    await page.getByText('höchstens 2 Nachkommastellen').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.click('#pay');
    await page.locator('.advice').waitFor();
    expect(await page.evaluate('document.activeElement.className')).toBe('advice');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await picture(page, `faults-dark-${size}`);
  });
});

describe('the price while the buyer types', () => {
  it('is updated without moving the cursor, the focus or the scroll position', async () => {
    const { page } = await browsing.visit(await shop.checkout([await shop.product(supportPrice)]));
    await page.selectOption('#country', 'DE');
    await page.getByText(/^VAT \d/).waitFor();
    await page.click('#amount-0');
    await page.keyboard.press('Home');
    await page.evaluate('document.getElementById("amount-0").dataset.same = "yes"');
    await page.keyboard.type('2');
    await due(page, '€215.00');
    const input = 'document.getElementById("amount-0")';
    expect(
      await page.evaluate(`[document.activeElement === ${input}, ${input}.selectionStart, ${input}.value]`),
    ).toEqual([true, 1, '215.00']);
  });

  it('is updated without changing text that the buyer types in the meantime', async () => {
    const { page } = await browsing.visit(await shop.checkout([await shop.product(supportPrice)]));
    const typed = Promise.withResolvers<void>();
    await page.route('**/checkout/*/quote?*', async (route) => {
      await typed.promise;
      await route.continue();
    });
    const asked = page.waitForRequest('**/checkout/*/quote?*');
    await page.fill('#amount-0', '20');
    await asked;
    await page.fill('#email', 'late@example.com');
    typed.resolve();
    await due(page, '€20.00');
    expect(await page.inputValue('#email')).toBe('late@example.com');
    expect(await page.inputValue('#amount-0')).toBe('20');
  });

  it('is updated without changing fields that the buyer filled in the meantime, or closing what the buyer opened', async () => {
    const { page } = await browsing.visit(
      await shop.checkout([await shop.product(supportPrice, { tax_category: 'saas' })]),
    );
    await page.selectOption('#country', 'FR');
    await page.getByText('VAT 20%').waitFor();
    const typed = Promise.withResolvers<void>();
    await page.route('**/checkout/*/quote?*', async (route) => {
      await typed.promise;
      await route.continue();
    });
    await page.fill('#email', 'a');
    await page.fill('#name', 'A');
    const asked = page.waitForRequest('**/checkout/*/quote?*');
    await page.selectOption('#country', 'DE');
    await asked;
    await page.fill('#email', 'ada@example.com');
    await page.fill('#name', 'Ada Lovelace');
    await page.getByText('I am buying for a business').click();
    typed.resolve();
    await page.getByText('VAT 19%').waitFor();
    expect(await page.inputValue('#email')).toBe('ada@example.com');
    expect(await page.inputValue('#name')).toBe('Ada Lovelace');
    expect(await page.evaluate('document.getElementById("business").open')).toBe(true);
  });

  it('ignores an outdated answer that arrives late', async () => {
    const { page } = await browsing.visit(await shop.checkout([await shop.product(supportPrice)]));
    const late = Promise.withResolvers<void>();
    let asked = 0;
    await page.route('**/checkout/*/quote?*', async (route) => {
      asked += 1;
      if (asked === 1) await late.promise;
      await route.continue().catch(() => {});
    });
    const first = page.waitForRequest('**/checkout/*/quote?*');
    await page.fill('#amount-0', '20');
    await first;
    await page.fill('#amount-0', '30');
    await due(page, '€30.00');
    late.resolve();
    await page.fill('#amount-0', '40');
    await due(page, '€40.00');
    expect(asked).toBe(3);
  });

  it('stays unchanged while the server is unreachable, and is updated afterwards', async () => {
    const { page } = await browsing.visit(await shop.checkout([await shop.product(supportPrice)]));
    await page.route('**/checkout/*/quote?*', (route) =>
      route.fulfill({ status: 503, body: '<main id="main">No.</main>' }),
    );
    const refused = page.waitForResponse('**/checkout/*/quote?*');
    await page.fill('#amount-0', '20');
    await refused;
    await page.unroute('**/checkout/*/quote?*');
    await page.fill('#amount-0', '30');
    await due(page, '€30.00');
  });

  it('is replaced by the receipt when the session was paid in another window', async () => {
    const url = await shop.checkout([await shop.product(euroBook)]);
    const [here, there] = [await browsing.visit(url), await browsing.visit(url)];
    await introduce(there.page, { country: 'DE' });
    await there.page.click('#pay');
    await there.page.getByRole('heading', { name: 'Paid' }).waitFor();
    await here.page.selectOption('#country', 'FR');
    await here.page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(await here.page.title()).toBe(await there.page.title());
  });

  it('asks for a region only if the region affects the tax, and clears it when the country changes', async () => {
    const { page } = await browsing.visit(
      await shop.checkout([await shop.product({ ...euroBook, currency: 'USD' }, { tax_category: 'saas' })]),
    );
    await page.selectOption('#country', 'DE');
    await page.getByText('VAT 19%').waitFor();
    expect(await page.locator('#region').count()).toBe(0);
    await page.selectOption('#country', 'US');
    await page.selectOption('#region', 'TX');
    await page.getByText('on 80% of the price').waitFor();
    await page.selectOption('#country', 'CA');
    await page.getByText('Choose your state or province to see the tax.').waitFor();
    expect(await page.inputValue('#region')).toBe('');
    await page.selectOption('#country', 'DE');
    await page.getByText('VAT 19%').waitFor();
    expect(await page.locator('#region').count()).toBe(0);
  });

  it('is shown in another language, with its number format, once the buyer selects and confirms it', async () => {
    const { page } = await browsing.visit(await shop.checkout([await shop.product(supportPrice)]), { width: 320 });
    await introduce(page, { country: 'FR' });
    await page.fill('#amount-0', '1,234.50');
    await due(page, '€1,234.50');
    await page.focus('#language');
    await page.keyboard.press('ArrowDown');
    expect(await page.inputValue('#language')).toBe('de');
    expect(await page.getAttribute('html', 'lang')).toBe('en');
    await picture(page, 'language-320 px');
    await page.keyboard.press('Enter');
    await page.getByText('1.234,50 €').first().waitFor();
    await page.getByRole('button', { name: 'Zahlungspflichtig bestellen' }).waitFor();
    expect(await page.inputValue('#amount-0')).toBe('1234,50');
    expect(await page.inputValue('#email')).toBe('ada@example.com');
    expect(await page.getAttribute('html', 'lang')).toBe('de');
  });
});

it('a buyer can complete a purchase with the keyboard alone', async () => {
  const url = await shop.checkout([await shop.product(supportPrice)]);
  const { page } = await browsing.visit(url);
  // no person presses a key in the instant in which the script begins
  await page.waitForLoadState('networkidle');
  const focused = () =>
    page.evaluate<string>(
      'document.activeElement.id || document.activeElement.value || document.activeElement.tagName',
    );
  const tabTo = async (id: string) => {
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press('Tab');
      if ((await focused()) === id) return;
    }
    throw new Error(`Tab does not lead to ${id}.`);
  };
  await tabTo('amount-0');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await due(page, '€5.00');
  await tabTo('email');
  await page.keyboard.type('ada@example.com');
  await tabTo('name');
  await page.keyboard.type('Ada Lovelace');
  await tabTo('country');
  await page.keyboard.type('Ireland');
  await page.getByText('VAT 0%').waitFor();
  for (let box = 0; box < 2; box += 1) await tabTo('SUMMARY');
  await page.keyboard.press('Enter');
  await tabTo('card-0');
  await page.keyboard.press('ArrowDown');
  await tabTo('pay');
  await picture(page, 'keyboard-focus');
  await page.keyboard.press('Enter');
  await page.getByText('The card was declined.').waitFor();
  expect(await page.evaluate('document.activeElement.className')).toBe('advice');
  await tabTo('card-1');
  await page.keyboard.press('ArrowUp');
  await tabTo('pay');
  await page.keyboard.press('Space');
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  expect(await shop.payment(url)).toMatchObject({ status: 'succeeded', total_amount: 500 });
});

it('a buyer reaches a return address that redirects to another origin', async () => {
  const url = await shop.checkout([await shop.product(euroBook)], { return_url: shop.movedUrl });
  const { page } = await browsing.visit(url);
  await introduce(page, { country: 'DE' });
  await page
    .getByText(/^VAT \d/)
    .first()
    .waitFor();
  await page.click('#pay');
  await page.waitForURL(/^http:\/\/localhost:\d+\/thanks\?order=7&payment_id=pay_/, { timeout: 10_000 });
});

it('a buyer whose card is declined sees it and can pay with another card', async () => {
  const url = await shop.checkout([await shop.product(euroBook)]);
  const { page } = await browsing.visit(url);
  await introduce(page, { country: 'DE' });
  await chooseCard(page, '9995');
  await page.click('#pay');
  await page.getByText('The card has insufficient funds. Nothing was charged').waitFor();
  expect(await page.inputValue('#email')).toBe('ada@example.com');
  expect(await accessibilityFaults(page)).toEqual([]);
  await picture(page, 'declined');
  const again = await browsing.visit(url);
  await again.page.getByText('The card has insufficient funds.').waitFor();
  await chooseCard(page, '4242');
  await page.click('#pay');
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
});

it('the page waits for a slow payment and then shows that it is paid', async () => {
  const url = await shop.checkout([await shop.product(euroBook)], { return_url: shop.returnUrl });
  const { page, complaints } = await browsing.visit(url);
  await introduce(page, { country: 'DE' });
  await chooseCard(page, '3220');
  await page.click('#pay');
  await page.getByRole('heading', { name: 'Your payment is being processed' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await picture(page, 'processing');
  clock.forward({ minutes: 1 });
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  const back = await page.getByRole('link', { name: 'Return to Example Books' }).getAttribute('href');
  expect(new URL(back ?? '').searchParams.get('status')).toBe('succeeded');
  expect(new URL(back ?? '').searchParams.has('email')).toBe(false);
  expect(complaints).toEqual([]);
});

it('repeated clicks on the button pay only once, even while a new total is being loaded', async () => {
  const url = await shop.checkout([await shop.product(euroBook)]);
  const { page } = await browsing.visit(url);
  const posts: string[] = [];
  page.on('request', (request) => void (request.method() === 'POST' && posts.push(new URL(request.url()).pathname)));
  await page.route('**/checkout/*/pay?*', async (route) => {
    await page.waitForTimeout(400);
    await route.continue().catch(() => {});
  });
  await introduce(page);
  await page.evaluate(`(() => {
    const country = document.getElementById('country');
    country.value = 'DE';
    for (const type of ['input', 'change']) country.dispatchEvent(new Event(type, { bubbles: true }));
    for (let press = 0; press < 8; press += 1) setTimeout(() => document.getElementById('pay').click(), press * 40);
  })()`);
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  expect(posts.filter((path) => path.endsWith('/pay'))).toHaveLength(1);
  expect(await shop.payment(url)).toMatchObject({ status: 'succeeded', total_amount: 1_999 });
});

it('after the buyer stops the next page from loading, the pay button works again, but only after a pause', async () => {
  const { page } = await browsing.visit(await shop.checkout([await shop.product(euroBook)]));
  await page.clock.install();
  await page.reload();
  let posts = 0;
  await page.route('**/checkout/*/pay?*', (route) => {
    posts += 1;
    return route.continue();
  });
  await page.route(/checkout\/cks_\w+\?/, (route) => route.abort('aborted'), { times: 1 });
  await introduce(page, { country: 'DE' });
  await page
    .getByText(/^VAT \d/)
    .first()
    .waitFor();
  const stopped = page.waitForEvent('requestfailed');
  await page.click('#pay');
  await stopped;
  await page.clock.fastForward(10_000);
  await page.evaluate('document.getElementById("pay").click()');
  expect([posts, await page.getAttribute('#pay', 'aria-disabled')]).toEqual([1, 'true']);
  await page.clock.fastForward(5_000);
  await page.click('#pay', { timeout: 5_000 });
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
});

it('a receipt shows the payment and a link to the invoice only in the browser that paid', async () => {
  const url = await shop.checkout([await shop.product(euroBook)]);
  const { page } = await browsing.visit(url);
  await introduce(page, { country: 'DE' });
  await page
    .getByText(/^VAT \d/)
    .first()
    .waitFor();
  await page.click('#pay');
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  await page.getByRole('link', { name: /invoice/i }).click();
  await page.waitForURL(/\/invoices\/payments\/pay_/);
  await page.setViewportSize({ width: 375, height: 900 });
  const labels: string[][] = await page.evaluate(`[...document.querySelectorAll('td.number')].map((cell) => [
    getComputedStyle(cell, '::before').content,
    JSON.stringify(cell.closest('table').tHead.rows[0].cells[cell.cellIndex].textContent)])`);
  expect(labels.map(([shown]) => shown)).toEqual(labels.map(([, heading]) => heading));
  expect(labels.length).toBeGreaterThan(5);
  expect(await overflow(page)).toBe(0);
  const { page: stranger } = await browsing.visit(url);
  await stranger.getByRole('heading', { name: 'Paid' }).waitFor();
  expect(await stranger.getByRole('link', { name: /invoice/i }).count()).toBe(0);
  expect(await stranger.content()).not.toMatch(/pay_\w{21}/);
});

it('two open tabs pay once, and both show the same receipt', async () => {
  const url = await shop.checkout([await shop.product(supportPrice)]);
  const { page: one } = await browsing.visit(url);
  const other = await one.context().newPage();
  await other.goto(url);
  const tabs = [one, other];
  for (const [index, page] of tabs.entries()) {
    await introduce(page, { country: 'DE' });
    await page.fill('#amount-0', String(20 + index));
    await due(page, `€${20 + index}.00`);
  }
  await Promise.all(tabs.map((page) => page.click('#pay')));
  await Promise.all(tabs.map((page) => page.getByRole('heading', { name: 'Paid' }).waitFor()));
  const receipts: (string | null)[] = [];
  for (const page of tabs) {
    await page.reload(); // the other tab's answer, which lets this browser be known, may have come later
    receipts.push(await page.locator('code').textContent());
  }
  expect(receipts[0]).toBe(receipts[1]);
  expect(await shop.payment(url)).toMatchObject({ payment_id: receipts[0], status: 'succeeded' });
});

describe('a business', () => {
  const buyAs = async (country: string, taxId: string) => {
    const url = await shop.checkout([await shop.product(euroBook, { tax_category: 'saas' })]);
    const { page } = await browsing.visit(url);
    await introduce(page, { country });
    await page.getByText('I am buying for a business').click();
    await page.fill('#tax_id', taxId);
    await page.fill('#business_name', 'Beispiel GmbH & Co. KG');
    await page.fill('#street', '12 Torstraße');
    await page.fill('#city', 'Berlin');
    return { url, page };
  };

  it('in the merchant’s own country is charged the tax', async () => {
    const { url, page } = await buyAs('DE', 'DE136695976');
    await page.getByText('VAT 19%').waitFor();
    await picture(page, 'business-german');
    await page.click('#pay');
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(await shop.payment(url)).toMatchObject({ total_amount: 1_999, tax: 319 });
  });

  it('in another country pays no tax here and accounts for it there', async () => {
    const { url, page } = await buyAs('FR', 'FR40303265045');
    await page.getByText('Reverse charge: you account for the VAT').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, 'business-french');
    await page.click('#pay');
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(await page.content()).toContain('Reverse charge');
    expect(await page.content()).not.toContain('Beispiel');
    expect(await shop.payment(url)).toMatchObject({ total_amount: 1_999, tax: 0 });
  });

  it('with a wrong tax id sees the price without an id, and may leave the id empty', async () => {
    const { url, page } = await buyAs('FR', 'FR00000000000');
    await page.getByText('This is not a valid tax ID').waitFor();
    expect(await totals(page)).toContain('VAT 20% €3.33');
    await page.click('#pay');
    await page.locator('.advice').getByRole('link').click();
    expect(await page.evaluate('document.activeElement.id')).toBe('tax_id');
    await page.fill('#tax_id', '');
    await page.click('#pay');
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(await shop.payment(url)).toMatchObject({ total_amount: 1_999, tax: 333 });
  });
});

it('a buyer in Québec sees two separate taxes, and no sum of them', async () => {
  const url = await shop.checkout([
    await shop.product({ price: 10_000, currency: 'CAD', tax_inclusive: false }, { tax_category: 'saas' }),
  ]);
  const { page } = await browsing.visit(url, { locale: 'fr-CA', width: 390 });
  await page.selectOption('#country', 'CA');
  await page.selectOption('#region', 'QC');
  await page.getByText('TVQ 9,975 %').waitFor();
  expect(await totals(page)).toEqual([
    'Sous-total hors taxes 100,00 $CA',
    'TPS 5 % 5,00 $CA',
    'TVQ 9,975 % 9,98 $CA',
    'Total 114,98 $CA',
  ]);
  expect(await page.content()).not.toMatch(/14[.,]975/);
  await picture(page, 'quebec');
  await introduce(page);
  await page.click('#pay');
  await page.getByRole('heading', { name: 'Payé' }).waitFor();
  expect(await totals(page)).toContain('TVQ 9,975 % 9,98 $CA');
  expect(await shop.payment(url)).toMatchObject({ total_amount: 11_498, tax: 1_498 });
});

it('a buyer in Japan pays whole yen', async () => {
  const yen = {
    price: 500,
    currency: 'JPY',
    tax_inclusive: true,
    pay_what_you_want: true,
    suggested_price: 1_200,
    maximum_price: 5_000,
  };
  const url = await shop.checkout([await shop.product(yen)]);
  const { page } = await browsing.visit(url, { locale: 'ja-JP', width: 390 });
  await introduce(page, { country: 'JP' });
  await page.fill('#amount-0', '12.50');
  await page.getByText('JPYの金額は').waitFor();
  await page.fill('#amount-0', '１，１００');
  await page.getByText('￥1,100を支払う').waitFor();
  expect(await totals(page)).toContain('消費税 10% ￥100');
  expect(await accessibilityFaults(page)).toEqual([]);
  await picture(page, 'japan');
  await page.click('#pay');
  await page.getByRole('heading', { name: '支払い済み' }).waitFor();
  // 1100 × 10/110 = 100
  expect(await shop.payment(url)).toMatchObject({ total_amount: 1_100, tax: 100, currency: 'JPY' });
});

describe('without JavaScript', () => {
  it('a buyer updates the price with a button, chooses an amount and pays', async () => {
    const products = [await shop.product(supportPrice), await shop.product({ ...euroBook, tax_inclusive: false })];
    const url = await shop.checkout(products, { return_url: shop.returnUrl });
    const { page, complaints } = await browsing.visit(url, { javaScript: false, width: 320, leadsTo: shop.returnUrl });
    expect(await page.inputValue('#country')).toBe('US');
    await introduce(page, { country: 'US' });
    await page.getByRole('button', { name: 'Update total' }).click();
    await page.getByText('Choose your state or province to see the tax.').waitFor();
    expect(await page.inputValue('#email')).toBe('ada@example.com');
    await page.selectOption('#country', 'DE');
    await page.getByRole('button', { name: '€30.00' }).click();
    // 30.00 + 19.99 + round(19.99 × 0.07) = 1.40
    await due(page, '€51.39');
    await picture(page, 'no-javascript-320 px');
    await page.getByRole('button', { name: 'Order with obligation to pay', exact: true }).click();
    await page.waitForURL((address) => address.pathname === '/thanks');
    expect(await shop.payment(url)).toMatchObject({ status: 'succeeded', total_amount: 5_139 });
    expect(complaints).toEqual([]);
  });

  it('the page lists the missing entries, each with a link to its field', async () => {
    const { page } = await browsing.visit(await shop.checkout([await shop.product(euroBook)]), { javaScript: false });
    await page.click('#pay');
    const faults = page.locator('.advice a');
    expect(await faults.allTextContents()).toEqual([
      'Enter your e-mail address.',
      'Enter your name.',
      'Choose your state or province.',
    ]);
    await faults.first().click();
    expect(page.url()).toMatch(/#email$/);
  });
});

describe('texts that contain HTML or scripts', () => {
  const runs = 'window.__ran = true';

  it('are shown as plain text in names and descriptions of products', async () => {
    const accepted: string[] = [];
    for (const payload of xssPayloads) {
      const fields = { name: payload.slice(0, 250), description: payload.replaceAll('alert(1)', runs) };
      await shop.product(euroBook, fields).then(
        (product) => accepted.push(product),
        () => undefined,
      );
    }
    expect(accepted.length).toBeGreaterThan(50);
    const shapeOf = async (products: string[]) => {
      const { page, complaints } = await browsing.visit(await shop.checkout(products), { width: 320 });
      await page.selectOption('#country', 'DE');
      await page.getByText('VAT 7%').waitFor();
      expect(await page.evaluate('window.__ran')).toBeUndefined();
      expect(complaints).toEqual([]);
      expect(await overflow(page)).toBe(0);
      return page.evaluate(
        '[...document.querySelectorAll("*")].map((e) => [e.tagName, ...e.getAttributeNames()].join(" "))',
      );
    };
    const plain: string[] = [];
    for (let serial = 0; serial < 20; serial += 1) plain.push(await shop.product(euroBook));
    const expected = await shapeOf(plain);
    for (let first = 0; first + 20 <= accepted.length; first += 20)
      expect(await shapeOf(accepted.slice(first, first + 20))).toEqual(expected);
  });

  it('are shown as plain text when a buyer enters them', async () => {
    const url = await shop.checkout([await shop.product(euroBook)]);
    const { page, complaints } = await browsing.visit(url);
    await introduce(page, {
      country: 'FR',
      email: `"><img src=x onerror="${runs}">@example.com`,
      name: '<script>alert(1)</script>',
    });
    await page.getByText('I am buying for a business').click();
    await page.fill('#tax_id', `" autofocus onfocus="${runs}`);
    await page.fill('#business_name', '</details><svg onload=alert(1)>');
    await page.click('#pay');
    await page.locator('.advice').waitFor();
    expect(await page.inputValue('#name')).toBe('<script>alert(1)</script>');
    expect(
      await page.evaluate(
        '[window.__ran, document.querySelectorAll("img, svg:not(.protected svg), script:not([src])").length]',
      ),
    ).toEqual([undefined, 0]);
    expect(complaints).toEqual([]);
  });
});
