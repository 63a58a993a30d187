import { keys } from '../../shared/store/keys.ts';
import { getCustomer } from '../../shared/use-cases/customers/load-customer.ts';
import { presentCustomerRecord } from '../../shared/wire/customers/customer-record.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { customers, paymentLists, site } from '../../shared/wiring/runtime.ts';

const deps = { customers: customers(), payments: paymentLists() };

/** GET /customers/{customer_id} */
export const handler = endpoint(
  {
    access: 'read',
    needs: ({ param }) => [keys.customer(param('customer_id'))],
    present: presentCustomerRecord(site()),
  },
  async ({ param }) => (await getCustomer(deps, param('customer_id'))).profile,
);
