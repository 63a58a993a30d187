import type * as z from 'zod';
import type { catalogueAnswers } from '../../../../shared/wire/catalogue/product-answer.ts';
import type { checkoutAnswers } from '../../../../shared/wire/checkout/checkout-answer.ts';
import type { ApiCaller } from '../api.ts';
import { ApiRefusal } from '../failures.ts';

type Product = z.infer<typeof catalogueAnswers.Product>;
type ProductPage = z.infer<typeof catalogueAnswers.ProductPage>;
type Charge = z.infer<typeof checkoutAnswers.Charge>;
type SessionCreated = z.infer<typeof checkoutAnswers.SessionCreated>;

const marker = { created_by: 'tillstack trigger' };

const testProduct = {
  name: 'Test product of "trigger"',
  description: 'Bought by the command line to make events happen.',
  tax_category: 'digital_products',
  price: { type: 'one_time_price', currency: 'EUR', price: 1_000, tax_inclusive: true },
  metadata: marker,
};

/** The product that an earlier run created, or a new one. */
async function productFor(api: ApiCaller, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { items } = await api.get<ProductPage>('/products', { cursor: 'start', page_size: 100 });
  const known = items.find(({ metadata }) => metadata['created_by'] === marker.created_by);
  if (known) return known.product_id;
  return (await api.post<Product>('/products', testProduct)).product_id;
}

interface TestBuyer {
  /** The product to buy; undefined for one that is created once. */
  product?: string | undefined;
  country?: string | undefined;
  /** The last four digits of a test card. */
  card: string;
}

/**
 * Buys without a browser, like an automated test. Returns the session and the payment; undefined if a processor takes
 * the payments of this sandbox, which takes no test card.
 */
export async function buyWithTestCard(api: ApiCaller, { product, country = 'DE', card }: TestBuyer) {
  const cart = [{ product_id: await productFor(api, product), quantity: 1 }];
  const opened = { product_cart: cart, metadata: marker };
  const { session_id, checkout_url } = await api.post<SessionCreated>('/checkouts', opened);
  const paid = {
    customer: { email: 'buyer@example.com', name: 'Test Buyer' },
    billing_address: { country: country.toUpperCase() },
    test_card: card,
  };
  const answer = await api.postAsBuyer(`/checkout/${session_id}/pay`, paid).catch((error: unknown) => {
    if (!(error instanceof ApiRefusal) || error.code !== 'LIVE_MODE_TEST_CARD') throw error;
  });
  if (!answer) return undefined;
  const { payment_id: paymentId } = answer.body as Charge;
  return { checkoutUrl: checkout_url, paymentId, cookies: answer.cookies };
}
