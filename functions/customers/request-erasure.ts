import { requestErasure } from '../../shared/use-cases/customers/request-erasure.ts';
import { presentCustomerRecord } from '../../shared/wire/customers/customer-record.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { customers, disputes, now, paymentLists, payments, site } from '../../shared/wiring/runtime.ts';

const deps = {
  customers: customers(),
  payments: { ...payments(), ...paymentLists() },
  disputes: disputes(),
  now,
};

/** POST /customers/{customer_id}/erase */
export const handler = endpoint(
  { access: 'admin', idempotent: true, present: presentCustomerRecord(site()) },
  ({ param, claim }) => requestErasure(deps, param('customer_id'), claim),
);
