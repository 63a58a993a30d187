/** The fields that a buyer fills in. */
export interface BuyerForm {
  card: string;
  country?: string;
  email?: string;
  /** The typed amounts, by product. */
  amounts?: Readonly<Record<string, string>>;
  /** Further fields of the form, such as `region`. */
  fields?: Readonly<Record<string, string>>;
}

/** A session's page in a browser without JavaScript. A test can open it, fill it in and post it repeatedly. */
interface CheckoutPage {
  /** The total in minor units that the page showed last. */
  expectedTotal: string;
  pay(card?: string): Promise<Response>;
}

const hiddenField = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

/** Opens the page, fills it in and lets it show the total. */
export async function openCheckout(url: string, buyer: BuyerForm): Promise<CheckoutPage> {
  const html = await (await fetch(url)).text();
  const form = new URLSearchParams({
    token: hiddenField(html, 'token'),
    email: buyer.email ?? 'buyer@example.com',
    name: 'A Buyer',
    country: buyer.country ?? 'DE',
    card: buyer.card,
    ...buyer.fields,
  });
  for (const [productId, amount] of Object.entries(buyer.amounts ?? {})) form.set(`amount.${productId}`, amount);
  const quoted = await (await post(url, form, 'quote')).text();
  const expectedTotal = hiddenField(quoted, 'expected_total');
  form.set('expected_total', expectedTotal);
  return {
    expectedTotal,
    pay: (card = buyer.card) => {
      form.set('card', card);
      return post(url, form, 'pay');
    },
  };
}

function post(url: string, body: URLSearchParams, action: 'quote' | 'pay'): Promise<Response> {
  const headers = { 'sec-fetch-site': 'same-origin', 'accept-language': 'en' };
  return fetch(`${url}/${action}`, { method: 'POST', body, headers, redirect: 'manual' });
}
