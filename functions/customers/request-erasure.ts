import { env } from '../../shared/env.ts';
import { requestErasure } from '../../shared/use-cases/customers/request-erasure.ts';
import { presentCustomerRecord } from '../../shared/wire/customers/customer-record.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import {
  customers,
  disputes,
  now,
  paymentLists,
  payments,
  portals,
  site,
  withdrawals,
} from '../../shared/wiring/runtime.ts';

const deps = {
  customers: customers(),
  payments: { ...payments(), ...paymentLists() },
  disputes: disputes(),
  portals: portals(),
  withdrawals: withdrawals(),
  merchantId: env.merchant().id,
  now,
};

/** POST /customers/{customer_id}/erase */
export const handler = endpoint(
  { access: 'admin', idempotent: true, present: presentCustomerRecord(site()) },
  ({ param, claim }) => requestErasure(deps, param('customer_id'), claim),
);
