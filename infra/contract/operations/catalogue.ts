import { BrandChangeInput, BrandInput, BrandQuery } from '../../../shared/wire/catalogue/brand.ts';
import { LocalizedPriceChange, LocalizedPriceInput } from '../../../shared/wire/catalogue/localized-price.ts';
import { OneProductQuery, ProductQuery } from '../../../shared/wire/catalogue/product.ts';
import { ProductFileInput } from '../../../shared/wire/catalogue/product-file.ts';
import { ProductChangeInput, ProductInput } from '../../../shared/wire/catalogue/product-input.ts';
import { UploadQuery } from '../../../shared/wire/catalogue/upload.ts';
import type { Operations } from '../operation.ts';

const upload =
  'Answers an address and an `image_id`. Send the bytes of a PNG, JPEG or WebP image with PUT to the address within 60 seconds, at most 3 MB. With `content_length`, the address takes exactly that many bytes. Without it, an upload that is too large is refused with 413 and removed when it is shown. Then send the `image_id` with PATCH.';

/** Products, their prices and images, and brands. */
export const catalogueOperations: Operations = {
  'products/create-product': {
    summary: 'Create a product',
    description:
      'Creates something to sell. A price is fixed, or with `pay_what_you_want` the least that the buyer may choose. With `tax_inclusive`, the displayed price contains the tax and never changes.',
    body: { ProductInput },
    answer: 'Product',
    refuses: ['NOT_FOUND', 'INVALID_SUGGESTED_PRICE', 'INVALID_MAXIMUM_PRICE'],
  },
  'products/list-products': {
    summary: 'List products',
    description: 'Lists products, newest first. Archived products are listed with `archived=true`.',
    query: ProductQuery,
    answer: 'ProductPage',
  },
  'products/get-product': {
    summary: 'Get a product',
    description: 'Answers a product, archived or not.',
    query: OneProductQuery,
    answer: 'Product',
  },
  'products/update-product': {
    summary: 'Update a product',
    description:
      'Changes the named fields. `price` is replaced as a whole. Checkout sessions that exist keep the old product. `null` clears the metadata and removes the image, and changes nothing elsewhere.',
    body: { ProductChangeInput },
    answer: 'Product',
    refuses: ['PRODUCT_IS_DELETED', 'INVALID_SUGGESTED_PRICE', 'INVALID_MAXIMUM_PRICE', 'INVALID_REQUEST_PARAMETERS'],
  },
  'products/archive-product': {
    summary: 'Archive a product',
    description: 'Takes a product off sale. It can still be read, and unarchived.',
    answer: 'Nothing',
    refuses: ['PRODUCT_IS_DELETED'],
  },
  'products/unarchive-product': {
    summary: 'Unarchive a product',
    description: 'Puts an archived product back on sale.',
    answer: 'Product',
  },
  'products/upload-image': {
    summary: 'Get an upload address for a product image',
    description: upload,
    query: UploadQuery,
    answer: 'Upload',
  },
  'products/add-product-file': {
    summary: 'Add a file to a product',
    description:
      'The older way to give buyers a file. Answers a `file_id` and an address: send the bytes with PUT within 60 seconds, at most 5 GB. The product gives the file once its bytes have arrived, to earlier buyers of its files too. `PATCH /products/{id}` with `digital_product_delivery.files` orders and removes files. Newer: `POST /entitlements/{id}/files`, which checks the announced size and bytes.',
    body: { ProductFileInput },
    answer: 'ProductFile',
    refuses: ['PRODUCT_IS_DELETED', 'INVALID_REQUEST_PARAMETERS'],
  },
  'localized-prices/create-localized-price': {
    summary: 'Give a product a price for a market',
    description:
      'Adds a price in another currency, or for the buyers of a country, as the product’s `pricing_mode` says. Nothing is converted. Sessions that are created from then on have it, also where the buyer names the country later; those that exist keep their prices in every place. A product has at most 100.',
    body: { LocalizedPriceInput },
    answer: 'LocalizedPrice',
    refuses: [
      ...(['PRODUCT_IS_DELETED', 'PRODUCT_PRICING_MODE_REQUIRED', 'LOCALIZED_PRICE_ALREADY_EXISTS'] as const),
      ...(['LOCALIZED_PRICE_SHAPE_MISMATCH', 'LOCALIZED_PRICE_DUPLICATES_BASE', 'INVALID_SUGGESTED_PRICE'] as const),
      ...(['INVALID_MAXIMUM_PRICE', 'INVALID_REQUEST_PARAMETERS'] as const),
    ],
  },
  'localized-prices/list-localized-prices': {
    summary: 'List a product’s localized prices',
    description: 'Lists the localized prices of a product, the oldest first. There are no pages.',
    answer: 'LocalizedPriceList',
  },
  'localized-prices/get-localized-price': {
    summary: 'Get a localized price',
    description: 'Answers a localized price of a product.',
    answer: 'LocalizedPrice',
  },
  'localized-prices/update-localized-price': {
    summary: 'Update a localized price',
    description: 'Changes the named fields. Currency and country stay. `null` clears a limit, and keeps the amount.',
    body: { LocalizedPriceChange },
    answer: 'LocalizedPrice',
    refuses: ['PRODUCT_IS_DELETED', 'INVALID_SUGGESTED_PRICE', 'INVALID_MAXIMUM_PRICE', 'INVALID_REQUEST_PARAMETERS'],
  },
  'localized-prices/archive-localized-price': {
    summary: 'Archive a localized price',
    description: 'Takes a localized price away. Open sessions keep it. Archiving it again changes nothing.',
    answer: 'Nothing',
    refuses: ['PRODUCT_IS_DELETED'],
  },
  'brands/create-brand': {
    summary: 'Create a brand',
    description: 'Creates a name, a logo and a colour that buyers see. There are at most 50 brands.',
    body: { BrandInput },
    answer: 'Brand',
    refuses: ['INVALID_REQUEST_PARAMETERS'],
  },
  'brands/list-brands': {
    summary: 'List brands',
    description: 'Lists all brands, the primary one first. Every stack has a primary brand.',
    query: BrandQuery,
    answer: 'BrandList',
  },
  'brands/get-brand': { summary: 'Get a brand', description: 'Answers a brand.', answer: 'Brand' },
  'brands/update-brand': {
    summary: 'Update a brand',
    description: 'Changes the named fields. `null` clears a field.',
    body: { BrandChangeInput },
    answer: 'Brand',
    refuses: ['INVALID_REQUEST_PARAMETERS'],
  },
  'brands/upload-logo': {
    summary: 'Get an upload address for a brand logo',
    description: upload,
    query: UploadQuery,
    answer: 'Upload',
  },
};
