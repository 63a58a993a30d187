import { env } from '../../shared/env.ts';
import { keys } from '../../shared/store/keys.ts';
import { updateCustomer } from '../../shared/use-cases/customers/change-customer.ts';
import { CustomerChangeInput, presentCustomerRecord } from '../../shared/wire/customers/customer-record.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { leniency } from '../../shared/wiring/leniency.ts';
import { customers, now, paymentLists, site } from '../../shared/wiring/runtime.ts';

const deps = { customers: customers(), payments: paymentLists(), merchantId: env.merchant().id, now };

/** PATCH /customers/{customer_id} */
export const handler = endpoint(
  {
    body: CustomerChangeInput,
    leniency,
    present: presentCustomerRecord(site()),
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [keys.customer(param('customer_id'))],
  },
  ({ param, body, claim }) => updateCustomer(deps, param('customer_id'), body, claim),
);
