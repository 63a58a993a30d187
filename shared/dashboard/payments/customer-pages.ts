import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { DomainError } from '../../domain/errors.ts';
import { namedProducts } from '../../domain/payments/payment-row.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import { keys } from '../../store/keys.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { getCustomer, type LoadCustomerDeps } from '../../use-cases/customers/load-customer.ts';
import { type RequestErasureDeps, requestErasure } from '../../use-cases/customers/request-erasure.ts';
import { type CustomerGrantsDeps, openToCustomer } from '../../use-cases/entitlements/grant-overview.ts';
import { type OpenErasuresDeps, openErasures } from '../../use-cases/portal/open-erasures.ts';
import { loadCustomers } from '../../use-cases/reports/overview-customers.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import { faultText } from '../form-faults.ts';
import { frameOf } from '../frame.ts';
import { listView } from '../list-view.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import { customerListPage, customerPage } from './customer-page.ts';

const home = '/dashboard/customers';
const erasuresOnPage = 50;

const needs: NonNullable<DashboardRoutes['needs']> = ({ param }) => (param('id') ? [keys.customer(param('id'))] : []);

/** What the page shows of a customer beside the payments. The form that erases does not load it. */
interface CustomerExtras {
  opened: CustomerGrantsDeps;
  products: Pick<ProductStore, 'names'>;
}

type CustomerPagesDeps = LoadCustomerDeps & OpenErasuresDeps & CustomerExtras;

/** Handles the list of customers, and the page of each with their purchases. */
export const customerPages = (deps: CustomerPagesDeps): DashboardRoutes => ({
  needs,
  show: async (visit) => {
    const id = visit.request.param('id');
    if (id !== '') return showCustomer(deps, visit, id);
    const [list, erasures] = await Promise.all([loadCustomers(deps), openErasures(deps)]);
    const from = Number(/^\d{1,6}$/.exec(visit.request.query('erasures_from') ?? '')?.[0] ?? 0);
    const next = from + erasuresOnPage;
    return customerListPage(frameOf(visit), {
      ...list,
      erasures: erasures.slice(from, next),
      moreErasures: erasures.length > next ? `${home}?erasures_from=${next}` : undefined,
    });
  },
});

/** The command on a customer: the erasure of the personal data. */
export const customerForms = (deps: RequestErasureDeps): DashboardRoutes<typeof dashboardCommands.customers> => ({
  needs,
  show: (visit) => showCustomer(deps, visit, visit.request.param('id')),
  forms: {
    commands: dashboardCommands.customers,
    run: { erase: (submission) => erase(deps, submission) },
  },
});

async function showCustomer(
  deps: LoadCustomerDeps & Partial<CustomerExtras>,
  visit: Visit,
  customerId: string,
  refusal?: DomainError,
) {
  const { request, links } = await listView(visit, `${home}/${customerId}`, {});
  const [{ profile }, page, grants] = await Promise.all([
    getCustomer(deps, customerId),
    deps.payments.list({ customerId }, request),
    deps.opened && openToCustomer(deps.opened, customerId),
  ]);
  const names = await deps.products?.names(page.items.flatMap(({ productIds }) => namedProducts(productIds)));
  const fault = refusal && faultText(refusal, textsOf(dashboardTexts('paymentList'), visit));
  return customerPage(frameOf(visit), {
    customer: profile,
    payments: page.items,
    names,
    grants,
    fault,
    ...links(page),
  });
}

function erase(deps: RequestErasureDeps, submission: FormSubmission) {
  const id = submission.request.param('id');
  return unlessRefused(
    () =>
      submission.once(
        (claim) => requestErasure(deps, id, claim),
        () => `${home}/${id}?done=erasing`,
      ),
    (refusal) => showCustomer(deps, submission, id, refusal),
  );
}
