import { dashboard, type Visit } from '../../shared/dashboard/dashboard.ts';
import { frameOf } from '../../shared/dashboard/frame.ts';
import { guard } from '../../shared/dashboard/guard.ts';
import { listView } from '../../shared/dashboard/list-view.ts';
import { customerListPage, customerPage } from '../../shared/dashboard/payments/customer-pages.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import { paymentLists } from '../../shared/runtime.ts';
import { loadCustomers } from '../../shared/use-cases/reports/overview-customers.ts';

const deps = { payments: paymentLists() };

/** GET /dashboard/customers /dashboard/customers/{id} */
export const handler = dashboard(guard, {
  show: async (visit) => {
    const id = visit.request.param('id');
    return id === '' ? customerListPage(frameOf(visit), await loadCustomers(deps)) : showCustomer(visit, id);
  },
});

async function showCustomer(visit: Visit, customerId: string) {
  const { request, links } = listView(visit, `/dashboard/customers/${customerId}`, {});
  const page = await deps.payments.list({ customerId }, request);
  const [latest] = page.items;
  if (!latest) throw new DomainError('NOT_FOUND', `There is no customer ${customerId}.`);
  return customerPage(frameOf(visit), { customer: latest.customer, payments: page.items, ...links(page) });
}
