import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { costOfMissingTax } from '../../domain/checkout/missing-tax.ts';
import { taxCategories } from '../../domain/checkout/tax.ts';
import { DomainError } from '../../domain/errors.ts';
import { currencyFloor } from '../../domain/money/currency.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import { keys, type RowKey } from '../../store/keys.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import { stateOnlyStates } from '../../tax/local-taxes.ts';
import { buyerCountries } from '../../tax/places/countries.ts';
import { regionsOf } from '../../tax/places/regions.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { type ArchiveProductsDeps, archiveProducts } from '../../use-cases/catalogue/archive-products.ts';
import { withEntitlements } from '../../use-cases/catalogue/attached-entitlements.ts';
import { type CreateProductDeps, createProduct } from '../../use-cases/catalogue/create-product.ts';
import { type SetArchivedDeps, setArchived } from '../../use-cases/catalogue/set-archived.ts';
import { type UpdateProductDeps, updateProduct } from '../../use-cases/catalogue/update-product.ts';
import { buyersOf } from '../../use-cases/reports/search-payments.ts';
import { ProductChangeInput, ProductInput } from '../../wire/catalogue/product-input.ts';
import { parseInput } from '../../wire/parse.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import { type Filled, type Typed, typedTexts } from '../entries.ts';
import { frameOf } from '../frame.ts';
import { listView } from '../list-view.ts';
import type { FormFault } from '../parts.ts';
import { linkChoiceOf } from '../sharing/link-choice.ts';
import { qrFileAnswer, wantsQrFile } from '../sharing/share-card.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import { type ChosenImageDeps, chosenImage, imageToKeep } from './chosen-image.ts';
import { type MarketFormsDeps, removePrice, savePrice, setMarkets } from './market-price-forms.ts';
import type { RefusedMarket } from './market-prices-card.ts';
import { placeOptions } from './place-options.ts';
import {
  hasPrice,
  newProductTexts,
  productEntries,
  productFaults,
  productJson,
  textsOfProduct,
} from './product-entries.ts';
import type { ProductExample } from './product-example.ts';
import { faultsIn, productFrom } from './product-faults.ts';
import { productFormPage } from './product-form-page.ts';
import { productListPage } from './product-list-page.ts';
import { priceUnit, type UnitChargeDeps, unitChargeFault, unpayableMarkets } from './unit-charge.ts';

type Deps = CreateProductDeps &
  UpdateProductDeps &
  SetArchivedDeps &
  ArchiveProductsDeps &
  ChosenImageDeps &
  MarketFormsDeps;

type ProductPagesDeps = Deps &
  UnitChargeDeps & {
    products: Pick<ProductStore, 'list' | 'listBriefly'>;
    payments: Pick<PaymentLists, 'listBriefly' | 'complete'>;
    /** The merchant's country, which is the place of the first price example. */
    merchantCountry: string;
  };

const home = '/dashboard/products';

/** The most products that one form archives. One transaction writes them, each with its entry in the audit log. */
const mostArchived = 40;

/** The rows that a product's page reads. Like the form for a new product, it shows a price example. */
function productRows(id: string): RowKey[] {
  if (id === '') return [];
  return id === 'new' ? [keys.taxRules()] : [keys.taxRules(), keys.product(id)];
}

/** The products, and the form of each. */
export const productPages = (deps: ProductPagesDeps): DashboardRoutes<typeof dashboardCommands.products> => ({
  needs: ({ param }) => [keys.brands(), ...productRows(param('id'))],
  show: async (visit) => {
    const id = visit.request.param('id');
    if (id === '') return showList(deps, visit);
    if (id === 'new') return showNew(deps, visit);
    const product = await deps.products.get(id);
    if (wantsQrFile(visit.request))
      return qrFileAnswer({
        product,
        choice: linkChoiceOf(visit.request),
        publicUrl: deps.publicUrl,
        locale: visit.locale,
      });
    const typed = await startingTexts(deps, product, visit);
    return showForm(deps, { visit, product, typed, place: deps.merchantCountry });
  },
  forms: {
    commands: dashboardCommands.products,
    run: {
      preview: async (submission) => {
        const product = await productOf(deps, submission.request);
        const keptImage = await imageToKeep(chosenImage(deps, submission.form));
        return showForm(deps, { visit: submission, product, ...typedIn(submission), keptImage });
      },
      save: (submission) => save(deps, submission),
      archive: (submission) => setOnSale(deps, submission, false),
      archive_several: (submission) => archiveSeveral(deps, submission),
      restore: (submission) => setOnSale(deps, submission, true),
      set_markets: (submission) => setMarkets(deps, submission),
      add_price: (submission) => saveMarket(deps, submission),
      change_price: (submission) => saveMarket(deps, submission),
      archive_price: (submission) => removePrice(deps, submission),
    },
  },
});

async function showList(deps: ProductPagesDeps, visit: Visit, fault?: string) {
  const archived = visit.request.query('archived') === 'true';
  const { request, links } = await listView(visit, home, archived ? { archived: 'true' } : {});
  const [page, { brands: all }] = await Promise.all([deps.products.list({ archived }, request), deps.brands.get()]);
  return productListPage(frameOf(visit), {
    products: page.items,
    archived,
    brands: all,
    publicUrl: deps.publicUrl,
    fault,
    ...links(page),
  });
}

/** The form for a new product. It is empty, or a copy of the product that the address names. */
async function showNew(deps: ProductPagesDeps, visit: Visit) {
  const copied = await copiedProduct(deps, visit);
  const typed = copied ? copiedTexts(copied, visit) : await startingTexts(deps, null, visit);
  const keptImage = copied?.image ?? undefined;
  return showForm(deps, { visit, product: null, typed, place: deps.merchantCountry, keptImage, copied });
}

/** The product of which the form for a new one shows a copy. Undefined if the address names none. */
const copiedProduct = async ({ products }: ProductPagesDeps, { request }: Visit): Promise<Product | undefined> => {
  const id = request.query('copy') ?? '';
  return isProductId(id) ? products.get(id) : undefined;
};

/** The texts of the form for a copy. Its name says that it is one. */
function copiedTexts(product: Product, { locale }: Visit): Typed {
  const t = textsOf(dashboardTexts('catalogue'), { locale });
  return {
    ...textsOfProduct({ ...product, attached: [] }, locale),
    name: t('product.copyOf', { name: product.name }).slice(0, 100),
  };
}

const isProductId = (text: string): boolean => /^pdt_\w{1,60}$/.test(text);

/** The first texts of the form. A new product starts with the currency of the newest product. */
async function startingTexts(deps: ProductPagesDeps, product: Product | null, { locale }: Visit): Promise<Typed> {
  if (product) return textsOfProduct((await withEntitlements(deps, [product]))[0] ?? product, locale);
  const { items } = await deps.products.listBriefly({ archived: false }, { size: 1, skip: 0, after: undefined });
  return newProductTexts(deps.primaryBrandId, items[0]?.price.currency ?? 'EUR', locale);
}

const typedIn = ({ form }: FormSubmission) => ({
  typed: typedTexts(productEntries, form),
  place: form.text('place'),
});

interface Shown {
  visit: Visit;
  product: Product | null;
  typed: Typed;
  /** The place of the price example. */
  place: string;
  faults?: readonly FormFault[];
  keptImage?: string | undefined;
  market?: RefusedMarket;
  /** The product that the form copies. */
  copied?: Product | undefined;
}

async function showForm(
  deps: ProductPagesDeps,
  { visit, product, typed, place, faults = [], keptImage, market, copied }: Shown,
) {
  const [settings, { brands }] = await Promise.all([deps.taxSettings(), deps.brands.get()]);
  const filled = { typed, locale: visit.locale };
  const pricing = { ...deps, taxSettings: async () => settings };
  const [example, unpayable, [offered], buyers] = await Promise.all([
    exampleOf(pricing, filled, place),
    product ? unpayableMarkets(pricing, product, place) : [],
    withEntitlements(deps, product ? [product] : []),
    product && visit.request.method === 'GET' ? buyersOf(deps, product.id) : undefined,
  ]);
  const stateOnly = stateOnlyStates(settings, {
    date: deps.now().toISOString().slice(0, 10),
    category: taxCategories.find((category) => category === typed['tax_category']),
  });
  const { publicUrl } = deps;
  const places = placeOptions(buyerCountries, regionsOf, visit.locale);
  const { exclusiveCountries } = deps.taxCustom;
  const shown = {
    product,
    filled,
    faults,
    keptImage,
    market,
    copied,
    brands,
    place,
    places,
    example,
    unpayable,
    stateOnly,
    publicUrl,
    exclusiveCountries,
    given: offered?.attached ?? [],
    buyers,
    link: linkChoiceOf(visit.request),
  };
  return productFormPage(frameOf(visit), shown);
}

/** Handles the form of a market's price. Errors are shown on the page of its product. */
const saveMarket = (deps: ProductPagesDeps, submission: FormSubmission) =>
  savePrice(deps, submission, async (product, market) =>
    showForm(deps, {
      visit: submission,
      product,
      typed: await startingTexts(deps, product, submission),
      place: deps.merchantCountry,
      market,
    }),
  );

/** What a buyer at a place would pay with the current entries, or why this is unknown. */
async function exampleOf(deps: ProductPagesDeps, filled: Filled, place: string): Promise<ProductExample> {
  const { typed, locale } = filled;
  const t = textsOf(dashboardTexts('catalogue'), { locale });
  const { json, faults } = productJson(filled);
  if (!hasPrice(typed)) return { problem: t('example.enter') };
  if (faults[0]) return { problem: faults[0].message };
  try {
    return await priceExample(deps, { ...json, name: 'Example', description: 'Example' }, place);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT') return tooSmall(typed['currency'] ?? '');
    return { problem: productFaults(error, filled)[0]?.message ?? t('example.unknown') };
  }
}

/** The result for a price that is too small. It cannot be in a cart, so it is not calculated. */
const tooSmall = (currency: string): ProductExample => ({
  isChosen: false,
  currency,
  unpayable: { kind: 'minimum', least: currencyFloor(currency) },
});

/** The price of one unit of a product that is not saved yet. */
async function priceExample(deps: ProductPagesDeps, body: object, place: string): Promise<ProductExample> {
  const product = productFrom(deps, body, deps.now().toISOString());
  const { item, warnings } = await priceUnit(deps, product, place);
  const { kind, currency } = product.price;
  const unpayable = unitChargeFault(deps, product.price, item.gross);
  const isStateOnly = warnings.includes('estimate_state_only');
  const costPerLocalPercent = isStateOnly ? costOfMissingTax(item, '0.01') : undefined;
  return { isChosen: kind === 'pay_what_you_want', currency, item, costPerLocalPercent, unpayable };
}

/** The product of a posted form; null for a new product. */
async function productOf(deps: ProductPagesDeps, { param }: Visit['request']): Promise<Product | null> {
  const id = param('id');
  return id === '' ? null : deps.products.get(id);
}

async function save(deps: ProductPagesDeps, submission: FormSubmission) {
  const product = await productOf(deps, submission.request);
  const { typed, place } = typedIn(submission);
  const filled = { typed, locale: submission.locale };
  const { json } = productJson(filled);
  const chosen = chosenImage(deps, submission.form);
  const keptImage = await imageToKeep(chosen);
  const showAgain = (faults: readonly FormFault[]) =>
    showForm(deps, { visit: submission, product, typed, place, keptImage, faults });
  const faults = await faultsIn(deps, { product, filled, chosen });
  if (faults.length > 0) return showAgain(faults);
  const address = await chosen;
  const image = address === undefined ? {} : { image: address };
  return unlessRefused(
    () =>
      submission.once<Product>(
        (claim) =>
          product
            ? updateProduct(deps, product.id, { ...parseInput(ProductChangeInput, json), ...image }, claim)
            : createProduct(deps, { ...parseInput(ProductInput, json), ...image }, claim),
        ({ id }) => `${home}/${id}?done=${product ? 'saved' : 'created'}`,
      ),
    (refusal) => showAgain(productFaults(refusal, filled)),
  );
}

function archiveSeveral(deps: ProductPagesDeps, submission: FormSubmission) {
  const ids = submission.form.all('product_id').slice(0, mostArchived);
  if (ids.length === 0)
    return showList(deps, submission, textsOf(dashboardTexts('catalogue'), submission)('products.archiveNone'));
  return submission.once<readonly string[]>(
    async (claim) => {
      await archiveProducts(deps, ids, claim);
      return ids;
    },
    () => `${home}?done=archived`,
  );
}

function setOnSale(deps: ProductPagesDeps, { request, once }: FormSubmission, isOnSale: boolean) {
  const id = request.param('id');
  return once(
    (claim) => setArchived(deps, id, !isOnSale, claim),
    () => `${home}/${id}?done=${isOnSale ? 'restored' : 'archived'}`,
  );
}
