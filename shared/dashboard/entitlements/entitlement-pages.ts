import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import type { Entitlement } from '../../domain/entitlements/entitlement.ts';
import { maxImportedKeys } from '../../domain/entitlements/license-key.ts';
import { maxImportedCodes } from '../../domain/entitlements/pool-code.ts';
import { type DomainError, notFound } from '../../domain/errors.ts';
import { formatCount } from '../../pages/format.ts';
import { seeOther } from '../../pages/headers.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';
import type { GrantStore } from '../../store/entitlements/grant-store.ts';
import { keys } from '../../store/keys.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { attachEntitlement, createAttached, detachEntitlement } from '../../use-cases/catalogue/attach-entitlement.ts';
import { updateEntitlement } from '../../use-cases/entitlements/change-entitlement.ts';
import { readEntitlement } from '../../use-cases/entitlements/entitlement-files.ts';
import { overviewOfEntitlement } from '../../use-cases/entitlements/grant-overview.ts';
import { type ImportCodesDeps, type ImportedCodes, importCodes } from '../../use-cases/entitlements/import-codes.ts';
import type { ImportKeysDeps } from '../../use-cases/entitlements/import-keys.ts';
import type { GrantViewDeps } from '../../use-cases/entitlements/list-grants.ts';
import { pastedCodes } from '../../wire/entitlements/code-lines.ts';
import { EntitlementChangeInput, EntitlementInput } from '../../wire/entitlements/entitlement-input.ts';
import { parseInput } from '../../wire/parse.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import { type Typed, typedTexts } from '../entries.ts';
import { faultsOf } from '../form-faults.ts';
import { frameOf } from '../frame.ts';
import { listView } from '../list-view.ts';
import type { FormFault } from '../parts.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import { existingEntitlementsPage, newEntitlementPage } from './add-entitlement-page.ts';
import type { AddedCodes } from './codes-card.ts';
import {
  entitlementEntries,
  entitlementFaults,
  entitlementJson,
  newEntitlementTexts,
  textsOfEntitlement,
} from './entitlement-entries.ts';
import { type AddedKind, entitlementPath, entitlementsOf, isPool, kindNamed } from './entitlement-kinds.ts';
import { entitlementPage } from './entitlement-page.ts';
import {
  addFileByForm,
  type FileFormsDeps,
  fileRefusal,
  finishFileByForm,
  moveFileByForm,
  removeFileByForm,
  renameFileByForm,
  signPartByForm,
} from './file-forms.ts';
import { importPastedKeys, keyReportIn, keysFrom } from './keys-card.ts';

interface EntitlementPagesDeps
  extends FileFormsDeps,
    Pick<ImportKeysDeps, 'customers'>,
    Omit<GrantViewDeps, 'entitlements' | 'licenseKeys' | 'payments'>,
    Omit<ImportCodesDeps, 'newId' | 'now' | 'grants' | 'licenseKeys' | 'payments'> {
  entitlements: Pick<EntitlementStore, 'get' | 'save' | 'list' | 'findMany'>;
  grants: ImportCodesDeps['grants'] & Pick<GrantStore, 'list'>;
  licenseKeys: ImportCodesDeps['licenseKeys'] & GrantViewDeps['licenseKeys'] & ImportKeysDeps['licenseKeys'];
  payments: ImportCodesDeps['payments'] & GrantViewDeps['payments'];
  products: Pick<ProductStore, 'get' | 'find' | 'save'>;
  newId: (prefix: 'ent' | 'fil' | 'evt' | 'lic') => string;
  /** The origin of the bucket, to which the page sends files. */
  fileOrigin: () => string;
}

/**
 * The pages about a product's entitlements: one to add a new entitlement, one to attach an existing one, and one for
 * each entitlement.
 */
export const entitlementPages = (
  deps: EntitlementPagesDeps,
): DashboardRoutes<typeof dashboardCommands.entitlements> => ({
  needs: ({ param }) => [
    keys.product(param('id')),
    ...(param('entitlement_id') === '' ? [] : [keys.entitlement(param('entitlement_id'))]),
  ],
  show: async (visit) => {
    const product = await productOf(deps, visit);
    if (visit.request.param('entitlement_id') !== '') return showEntitlement(deps, visit, product);
    const kind = kindNamed(visit.request.query('kind'));
    return kind ? showNew(visit, product, kind) : showExisting(deps, visit, product);
  },
  forms: {
    commands: dashboardCommands.entitlements,
    run: {
      create: (submission) => create(deps, submission),
      attach: (submission) => attach(deps, submission),
      detach: (submission) => detach(deps, submission),
      save: (submission) => save(deps, submission),
      add_codes: (submission) => addCodes(deps, submission),
      import_keys: (submission) => importFromForm(deps, submission),
      add_file: (submission) => addFileByForm(deps, submission),
      sign_part: (submission) => signPartByForm(deps, submission),
      finish_file: (submission) => finishFileByForm(deps, submission),
      rename_file: (submission) =>
        renameFileByForm(deps, submission, (refusal) => showRefusal(deps, submission, refusal)),
      move_file: (submission) => moveFileByForm(deps, submission),
      remove_file: (submission) => removeFileByForm(deps, submission),
    },
  },
});

const productOf = ({ products }: EntitlementPagesDeps, { request }: Visit): Promise<Product> =>
  products.get(request.param('id'));

interface Again {
  typed?: Typed;
  faults?: readonly FormFault[];
}

function showNew(visit: Visit, product: Product, kind: AddedKind, { typed, faults = [] }: Again = {}) {
  const { locale } = visit;
  const texts = typed ?? newEntitlementTexts(kind, product.name, locale);
  return newEntitlementPage(frameOf(visit), { product, kind, filled: { typed: texts, locale }, faults });
}

async function showExisting(deps: EntitlementPagesDeps, visit: Visit, product: Product, faults?: FormFault[]) {
  const { request, links } = await listView(visit, entitlementsOf(product.id), {});
  const page = await deps.entitlements.list(() => true, request);
  return existingEntitlementsPage(frameOf(visit), { product, entitlements: page.items, faults, ...links(page) });
}

async function showEntitlement(deps: EntitlementPagesDeps, visit: Visit, product: Product, again: Again = {}) {
  const entitlement = await readEntitlement(deps, visit.request.param('entitlement_id'));
  const { typed = textsOfEntitlement(entitlement, visit.locale), faults = [] } = again;
  const { request, links } = await listView(visit, entitlementPath(product.id, entitlement), {});
  const page = await overviewOfEntitlement(deps, entitlement.id, request);
  const codes = isPool(entitlement) ? { pool: await deps.pool.get(entitlement.id), done: addedIn(visit) } : undefined;
  return entitlementPage(frameOf(visit), {
    ...{ product, entitlement, codes, faults, keys: keyReportIn(visit), fileOrigin: deps.fileOrigin() },
    filled: { typed, locale: visit.locale },
    holders: { grants: page.items, ...links(page) },
  });
}

/** The result of an import, from the address to which the form redirects. */
function addedIn({ request }: Visit): AddedCodes | undefined {
  const count = (name: string) => Number(/^\d{1,6}$/.exec(request.query(name) ?? '')?.[0] ?? 0);
  if (request.query('added') === undefined) return undefined;
  const refused = (request.query('refused') ?? '').split('.').filter((line) => /^\d{1,7}$/.test(line));
  return { added: count('added'), repeated: count('repeated'), refused: refused.map(Number) };
}

/** The most numbers of refused lines in an answer. */
const mostRefused = 100;

/** Adds pasted codes. Sending them again adds none twice, because the pool recognizes its codes. */
async function addCodes(deps: EntitlementPagesDeps, submission: FormSubmission) {
  const { codes, refused } = pastedCodes(submission.form.all('codes')[0] ?? '');
  const t = textsOf(dashboardTexts('entitlements'), submission);
  if (codes.length > maxImportedCodes || codes.length + refused.length === 0) {
    const most = formatCount(maxImportedCodes, submission.locale);
    const message = codes.length === 0 ? t('fault.codes') : t('codes.unscripted', { most });
    return showEntitlement(deps, submission, await productOf(deps, submission), {
      faults: [{ field: 'codes', message }],
    });
  }
  const lines = refused.slice(0, mostRefused).join('.');
  const { request } = submission;
  return submission.once<ImportedCodes>(
    (claim) => importCodes(deps, request.param('entitlement_id'), codes, claim),
    ({ added, repeated }) => `${request.path}?added=${added}&repeated=${repeated}${lines && `&refused=${lines}`}#codes`,
  );
}

/**
 * Imports pasted keys from an earlier system. Sending them again adds none twice, because no two keys have the same
 * text.
 */
async function importFromForm(deps: EntitlementPagesDeps, submission: FormSubmission) {
  const file = keysFrom(submission);
  if (!file) {
    const t = textsOf(dashboardTexts('entitlements'), submission);
    const message = t('fault.keys', { most: formatCount(maxImportedKeys, submission.locale) });
    return showEntitlement(deps, submission, await productOf(deps, submission), {
      faults: [{ field: 'keys_text', message }],
    });
  }
  const imported = await importPastedKeys(deps, submission, file);
  return 'trial' in imported ? seeOther(imported.trial) : imported;
}

/** The typed texts, and a function that shows the page again with errors. */
function submitted(submission: FormSubmission, showAgain: (again: Again) => ReturnType<typeof showEntitlement>) {
  const typed = typedTexts(entitlementEntries, submission.form);
  const filled = { typed, locale: submission.locale };
  const { json, faults } = entitlementJson(filled);
  return {
    ...{ json, faults },
    again: () => showAgain({ typed, faults }),
    refused: (refusal: DomainError) => {
      const named = entitlementFaults(refusal, filled);
      const others = faults.filter(({ field }) => !named.some((fault) => fault.field === field));
      return showAgain({ typed, faults: [...named, ...others] });
    },
  };
}

async function create(deps: EntitlementPagesDeps, submission: FormSubmission) {
  const product = await productOf(deps, submission);
  const kind = kindNamed(submission.form.text('kind'));
  if (!kind) throw notFound('kind', submission.form.text('kind'));
  const form = submitted(submission, async (again) => showNew(submission, product, kind, again));
  return unlessRefused(async () => {
    const request = parseInput(EntitlementInput, form.json);
    if (form.faults.length > 0) return form.again();
    return submission.once<Entitlement>(
      (claim) => createAttached(deps, { productId: product.id, request }, claim),
      (entitlement) => `${entitlementPath(product.id, entitlement)}?done=created`,
    );
  }, form.refused);
}

async function save(deps: EntitlementPagesDeps, submission: FormSubmission) {
  const product = await productOf(deps, submission);
  const form = submitted(submission, (again) => showEntitlement(deps, submission, product, again));
  const { integration_type: _, ...change } = form.json;
  return unlessRefused(async () => {
    const parsed = parseInput(EntitlementChangeInput, change);
    if (form.faults.length > 0) return form.again();
    return submission.once<Entitlement>(
      (claim) => updateEntitlement(deps, submission.request.param('entitlement_id'), parsed, claim),
      (entitlement) => `${entitlementPath(product.id, entitlement)}?done=saved`,
    );
  }, form.refused);
}

/** Shows the page of the entitlement again, with the reason why a command was refused. */
async function showRefusal(deps: EntitlementPagesDeps, submission: FormSubmission, refusal: DomainError) {
  const faults = [{ field: '', message: fileRefusal(refusal, submission) }];
  return showEntitlement(deps, submission, await productOf(deps, submission), { faults });
}

const attach = (deps: EntitlementPagesDeps, submission: FormSubmission) =>
  unlessRefused(
    () => {
      const given = givingOf(submission);
      return submission.once<Product>(
        (claim) => attachEntitlement(deps, given, claim),
        ({ id }) => `/dashboard/products/${id}?done=attached#given`,
      );
    },
    async (refusal) => {
      const t = textsOf(dashboardTexts('entitlements'), submission, dashboardTexts('faults'));
      const faults = faultsOf(refusal, t).map(({ message }) => ({ field: '', message }));
      return showExisting(deps, submission, await productOf(deps, submission), faults);
    },
  );

const detach = (deps: EntitlementPagesDeps, submission: FormSubmission) =>
  submission.once<Product>(
    (claim) => detachEntitlement(deps, givingOf(submission), claim),
    ({ id }) => `/dashboard/products/${id}?done=detached#given`,
  );

const givingOf = ({ request, form }: FormSubmission) => ({
  productId: request.param('id'),
  entitlementId: form.text('entitlement_id'),
});
