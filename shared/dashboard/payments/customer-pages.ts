import { notFound } from '../../domain/errors.ts';
import { type LoadCustomersDeps, loadCustomers } from '../../use-cases/reports/overview-customers.ts';
import type { DashboardRoutes } from '../dashboard.ts';
import { frameOf } from '../frame.ts';
import { listView } from '../list-view.ts';
import type { Visit } from '../visit.ts';
import { customerListPage, customerPage } from './customer-page.ts';

/** The customers, and what each has bought. */
export const customerPages = (deps: LoadCustomersDeps): DashboardRoutes => ({
  show: async (visit) => {
    const id = visit.request.param('id');
    return id === '' ? customerListPage(frameOf(visit), await loadCustomers(deps)) : showCustomer(deps, visit, id);
  },
});

async function showCustomer(deps: LoadCustomersDeps, visit: Visit, customerId: string) {
  const { request, links } = listView(visit, `/dashboard/customers/${customerId}`, {});
  const page = await deps.payments.list({ customerId }, request);
  const [latest] = page.items;
  if (!latest) throw notFound('customer', customerId);
  return customerPage(frameOf(visit), { customer: latest.customer, payments: page.items, ...links(page) });
}
