import { keys } from '../../shared/store/keys.ts';
import { previewCheckout, previewedRows } from '../../shared/use-cases/checkout/preview-checkout.ts';
import { PreviewInput, PreviewQuery } from '../../shared/wire/checkout/checkout-session.ts';
import { presentPreview } from '../../shared/wire/checkout/preview.ts';
import { loadCodes } from '../../shared/wiring/discounts.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { leniency } from '../../shared/wiring/leniency.ts';
import { checkTaxId } from '../../shared/wiring/registers.ts';
import { now, products } from '../../shared/wiring/runtime.ts';
import { taxSettings } from '../../shared/wiring/selling.ts';

const deps = { products: products(), loadCodes, taxSettings, checkTaxId, now };

/** POST /checkouts/preview */
export const handler = endpoint(
  {
    body: PreviewInput,
    leniency,
    query: PreviewQuery,
    present: presentPreview,
    access: 'read',
    needs: ({ body }) => previewedRows(body, keys),
  },
  ({ body }) => previewCheckout(deps, body),
);
