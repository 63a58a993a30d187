import { Payer, PostalAddress } from '../answers/buyer.ts';
import { type WordsByField, wordsIn } from '../answers/words-in.ts';
import { catalogueAnswers } from '../catalogue/product-answer.ts';
import { checkoutAnswers } from './checkout-answer.ts';

const buyer: WordsByField = {
  ...wordsIn(Payer),
  ...wordsIn(PostalAddress),
  billing_address:
    'The buyer’s address. The country decides the tax. The state and the postal code matter where tax is regional.',
  tax_id:
    'The tax id of a business buyer. A valid one may relieve the sale of the tax. Needs the country of the address, and for a reverse charge the street and the city.',
  customer_business_name: 'The name of the buyer’s business, printed on the invoice. Needs `tax_id`.',
};
const whoIsKnown = 'What is known of the buyer: either the id of a customer, or an e-mail address with a name.';
const { adjustable_quantity: quantityLimits } = catalogueAnswers.Product.shape;
const chosen = 'Pay what you want: the amount of one unit in minor units.';
const unsupported = 'Not supported: leave it out.';

const cart: WordsByField = {
  ...buyer,
  ...wordsIn(checkoutAnswers.Session),
  ...wordsIn(checkoutAnswers.PreviewLine),
  ...wordsIn(quantityLimits),
  product_cart: 'What is bought: 1 to 20 lines of one brand and one currency, no product twice.',
  name: 'The name.',
  adjustable_quantity: quantityLimits.description ?? '',
  addons: 'Null or empty: there are no add-ons.',
  credit_entitlements: 'Null or empty: there are no credits.',
  'customer.create_new_customer': 'Accepted and ignored: one e-mail address is one customer.',
  return_url:
    'Where the buyer goes after paying. `payment_id` and `status` in the query are no proof of payment: wait for the webhook, or read the payment.',
  cancel_url: 'Where the page’s back button leads. Without it, there is none.',
  billing_currency:
    'The currency of the session. Refused where a product has no price in it, because nothing is converted. Without it, a price for the country of `billing_address` decides, then the country’s own currency, then the products’ own.',
  allowed_payment_method_types:
    'The ways to pay that the buyer may see. With `credit` or `debit`, the buyer can pay by card only; other types are not told apart, so a list without these is refused.',
  confirm: 'Not supported: leave it out, or send false.',
  consents_by:
    'With `integrator`, the page does not ask consumers for the supply before the withdrawal period ends, because you ask them yourself. It proves nothing: only the `consents` of a payment are kept.',
  custom_fields: 'Not supported: ask on your own site, and send the answers in `metadata`.',
  customization: 'Looks only, and without effect: the page shows the brand.',
  'customization.force_language': 'Not supported: add `?lang=` to `checkout_url`.',
  discount_code: 'One code. Cannot be combined with `discount_codes`.',
  feature_flags:
    'Two have an effect: with `allow_discount_code` `false`, the buyer cannot enter codes; with `allow_currency_selection` `false`, the buyer cannot choose another currency. `allow_tax_id` `false` is refused, and so are other flags that are true and ask for what the page does not do.',
  force_3ds: 'Not supported: set in your processor’s dashboard when cards are checked.',
  payment_method_id: unsupported,
  product_collection_id: unsupported,
  show_saved_payment_methods: 'Not supported, because no payment methods are saved: leave it out.',
  subscription_data: unsupported,
};

const consent = checkoutAnswers.RightOfWithdrawal.shape.consents.element.shape;

const payment: WordsByField = {
  ...buyer,
  customer: 'The buyer.',
  amounts: 'Pay what you want: the amount of one unit by product id, in minor units.',
  quantities:
    'The buyer’s quantity by product id, where the session allows one. Without it, the session’s quantity counts.',
  test_card: 'Sandbox only: the last four digits of a test card, which decide the outcome.',
  expected_total: 'The total that the buyer saw, in minor units. Another total is refused before anything is charged.',
  expected_currency:
    'The currency of the total that the buyer saw. Another currency is refused before anything is charged. Send it where a product has prices in several currencies.',
  discount_codes: checkoutAnswers.Session.shape.discount_codes.description ?? '',
  consents:
    'What the consumer has expressly asked for, in the words that you showed. Each is kept with the lines of its kind, if there are any. Without one, the buyer keeps the right of withdrawal.',
  'consents.kind': consent.kind.description ?? '',
  'consents.text': 'The words that the buyer agreed to, at most 2000 characters.',
  'consents.language': 'Their language, such as `de`.',
};

/** The descriptions of the input fields of checkouts. A field that an answer also has gets the same description. */
export const checkoutInputWords: Readonly<Record<string, WordsByField>> = {
  SessionInput: {
    ...cart,
    customer: `${whoIsKnown} It prefills the page.`,
    'product_cart.amount': `${chosen} It locks the price. Without it, the buyer is asked. Ignored on a fixed price.`,
  },
  PreviewInput: {
    ...cart,
    customer: whoIsKnown,
    'product_cart.amount': `${chosen} Without it, \`suggested_price\` or else the minimum is used. Ignored on a fixed price.`,
    tax_date: 'The day whose rates count.',
  },
  PayInput: payment,
  QuoteInput: payment,
};
