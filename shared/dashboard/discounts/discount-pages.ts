import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { CountedDiscount, Discount, DiscountBrief } from '../../domain/discounts/discount.ts';
import { type DomainError, notFound } from '../../domain/errors.ts';
import { namedProducts, type PaymentBrief } from '../../domain/payments/payment-row.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import type { DiscountStore } from '../../store/discounts/discount-store.ts';
import type { GuestStore } from '../../store/discounts/guest-store.ts';
import { keys } from '../../store/keys.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { removeDiscount, updateDiscount } from '../../use-cases/discounts/change-discount.ts';
import { addGuests, type ChangeGuestsDeps, removeGuest } from '../../use-cases/discounts/change-guests.ts';
import { type CreateDiscountDeps, createDiscount } from '../../use-cases/discounts/create-discount.ts';
import { type HeldUsesDeps, heldUses } from '../../use-cases/discounts/held-uses.ts';
import { listDiscounts } from '../../use-cases/discounts/list-discounts.ts';
import { DiscountChangeInput, DiscountCustomersInput, DiscountInput } from '../../wire/discounts/discount-input.ts';
import { parseInput } from '../../wire/parse.ts';
import { idOf } from '../../wire/values.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import type { Typed } from '../entries.ts';
import { frameOf } from '../frame.ts';
import { listView } from '../list-view.ts';
import type { FormFault } from '../parts.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import {
  chosenProducts,
  discountFaults,
  discountJson,
  discountTextsIn,
  newDiscountTexts,
  textsOfDiscount,
} from './discount-entries.ts';
import { discountListPage, discountsHome as home } from './discount-list-page.ts';
import { discountPage, newDiscountPage } from './discount-page.ts';

type DiscountPagesDeps = Omit<CreateDiscountDeps, 'discounts' | 'products'> &
  Omit<ChangeGuestsDeps, 'discounts' | 'guests'> &
  HeldUsesDeps & {
    discounts: DiscountStore;
    products: Pick<ProductStore, 'find' | 'list' | 'names'>;
    guests: Pick<GuestStore, 'add' | 'remove' | 'list'>;
    publicUrl: string;
  };

/** Handles the list of codes, the page for a new code, and the page of each code. */
export const discountPages = (deps: DiscountPagesDeps): DashboardRoutes<typeof dashboardCommands.discounts> => ({
  needs: ({ param }) => (isNamed(param('id')) ? [keys.discount(param('id'))] : []),
  show: async (visit) => {
    const id = visit.request.param('id');
    if (id === '') return showList(deps, visit);
    return isNamed(id) ? showCode(deps, visit, await known(deps, id)) : showNew(deps, visit);
  },
  forms: {
    commands: dashboardCommands.discounts,
    run: {
      save: (submission) =>
        isNamed(submission.request.param('id')) ? change(deps, submission) : create(deps, submission),
      stop: (submission) => stop(deps, submission),
      allow: (submission) => allow(deps, submission),
      disallow: (submission) => disallow(deps, submission),
    },
  },
});

const isNamed = (id: string): boolean => id !== '' && id !== 'new';

/** Finds a code. It may be stopped, because payments link to its page. */
async function known({ discounts }: DiscountPagesDeps, id: string): Promise<Discount> {
  const discount = await discounts.find(id);
  if (discount) return discount;
  throw notFound('discount', id);
}

const activeValues: Readonly<Record<string, boolean>> = { true: true, false: false };

async function showList(deps: DiscountPagesDeps, visit: Visit) {
  const chosen = visit.request.query('active') ?? '';
  const active = Object.hasOwn(activeValues, chosen) ? activeValues[chosen] : undefined;
  const search = (visit.request.query('q') ?? '').trim().slice(0, 100);
  const filter = { ...(active !== undefined && { active: chosen }), ...(search !== '' && { q: search }) };
  const { request, links } = await listView(visit, home, filter);
  const page = await listDiscounts(deps, { active, matches: isFoundBy(search) }, request);
  const used = page.items.flatMap(({ discount, used: count }) => (count > 0 ? discount.id : []));
  const held = await heldUses(deps, used);
  const now = deps.now().toISOString();
  return discountListPage(frameOf(visit), { discounts: page.items, held, active, search, now, ...links(page) });
}

/** Whether the code or its note contains the searched text. Ignores upper and lower case. */
function isFoundBy(search: string): (row: DiscountBrief) => boolean {
  const part = search.toLowerCase();
  return ({ code, name }) => [code, name ?? ''].some((text) => text.toLowerCase().includes(part));
}

/** The most products in the list of the form. */
const mostProducts = 100;

/**
 * The products in the list of the form: those of the code, then the newest ones. Also returns the currency of the
 * newest product.
 */
async function choosable({ products }: DiscountPagesDeps, chosen: readonly string[]) {
  const { items, hasMore } = await products.list(
    { archived: false },
    { size: mostProducts, skip: 0, after: undefined },
  );
  const others = chosen.filter((id) => !items.some((item) => item.id === id));
  const names = await products.names(others);
  const kept = others.flatMap((id) => (names.has(id) ? { id, name: names.get(id) ?? id } : []));
  return {
    products: [...kept, ...items.map(({ id, name }) => ({ id, name }))],
    hasMoreProducts: hasMore,
    currency: items[0]?.price.currency ?? 'EUR',
  };
}

interface Again {
  typed?: Typed;
  faults?: readonly FormFault[];
  emails?: string;
}

async function showNew(deps: DiscountPagesDeps, visit: Visit, { typed, faults = [] }: Again = {}) {
  const { currency, ...choice } = await choosable(deps, []);
  const { locale } = visit;
  const filled = { typed: typed ?? newDiscountTexts(currency, locale), locale };
  return newDiscountPage(frameOf(visit), { ...choice, discount: null, filled, faults });
}

async function showCode(deps: DiscountPagesDeps, visit: Visit, discount: Discount, again: Again = {}) {
  const { id, restrictedTo } = discount;
  const { request, links } = await listView(visit, `${home}/${id}`, {});
  const matches = ({ discountIds = [] }: PaymentBrief) => discountIds.includes(id);
  const [uses, held, page, guests, { currency, ...choice }] = await Promise.all([
    deps.discounts.uses([id]),
    heldUses(deps, [id]),
    deps.payments.listBriefly({ createdFrom: discount.createdAt, matches }, request),
    discount.eligibility === 'specific' ? deps.guests.list(id, { size: 20, skip: 0, after: undefined }) : null,
    choosable(deps, restrictedTo),
  ]);
  const { locale } = visit;
  const names = await deps.products.names(page.items.flatMap(({ productIds }) => namedProducts(productIds)));
  const { typed = textsOfDiscount(discount, { locale, currency }), faults = [], emails = '' } = again;
  return discountPage(frameOf(visit), {
    ...{ discount, filled: { typed, locale }, faults, emails, ...choice, guests, publicUrl: deps.publicUrl },
    ...{ counted: { discount, used: uses.get(id) ?? 0 }, held: held.get(id) ?? 0 },
    ...{ payments: page.items, names, now: deps.now().toISOString(), ...links(page) },
  });
}

interface Judged {
  /** The code to change; null for a new one. */
  known: Discount | null;
  /** Shows the form again with these faults. */
  showAgain: (faults: readonly FormFault[]) => ReturnType<typeof showNew>;
  used: number;
}

/** Saves the code that the form describes, or shows the form again with all its faults. */
async function submit(
  deps: DiscountPagesDeps,
  { form, locale }: FormSubmission,
  { known, showAgain, used }: Judged,
  send: (body: Record<string, unknown>) => ReturnType<FormSubmission['once']>,
) {
  const t = textsOf(dashboardTexts('discounts'), { locale });
  const filled = { typed: discountTextsIn(form), locale };
  const { body, faults } = discountJson(filled, known);
  const isComplete = await areProducts(deps, chosenProducts(filled.typed));
  const all = isComplete ? faults : [...faults, { field: 'products', message: t('fault.products') }];
  return unlessRefused(
    () => (all.length > 0 ? showAgain(all) : send(body)),
    (refusal) => showAgain(discountFaults(refusal, filled, used)),
  );
}

/** Whether all selected products exist. */
async function areProducts({ products }: DiscountPagesDeps, ids: readonly string[]): Promise<boolean> {
  if (ids.length > mostProducts) return false;
  return (await products.names([...new Set(ids)])).size === new Set(ids).size;
}

function create(deps: DiscountPagesDeps, submission: FormSubmission) {
  const typed = discountTextsIn(submission.form);
  const showAgain = (faults: readonly FormFault[]) => showNew(deps, submission, { typed, faults });
  return submit(deps, submission, { known: null, showAgain, used: 0 }, (body) =>
    submission.once<CountedDiscount>(
      (claim) => createDiscount(deps, parseInput(DiscountInput, body), claim),
      ({ discount }) => `${home}/${discount.id}?done=created`,
    ),
  );
}

async function change(deps: DiscountPagesDeps, submission: FormSubmission) {
  const discount = await deps.discounts.get(submission.request.param('id'));
  const used = (await deps.discounts.uses([discount.id])).get(discount.id) ?? 0;
  const typed = discountTextsIn(submission.form);
  const showAgain = (faults: readonly FormFault[]) => showCode(deps, submission, discount, { typed, faults });
  return submit(deps, submission, { known: discount, showAgain, used }, (body) =>
    submission.once<CountedDiscount>(
      (claim) => updateDiscount(deps, discount.id, parseInput(DiscountChangeInput, body), claim),
      () => `${home}/${discount.id}?done=saved`,
    ),
  );
}

function stop(deps: DiscountPagesDeps, { request, once }: FormSubmission) {
  const id = request.param('id');
  return once<CountedDiscount>(
    (claim) => removeDiscount(deps, id, claim),
    () => `${home}/${id}?done=stopped`,
  );
}

const mostEmails = 100;

async function allow(deps: DiscountPagesDeps, submission: FormSubmission) {
  const { form, once, request, locale } = submission;
  const discount = await deps.discounts.get(request.param('id'));
  const typed = form.text('emails');
  const emails = typed.split(/[\s,;]+/).filter((email) => email !== '');
  const showAgain = (refusal?: DomainError) => {
    const t = textsOf(dashboardTexts('discounts'), { locale });
    const wrong = wrongAmong(emails, refusal);
    const message = wrong.length > 0 ? t('fault.email', { wrong: wrong.join(', ') }) : t('fault.emails');
    const faults = [{ field: 'emails', message }];
    return showCode(deps, submission, discount, { faults, emails: typed });
  };
  if (emails.length === 0 || emails.length > mostEmails) return showAgain();
  return unlessRefused(() => {
    const added = parseInput(DiscountCustomersInput, { emails });
    return once<string[]>(
      (claim) => addGuests(deps, discount.id, added, claim),
      () => `${home}/${discount.id}?done=saved`,
    );
  }, showAgain);
}

/** The refused addresses. In the error, a fault names an address by its position in the list: `emails[1]`. */
const wrongAmong = (emails: readonly string[], refusal: DomainError | undefined): string[] =>
  (refusal?.details.faults ?? []).flatMap(({ path }) => emails[Number(/^emails\[(\d+)\]/.exec(path)?.[1])] ?? []);

function disallow(deps: DiscountPagesDeps, { form, once, request }: FormSubmission) {
  const id = request.param('id');
  const customerId = parseInput(idOf('cus'), form.text('customer_id'));
  return once<void>(
    (claim) => removeGuest(deps, { id, customerId }, claim),
    () => `${home}/${id}?done=removed`,
  );
}
