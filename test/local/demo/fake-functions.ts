import { registerHooks } from 'node:module';

/** What seeding asks of the API; any other route tells where the table is. */
const source = `
  const answers = {
    'GET /products': { items: [] },
    'POST /products': { product_id: 'pdt_1' },
    'POST /checkouts': { checkout_url: process.env.PUBLIC_URL + '/checkout/cks_1' },
    'GET /discounts': { items: [] },
    'POST /discounts': {},
    'GET /products/{id}': { pricing_mode: 'by_currency', entitlements: [{}] },
    'GET /products/{id}/localized-prices': { items: [] },
    'POST /products/{id}/localized-prices': {},
    'GET /webhooks': { data: [] },
    'POST /webhooks': { id: 'whk_1' },
    'GET /webhooks/{id}/secret': { secret: 'whsec_AAAA' },
  };
  export const handler = async ({ routeKey }) => answers[routeKey] ?? { table: process.env.AWS_ENDPOINT_URL_DYNAMODB };`;

const urlOf = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;
const url = urlOf(source);
/** Fake functions sell nothing. */
const noHistory = urlOf('export const seedHistory = async () => {};');

/** Loaded before the sandbox (`node --import`), these stand in for every function, so that it is tested without them. */
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier.endsWith('/seed-history.ts')) return { url: noHistory, format: 'module', shortCircuit: true };
    return /\/functions\/[a-z-]+\/[a-z-]+\.ts$/.test(specifier)
      ? { url, format: 'module', shortCircuit: true }
      : next(specifier, context);
  },
});
