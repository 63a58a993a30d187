/** The fields that a buyer fills in on the checkout page. */
interface Purchase {
  country: string;
  card: string;
  /** Chosen amounts by product, as the buyer types them. */
  amounts?: Readonly<Record<string, string>>;
}

const hiddenField = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

/** Pays on the checkout page, like a browser without JavaScript. Returns the address of the last page. */
export async function buy(checkoutUrl: string, { country, card, amounts = {} }: Purchase): Promise<string> {
  const page = await (await fetch(checkoutUrl)).text();
  const form = new URLSearchParams({
    token: hiddenField(page, 'token'),
    lang: 'en',
    email: 'buyer@example.com',
    name: 'An Example Buyer',
    country,
    card,
  });
  for (const [productId, amount] of Object.entries(amounts)) form.set(`amount.${productId}`, amount);
  const quoted = await (await submit(checkoutUrl, form, 'quote')).text();
  form.set('expected_total', hiddenField(quoted, 'expected_total'));
  const answer = await submit(checkoutUrl, form, 'pay');
  if (answer.status === 303) return answer.headers.get('location') ?? '';
  throw new Error(`The page was not left after paying: ${answer.status} ${await answer.text()}`);
}

function submit(url: string, body: URLSearchParams, action: 'quote' | 'pay'): Promise<Response> {
  const headers = { 'sec-fetch-site': 'same-origin', 'accept-language': 'en' };
  return fetch(`${url}/${action}`, { method: 'POST', body, headers, redirect: 'manual' });
}
