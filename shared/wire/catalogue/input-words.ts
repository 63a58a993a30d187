import { type WordsByField, wordsIn } from '../answers/words-in.ts';
import { catalogueAnswers } from './product-answer.ts';

const product: WordsByField = {
  ...wordsIn(catalogueAnswers.Product),
  brand_id: 'The id of the brand that buyers see. Without it, the primary brand is used.',
  'price.tax_inclusive': 'The same as `tax_inclusive` beside the price.',
  'price.discount': 'Must be 0 or left out: lower the price instead.',
  'price.discount_bps': 'Must be 0 or left out.',
  entitlements: 'What its buyers get, at most ten, each once. In a change, the list replaces the one before.',
  entitlement_id: 'The id of an entitlement.',
  'price.purchasing_power_parity': 'Accepted and ignored: no price depends on it.',
  addons: 'Not supported: sell it as a product of its own.',
  credit_entitlements: 'Null or empty: there are no credits.',
  'digital_product_delivery.files':
    'The ids of uploaded files in their new order. Files that are left out of the list are removed. Without it or with null, they stay.',
};
const image = { image_id: 'The id of an upload. Null removes the image.' };
const eitherFlag =
  'Whether the price contains the tax. It may be sent here or in `price`, or in both with the same value.';
const localized = wordsIn(catalogueAnswers.LocalizedPrice);
const brand = {
  ...wordsIn(catalogueAnswers.Brand),
  statement_descriptor:
    'What card statements add to the name of your account at the processor, such as `SHOP* MAPS`: 1 to 22 Latin letters, digits and signs, with a letter and without `<`, `>`, `\\`, `*` and quotes. It is cut where both are longer than 22. Null: nothing is added.',
};

/**
 * The descriptions of the input fields of products, their prices and brands. A field that an answer also has gets the
 * same description.
 */
export const catalogueInputWords: Readonly<Record<string, WordsByField>> = {
  ProductInput: {
    ...product,
    description: 'The text that buyers see. Line breaks are kept; nothing else is interpreted.',
    tax_inclusive: `${eitherFlag} Without it, the tax is added.`,
    adjustable_quantity:
      'How many units the buyers of the product’s link may choose. Sessions that you create say it themselves. Null: the buyer cannot change the quantity.',
  },
  ProductChangeInput: {
    ...product,
    ...image,
    digital_product_delivery:
      'What the buyer gets after paying. Its fields that are not named stay as they are, and null clears an address or a text. Null instead of the object ends it for later buyers.',
    price: 'What one unit costs, replaced as a whole.',
    tax_inclusive: `${eitherFlag} Without it, it stays as it was.`,
  },
  LocalizedPriceInput: {
    ...localized,
    amount:
      'The price of one unit in minor units; for pay what you want the least that the buyer may choose, which can be 0.',
  },
  LocalizedPriceChange: { ...localized, amount: 'The new price of one unit in minor units.' },
  ProductFileInput: {
    file_name: 'The name under which buyers save it, at most 255 bytes, without a folder.',
  },
  BrandInput: brand,
  BrandChangeInput: { ...brand, ...image },
};
