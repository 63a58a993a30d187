import type { CustomerProfile } from '../../shared/domain/customers/customer-record.ts';
import { env } from '../../shared/env.ts';
import { listCustomers } from '../../shared/use-cases/customers/list-customers.ts';
import { CustomerQuery, customerTerms, presentCustomerRecord } from '../../shared/wire/customers/customer-record.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { customers, paymentLists, site } from '../../shared/wiring/runtime.ts';

const deps = { customers: customers(), payments: paymentLists(), merchantId: env.merchant().id };
const present = presentPage<CustomerProfile>(presentCustomerRecord(site()), customerTerms);

/** GET /customers */
export const handler = endpoint({ access: 'read', query: CustomerQuery, present }, ({ query, walk }) => {
  const { created_at_gte: createdFrom, created_at_lte: createdTo, email, name } = query;
  return listCustomers(deps, { createdFrom, createdTo, email, name }, toPageRequest(query, walk));
});
