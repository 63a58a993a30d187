import { env } from '../../shared/env.ts';
import { createCustomer } from '../../shared/use-cases/customers/change-customer.ts';
import { CustomerInput, presentCustomerRecord } from '../../shared/wire/customers/customer-record.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { leniency } from '../../shared/wiring/leniency.ts';
import { customers, now, paymentLists, site } from '../../shared/wiring/runtime.ts';

const deps = { customers: customers(), payments: paymentLists(), merchantId: env.merchant().id, now };

/** POST /customers */
export const handler = endpoint(
  {
    body: CustomerInput,
    leniency,
    present: presentCustomerRecord(site()),
    access: 'write',
    idempotent: true,
  },
  ({ body, claim }) => createCustomer(deps, body, claim),
);
