import { billingAt, placeOptions } from '../../shared/dashboard/catalogue/place-options.ts';
import type { ProductExample } from '../../shared/dashboard/catalogue/product-example.ts';
import { productFormPage } from '../../shared/dashboard/catalogue/product-form-page.ts';
import { productListPage } from '../../shared/dashboard/catalogue/product-list-page.ts';
import {
  draftFrom,
  draftOf,
  formFaultsOf,
  newDraft,
  type ProductDraft,
  productBody,
} from '../../shared/dashboard/catalogue/read-product-form.ts';
import { dashboard, type FormSubmission, unlessRefused, type Visit } from '../../shared/dashboard/dashboard.ts';
import { frameOf } from '../../shared/dashboard/frame.ts';
import { guard } from '../../shared/dashboard/guard.ts';
import { listView } from '../../shared/dashboard/list-view.ts';
import type { FormFault } from '../../shared/dashboard/parts.ts';
import { dashboardCommands } from '../../shared/domain/access/dashboard-commands.ts';
import { newProduct, type Product } from '../../shared/domain/catalogue/product.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import { primaryBrandIdOf } from '../../shared/domain/ids.ts';
import { env } from '../../shared/env.ts';
import { images } from '../../shared/image-runtime.ts';
import { cleanImage } from '../../shared/images/clean-image.ts';
import { brands, checkTaxId, newId, now, products, taxSettings, world } from '../../shared/runtime.ts';
import { keys, type RowKey } from '../../shared/store/keys.ts';
import { countries } from '../../shared/tax/places/countries.ts';
import { regionsOf } from '../../shared/tax/places/regions.ts';
import { createProduct } from '../../shared/use-cases/catalogue/create-product.ts';
import { publishFile } from '../../shared/use-cases/catalogue/publish-image.ts';
import { setArchived } from '../../shared/use-cases/catalogue/set-archived.ts';
import { updateProduct } from '../../shared/use-cases/catalogue/update-product.ts';
import { previewCheckout } from '../../shared/use-cases/checkout/preview-checkout.ts';
import { ProductChangeInput, ProductInput } from '../../shared/wire/catalogue/product.ts';
import { parseInput } from '../../shared/wire/parse.ts';

const primaryBrandId = primaryBrandIdOf(env.merchant().id);
const publicUrl = env.publicUrl();
const deps = {
  products: products(),
  brands: brands(),
  primaryBrandId,
  images: images(),
  cleanImage,
  publicUrl,
  now,
  newId,
};
const home = '/dashboard/products';
const places = placeOptions(countries, regionsOf);

/** A product's page shows an example of its tax, as does the form of one that is about to be made. */
function productRows(id: string): RowKey[] {
  if (id === '') return [];
  return id === 'new' ? [keys.taxRules()] : [keys.taxRules(), keys.product(id)];
}

/** GET, POST /dashboard/products /dashboard/products/{id} */
export const handler = dashboard(guard, {
  needs: ({ param }) => [keys.brands(), ...productRows(param('id'))],
  show: async (visit) => {
    const id = visit.request.param('id');
    if (id === '') return showList(visit);
    const product = id === 'new' ? null : await deps.products.get(id);
    return showForm(visit, product, await startingDraft(product));
  },
  forms: {
    commands: dashboardCommands.products,
    run: {
      preview: async (submission) =>
        showForm(submission, await productOf(submission.request), draftFrom(submission.form)),
      save,
      archive: (submission) => setOnSale(submission, false),
      restore: (submission) => setOnSale(submission, true),
    },
  },
});

async function showList(visit: Visit) {
  const archived = visit.request.query('archived') === 'true';
  const { request, links } = listView(visit, home, archived ? { archived: 'true' } : {});
  const [page, { brands: all }] = await Promise.all([deps.products.list({ archived }, request), deps.brands.get()]);
  return productListPage(frameOf(visit), { products: page.items, archived, brands: all, publicUrl, ...links(page) });
}

/** A new product begins with the currency of the one before. */
async function startingDraft(product: Product | null): Promise<ProductDraft> {
  const place = env.merchant().country;
  if (product) return draftOf(product, place);
  const { items } = await deps.products.listBriefly({ archived: false }, { size: 1, skip: 0, after: undefined });
  return newDraft(primaryBrandId, items[0]?.price.currency ?? 'EUR', place);
}

async function showForm(visit: Visit, product: Product | null, draft: ProductDraft, faults: readonly FormFault[] = []) {
  const [example, { brands: all }] = await Promise.all([exampleOf(draft), deps.brands.get()]);
  return productFormPage(frameOf(visit), { product, draft, faults, brands: all, places, example, publicUrl });
}

/** What a buyer somewhere would pay for what is filled in, or why that cannot be said. */
async function exampleOf(draft: ProductDraft): Promise<ProductExample> {
  const { body, faults } = productBody(draft);
  if (draft[draft.isOpen ? 'minimum' : 'price'] === '') return { problem: 'Enter a price to see what is left of it.' };
  if (faults[0]) return { problem: faults[0].message };
  try {
    return await priceExample({ ...body, name: 'Example', description: 'Example' }, draft.place);
  } catch (error) {
    if (error instanceof DomainError) return { problem: error.message };
    throw error;
  }
}

/** One unit, priced by the very use case that prices carts. */
async function priceExample(body: object, place: string): Promise<ProductExample> {
  const input = { ...parseInput(ProductInput, body), brandId: primaryBrandId };
  const product = newProduct(input, { id: 'example', now: now().toISOString() });
  const example = { products: { find: async () => product }, taxSettings, checkTaxId, now };
  const { priced } = await previewCheckout(example, billingAt(place, product.id));
  const [line] = priced.quote.lines;
  if (!line) throw new RangeError('An example without a line.');
  const { kind, currency, taxInclusive } = product.price;
  const isChosen = kind === 'pay_what_you_want';
  return { unitAmount: priced.unitAmounts[0] ?? 0, isChosen, currency, taxInclusive, line };
}

/** The product that a form is posted to; null for the list, where a new one is made. */
async function productOf({ param }: Visit['request']): Promise<Product | null> {
  const id = param('id');
  return id === '' ? null : deps.products.get(id);
}

async function save(submission: FormSubmission) {
  const product = await productOf(submission.request);
  const draft = draftFrom(submission.form);
  const { body, faults } = productBody(draft);
  return unlessRefused(
    async () => {
      const input = parseInput(ProductInput, body);
      if (faults.length > 0) return showForm(submission, product, draft, faults);
      const image = await chosenImage(submission);
      return submission.once<Product>(
        (claim) =>
          product
            ? updateProduct(deps, product.id, { ...parseInput(ProductChangeInput, body), ...image }, claim)
            : createProduct(deps, { ...input, ...image }, claim),
        ({ id }) => `${home}/${id}?done=${product ? 'saved' : 'created'}`,
      );
    },
    (refusal) => {
      const told = formFaultsOf(refusal, draft);
      const untold = faults.filter(({ field }) => !told.some((fault) => fault.field === field));
      return showForm(submission, product, draft, [...told, ...untold]);
    },
  );
}

/** What the form says of the image: a file, that it goes, or nothing. */
async function chosenImage({ form }: FormSubmission): Promise<{ image?: string | null }> {
  const file = form.file('image');
  if (file) return { image: await publishFile(deps, world.newUuid(), file) };
  return form.has('remove_image') ? { image: null } : {};
}

function setOnSale({ request, once }: FormSubmission, isOnSale: boolean) {
  const id = request.param('id');
  return once(
    (claim) => setArchived(deps, id, !isOnSale, claim),
    () => `${home}/${id}?done=${isOnSale ? 'restored' : 'archived'}`,
  );
}
